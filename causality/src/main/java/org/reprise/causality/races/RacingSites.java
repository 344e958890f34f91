package org.reprise.causality.races;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.MatchOrder;
import org.reprise.causality.Pairing;
import org.reprise.causality.columns.LongIntMap;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * Groups what races by kind and call site while it is found: a line that races 10,000 times is one
 * finding, and takes the memory of one.
 */
public final class RacingSites implements RaceScan.Sink {
  private static final int SENDERS_MAX = 16;
  private static final int SHOWN_OF_EACH = 4;

  private final EventTable events;
  private final Pairing pairing;
  private final Races controlSet;
  private final Site sites;

  /** By rank and call site there: the site in the program. */
  private final LongIntMap siteOf = new LongIntMap();

  private final LongIntMap groupOf = new LongIntMap();
  private final List<Group> groups = new ArrayList<>();

  private RacingSites(EventGraph graph, Races controlSet, Site sites) {
    events = graph.events();
    pairing = graph.pairing();
    this.controlSet = controlSet;
    this.sites = sites;
  }

  private static final class Group {
    private final RacingSite.Kind kind;
    private final int site;
    private final BitSet ranks = new BitSet();
    private final BitSet senders = new BitSet();
    private final RacingSite.Example example;
    private long count;
    private long alternatives;
    private long controlled;
    private long blocks;
    private boolean unreceived;
    private int lastRank = EventTable.NONE;
    private int lastSource = EventTable.NONE;

    Group(RacingSite.Kind kind, int site, RacingSite.Example example) {
      this.kind = kind;
      this.site = site;
      this.example = example;
    }

    /** One that a replay must force. */
    void control(int rank, int source) {
      controlled++;
      if (lastRank != rank || lastSource != source) {
        blocks++;
        lastRank = rank;
        lastSource = source;
      }
    }

    RacingSite finding() {
      return new RacingSite(
          kind,
          site,
          count,
          alternatives,
          controlled,
          blocks,
          ranks.stream().boxed().toList(),
          senders.stream().boxed().toList(),
          unreceived,
          example);
    }
  }

  /** The findings of a run, the most frequent first. */
  public static List<RacingSite> of(EventGraph graph, Races controlSet, Site sites) {
    RacingSites findings = new RacingSites(graph, controlSet, sites);
    new RaceScan(graph, MatchOrder.Patterns.AS_POSTED, findings).run();
    return findings.groups.stream()
        .map(Group::finding)
        .sorted(
            Comparator.comparing(RacingSite::kind)
                .thenComparing(Comparator.comparingLong(RacingSite::count).reversed())
                .thenComparingInt(RacingSite::site))
        .toList();
  }

  @Override
  public int shown() {
    return SHOWN_OF_EACH;
  }

  @Override
  public void race(int receive, long alternatives, int[] others, int count) {
    int took = pairing.send(pairing.message(receive));
    int rank = events.rank(receive);
    Group group = group(kind(receive), receive, took, pairing.send(others[0]));
    group.count++;
    group.alternatives += alternatives;
    if (controlSet.contains(receive)) {
      group.control(rank, events.rank(took));
    }
    group.ranks.set(rank);
    boolean more = group.senders.cardinality() < SENDERS_MAX;
    if (more) {
      group.senders.set(site(took));
    }
    for (int i = 0; i < count; i++) {
      if (more) {
        group.senders.set(site(pairing.send(others[i])));
      }
      group.unreceived |= pairing.receive(others[i]) == Pairing.NONE;
    }
  }

  @Override
  public void uncertain(int receive) {
    Group group = group(RacingSite.Kind.UNCERTAIN, receive, EventTable.NONE, EventTable.NONE);
    group.count++;
    group.ranks.set(events.rank(receive));
  }

  private Group group(RacingSite.Kind kind, int receive, int took, int other) {
    int site = site(receive);
    int known = groupOf.putIfAbsent((long) kind.ordinal() << 32 | site, groups.size());
    if (known == groups.size()) {
      int completion = MatchOrder.completion(events, receive);
      int seen = completion == Integer.MAX_VALUE ? EventTable.NONE : completion;
      groups.add(new Group(kind, site, new RacingSite.Example(receive, seen, took, other)));
    }
    return groups.get(known);
  }

  private int site(int event) {
    int rank = events.rank(event);
    long key = (long) rank << 32 | events.site(event);
    int site = siteOf.get(key);
    if (site == LongIntMap.ABSENT) {
      site = sites.of(rank, events.site(event));
      siteOf.put(key, site);
    }
    return site;
  }

  /** What a racing receive or probe is to the user. */
  private RacingSite.Kind kind(int receive) {
    EventKind kind = events.kind(receive);
    if (kind == EventKind.PROBE || kind == EventKind.MPROBE) {
      return events.is(receive, EventFlag.POLL) ? RacingSite.Kind.POLL : RacingSite.Kind.PROBE;
    }
    return RacingSite.Kind.RECEIVE;
  }
}
