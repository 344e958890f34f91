package org.reprise.anomaly.agent.instrument;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.objectweb.asm.Opcodes;
import org.reprise.anomaly.agent.instrument.code.AccessInstruction;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.loop.Coalescing;
import org.reprise.anomaly.agent.instrument.program.Bundle;
import org.reprise.anomaly.agent.instrument.program.Sites;

/**
 * How a {@link Footprint} is reported: which arrays and places are tested, and which accesses are
 * told at once. Accesses to the same elements are one report, which is what makes it cheap.
 */
final class FootprintReports {
  /** The same elements; strides matter only to ranges. */
  record Place(Value array, Polynomial from, Polynomial to, int stride) {
    boolean isOne() {
      return to.minus(from).equals(ONE);
    }
  }

  /** What is reported at once: what happens to the first element only, and to the others. */
  static final class Report {
    private final List<Footprint.Piece> heads = new ArrayList<>();
    private final List<Footprint.Piece> rest = new ArrayList<>();
    private int site;

    List<Footprint.Piece> rest() {
      return rest;
    }

    boolean isWritten() {
      return FootprintReports.isWritten(rest);
    }
  }

  private static final Polynomial ONE = Polynomial.constant(1);

  private final Footprint footprint;
  private final ToIntFunction<AccessInstruction> siteOf;
  private final Set<Value> arrays;
  private final Map<Place, Report> reports = new LinkedHashMap<>();
  private final Set<AccessInstruction> covered = new HashSet<>();
  private final Set<Place> tested;

  /**
   * @param siteOf the site of an access; 0 for those that need no report
   */
  FootprintReports(Footprint footprint, ToIntFunction<AccessInstruction> siteOf) {
    this.footprint = footprint;
    this.siteOf = siteOf;
    this.arrays = new LinkedHashSet<>(footprint.measured());
    footprint.pieces().forEach(piece -> arrays.add(piece.array()));
    gather();
    this.tested = new LinkedHashSet<>(reports.keySet());
    footprint.pieces().stream()
        .filter(piece -> !arrays.contains(loaded(piece)))
        .map(FootprintReports::place)
        .filter(place -> !isInReport(place))
        .forEach(tested::add);
  }

  /** The arrays that there must be. */
  Set<Value> arrays() {
    return arrays;
  }

  /** The places that the arrays must have. */
  Set<Place> tested() {
    return tested;
  }

  Map<Place, Report> reports() {
    return reports;
  }

  /** The row that an access loads, which is there if its place is; else whatever is no row. */
  private Value loaded(Footprint.Piece piece) {
    return piece.access().instruction().getOpcode() == Opcodes.AALOAD
        ? footprint.region().same(footprint.values().result(piece.access().node()))
        : footprint.values().zero();
  }

  private static Place place(Footprint.Piece piece) {
    return new Place(piece.array(), piece.from(), piece.to(), piece.stride());
  }

  private void gather() {
    for (Footprint.Piece piece : footprint.pieces()) {
      if (siteOf.applyAsInt(piece.access()) != 0) {
        reports.computeIfAbsent(place(piece), any -> new Report()).rest.add(piece);
      }
    }
    reports.forEach(this::dropCovered);
    for (Place place : List.copyOf(reports.keySet())) {
      addNext(place);
    }
    for (Place place : List.copyOf(reports.keySet())) {
      addHeads(place);
    }
  }

  /** In loops, a read of what is written as often says no more: {@link Coalescing}. */
  private void dropCovered(Place place, Report report) {
    if (!place.isOne() && isWritten(report.rest)) {
      for (Footprint.Piece piece : List.copyOf(report.rest)) {
        if (!piece.access().isWrite()) {
          report.rest.remove(piece);
          covered.add(piece.access());
        }
      }
    }
  }

  /** Whether an access is left out since the same elements are written. */
  boolean isCovered(AccessInstruction access) {
    return covered.contains(access);
  }

  /**
   * {@code a[j]} and {@code a[j + 1]} are one range, as behind other loops: {@link Coalescing}; and
   * {@code a[j - 1]} and {@code a[j + 1]}, if j goes by two.
   */
  private void addNext(Place place) {
    Place range = place;
    Report report = reports.get(place);
    while (report != null && !range.isOne()) {
      Place last = range;
      Place next =
          reports.keySet().stream()
              .filter(other -> isNext(last, other))
              .filter(other -> isWritten(rest(other)) == isWritten(rest(last)))
              .findFirst()
              .orElse(null);
      if (next == null) {
        return;
      }
      reports.remove(next);
      reports.remove(range);
      range = new Place(range.array, range.from, next.to, range.stride);
      reports.put(range, report);
    }
  }

  /** Whether another range goes one step further, and begins where this one has passed. */
  private static boolean isNext(Place range, Place other) {
    Polynomial step = Polynomial.constant(range.stride);
    Polynomial later = other.from.minus(range.from);
    return other.array == range.array
        && other.stride == range.stride
        && !other.isOne()
        && other.to.minus(range.to).equals(step)
        && (range.stride == 1 ? isAtLeast(later, 1) : later.equals(step));
  }

  private List<Footprint.Piece> rest(Place place) {
    Report report = reports.get(place);
    return report == null ? List.of() : report.rest;
  }

  /**
   * A single element just before a range becomes its first, unless one is written and the other is
   * only read: whoever looks at the whole must not take a read for a write.
   */
  private void addHeads(Place range) {
    Polynomial before = range.from.minus(ONE);
    Place place = new Place(range.array, before, range.from, 1);
    Report report = reports.get(range);
    Report head = reports.get(place);
    if (report == null || head == null || range.isOne() || range.stride != 1) {
      return;
    }
    if (isWritten(head.rest) == isWritten(report.rest)) {
      reports.remove(place);
      reports.remove(range);
      report.heads.addAll(head.rest);
      reports.put(new Place(range.array, before, range.to, 1), report);
    }
  }

  private static boolean isWritten(List<Footprint.Piece> pieces) {
    return pieces.stream().anyMatch(piece -> piece.access().isWrite());
  }

  /** Whether it lies in what is reported and tested as a whole. */
  private boolean isInReport(Place place) {
    return reports.keySet().stream()
        .filter(whole -> whole.array == place.array)
        .anyMatch(
            whole ->
                isAtLeast(place.from.minus(whole.from), 0)
                    && (isAtLeast(whole.to.minus(place.to), 0)
                        || (place.isOne() && place.from.equals(whole.from))));
  }

  private static boolean isAtLeast(Polynomial number, int least) {
    return number.isConstant() && number.constant() >= least;
  }

  /** The number under which a range is reported. */
  int site(Report report, Sites sites) {
    if (report.site == 0) {
      report.site =
          report.heads.isEmpty() && report.rest.size() == 1
              ? siteOf.applyAsInt(report.rest.get(0).access())
              : sites.add(new Bundle(statements(report.heads), statements(report.rest)));
    }
    return report.site;
  }

  int site(Footprint.Piece piece) {
    return siteOf.applyAsInt(piece.access());
  }

  private List<Bundle.Statement> statements(List<Footprint.Piece> pieces) {
    return pieces.stream()
        .map(Footprint.Piece::access)
        .map(access -> new Bundle.Statement(siteOf.applyAsInt(access), access.isWrite()))
        .toList();
  }
}
