package org.reprise.analysis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;
import org.reprise.exploration.Decision;
import org.reprise.exploration.Execution;
import org.reprise.findings.Finding;
import org.reprise.findings.Passage;
import org.reprise.findings.Report;
import org.reprise.findings.Rule;
import org.reprise.trace.Location;
import org.reprise.trace.events.EventKind;

/**
 * Which receives of a failing run, in which order, make it fail, compared with a run that passes:
 * an explanation in sentences, with places in the source.
 *
 * @param cause the fewest choices that no passing run has together
 * @param beginning the shortest beginning after which every run fails, the cause among it
 * @param rows the choices of the ranks concerned, side by side
 */
public record FailureStory(List<Choice> cause, List<Choice> beginning, List<Choice> rows) {
  public FailureStory {
    cause = List.copyOf(cause);
    beginning = List.copyOf(beginning);
    rows = List.copyOf(rows);
  }

  /**
   * A message that a receive or probe got.
   *
   * @param source the rank that sent it
   * @param number of the send among the events of its sender, by which it is the same message
   */
  public record Got(int source, int tag, int number) {
    String words() {
      return "rank " + source + "'s message (tag " + tag + ")";
    }
  }

  /**
   * A choice in both runs.
   *
   * @param rank that made it
   * @param event in the failing run, as {@code reprise events} numbers it; of the passing run where
   *     the failing one did not come so far
   * @param call its name: {@code MPI_Recv}
   * @param place where it is in the source; empty if that is not known
   * @param stack the same, with its callers
   * @param failing what it got in the failing run
   * @param passing what it got in the passing run
   * @param moved by how many choices of the rank the passing run takes the failing one's message
   *     later; negative: earlier; empty: it does not take it, or there is no passing run
   */
  public record Choice(
      int rank,
      int event,
      String call,
      String place,
      List<Location> stack,
      Optional<Got> failing,
      Optional<Got> passing,
      OptionalInt moved) {
    /** Whether the runs differ here. */
    public boolean differs() {
      return !failing.equals(passing);
    }

    private boolean isProbe() {
      return call.contains("robe");
    }

    /** It as a condition: {@code rank 0, at queue.c:88, takes rank 2's message (tag 7)}. */
    public String words() {
      String verb = isProbe() ? "sees" : "takes";
      String first =
          "rank "
              + rank
              + (place.isEmpty() ? "" : ", at " + place)
              + " (event "
              + rank
              + ":"
              + event
              + "), "
              + failing.map(got -> verb + " " + got.words()).orElse("gets no message");
      return first
          + passing
              .filter(_ -> differs())
              .map(
                  got ->
                      failing.filter(own -> own.source() != got.source()).isPresent()
                          ? " before rank " + got.source() + "'s"
                          : " instead of " + got.words())
              .orElse("");
    }

    /** How far the message moved; empty if nobody knows. */
    public Optional<String> movedWords() {
      if (moved.isEmpty() || moved.getAsInt() == 0) {
        return Optional.empty();
      }
      int far = Math.abs(moved.getAsInt());
      return Optional.of(
          "the passing run takes that message "
              + far
              + (far == 1 ? " receive " : " receives ")
              + (moved.getAsInt() > 0 ? "later" : "earlier"));
    }
  }

  /** Tells the story of an execution that fails, beside one that passes if there is one. */
  public static FailureStory of(
      Execution failed,
      RunEvents lines,
      Optional<Execution> passed,
      Collection<Decision> cause,
      Collection<Decision> beginning) {
    Teller teller = new Teller(failed, lines, passed);
    List<Choice> rows = new ArrayList<>();
    Set<Integer> ranks = new TreeSet<>();
    beginning.forEach(decision -> ranks.add(decision.rank()));
    Set<Decision> shown = new LinkedHashSet<>();
    for (int rank : ranks) {
      shown.addAll(teller.ofRank(rank, beginning));
    }
    shown.forEach(decision -> rows.add(teller.choice(decision)));
    return new FailureStory(
        cause.stream().map(teller::choice).toList(),
        beginning.stream().map(teller::choice).toList(),
        rows);
  }

  private record Teller(Execution failed, RunEvents lines, Optional<Execution> passed) {
    /** The choices of a rank up to the last that counts, and one more, in its program order. */
    List<Decision> ofRank(int rank, Collection<Decision> beginning) {
      List<Decision> all = inProgramOrder(failed, rank);
      int last = 0;
      for (int i = 0; i < all.size(); i++) {
        if (beginning.contains(all.get(i))) {
          last = i;
        }
      }
      return all.subList(0, Math.min(all.size(), last + 2));
    }

    private static List<Decision> inProgramOrder(Execution execution, int rank) {
      return execution.choices().stream()
          .filter(each -> each.rank() == rank)
          .sorted(
              (a, b) -> Integer.compare(execution.event(a).orElse(0), execution.event(b).orElse(0)))
          .toList();
    }

    Choice choice(Decision decision) {
      EventTable events = failed.graph().events();
      int event = failed.event(decision).orElse(0);
      Optional<Got> here = got(failed, decision);
      return new Choice(
          decision.rank(),
          events.number(event),
          lines.call(events, event),
          lines.at(events, event).replaceFirst("^, at ", ""),
          lines.stack(events, event).places(),
          here,
          passed.flatMap(other -> got(other, decision)),
          here.isPresent() ? moved(decision, here.get()) : OptionalInt.empty());
    }

    private OptionalInt moved(Decision decision, Got message) {
      if (passed.isEmpty()) {
        return OptionalInt.empty();
      }
      List<Decision> order = inProgramOrder(passed.get(), decision.rank());
      for (int i = 0; i < order.size(); i++) {
        if (got(passed.get(), order.get(i)).filter(message::equals).isPresent()) {
          int own = inProgramOrder(failed, decision.rank()).indexOf(decision);
          return OptionalInt.of(i - own);
        }
      }
      return OptionalInt.empty();
    }

    private static Optional<Got> got(Execution execution, Decision decision) {
      OptionalInt event = execution.event(decision);
      Pairing pairing = execution.graph().pairing();
      EventTable events = execution.graph().events();
      if (event.isEmpty() || !takes(events.kind(event.getAsInt()))) {
        return Optional.empty();
      }
      int message = pairing.message(event.getAsInt());
      if (message < 0) {
        return Optional.empty();
      }
      int sent = pairing.send(message);
      return Optional.of(new Got(events.rank(sent), events.tag(sent), events.number(sent)));
    }

    private static boolean takes(EventKind kind) {
      return switch (kind) {
        case RECV, POST_RECV, PROBE, MPROBE -> true;
        default -> false;
      };
    }
  }

  /**
   * The same as a report, for the page of findings and for SARIF.
   *
   * @param subject the name of the failing run
   * @param ended how it ended, in words
   * @param notes what it rests on
   */
  public Report report(String subject, String ended, boolean anyPasses, List<String> notes) {
    List<Passage> passages = new ArrayList<>();
    for (Choice each : cause) {
      String words = each.words() + each.movedWords().map(moved -> "; " + moved).orElse("");
      passages.add(new Passage("It fails if " + words + ":", each.stack()));
    }
    List<Finding> findings =
        passages.isEmpty()
            ? List.of()
            : List.of(new Finding(Rule.FAILING_ORDER, 1, passages, List.of("It " + ended + ".")));
    return new Report(
        subject,
        findings,
        0,
        notes,
        new Report.Verdict(
            passages.isEmpty() ? "unexplained" : "explained", headline(anyPasses), List.of()));
  }

  /** The cause as one sentence, or the head of a list. */
  public String headline(boolean anyPasses) {
    if (cause.isEmpty()) {
      return anyPasses
          ? "It fails from the start of its order on; no smaller cause was found."
          : "No order that was tried passes: the order of messages is not the reason.";
    }
    if (cause.size() == 1) {
      Choice only = cause.getFirst();
      return "It fails if "
          + only.words()
          + only.movedWords().map(moved -> ": " + moved).orElse("")
          + ".";
    }
    return cause.stream()
        .map(each -> each.words() + each.movedWords().map(moved -> ": " + moved).orElse(""))
        .collect(Collectors.joining(";\n  ", "It fails if all of these come together:\n  ", "."));
  }
}
