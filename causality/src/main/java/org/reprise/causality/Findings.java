package org.reprise.causality;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.reprise.trace.EventFlag;
import org.reprise.trace.EventKind;

/** Groups what races by kind and call site: a line that races 10,000 times is one finding. */
public final class Findings {
  private static final int SENDERS_MAX = 16;

  private final EventGraph graph;
  private final EventTable events;
  private final Pairing pairing;
  private final Site sites;
  private final Map<Long, Group> groups = new HashMap<>();

  private Findings(EventGraph graph, Site sites) {
    this.graph = graph;
    events = graph.events();
    pairing = graph.pairing();
    this.sites = sites;
  }

  private static final class Group {
    private final Finding.Kind kind;
    private final int site;
    private final TreeSet<Integer> ranks = new TreeSet<>();
    private final TreeSet<Integer> senders = new TreeSet<>();
    private final Finding.Example example;
    private long count;
    private long alternatives;
    private long controlled;
    private long blocks;
    private boolean unreceived;
    private int lastRank = EventTable.NONE;
    private int lastSource = EventTable.NONE;

    Group(Finding.Kind kind, int site, Finding.Example example) {
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

    Finding finding() {
      return new Finding(
          kind,
          site,
          count,
          alternatives,
          controlled,
          blocks,
          List.copyOf(ranks),
          List.copyOf(senders),
          unreceived,
          example);
    }
  }

  /** The findings of a run, the most frequent first. */
  public static List<Finding> of(Races races, Races controlSet, Site sites) {
    Findings findings = new Findings(races.graph(), sites);
    for (int i = 0; i < races.size(); i++) {
      findings.add(races, i, controlSet);
    }
    for (int receive : races.uncertain()) {
      findings.addUncertain(receive);
    }
    List<Finding> all = new ArrayList<>();
    findings.groups.values().forEach(group -> all.add(group.finding()));
    all.sort(
        Comparator.comparing(Finding::kind)
            .thenComparing(Comparator.comparingLong(Finding::count).reversed())
            .thenComparingInt(Finding::site));
    return all;
  }

  private void add(Races races, int index, Races controlSet) {
    int receive = races.receive(index);
    int[] others = races.shown(index);
    int took = pairing.send(pairing.message(receive));
    int rank = events.rank(receive);
    Group group = group(kind(receive), receive, took, pairing.send(others[0]));
    group.count++;
    group.alternatives += races.alternatives(index);
    if (controlSet.contains(receive)) {
      group.control(rank, events.rank(took));
    }
    group.ranks.add(rank);
    if (group.senders.size() < SENDERS_MAX) {
      group.senders.add(site(took));
      for (int other : others) {
        group.senders.add(site(pairing.send(other)));
      }
    }
    for (int other : others) {
      group.unreceived |= pairing.receive(other) == Pairing.NONE;
    }
  }

  private void addUncertain(int receive) {
    Group group = group(Finding.Kind.UNCERTAIN, receive, EventTable.NONE, EventTable.NONE);
    group.count++;
    group.ranks.add(events.rank(receive));
  }

  private Group group(Finding.Kind kind, int receive, int took, int other) {
    int site = site(receive);
    long key = (long) kind.ordinal() << 32 | site;
    Group known = groups.get(key);
    if (known == null) {
      int completion = MatchOrder.completion(events, receive);
      int seen = completion == Integer.MAX_VALUE ? EventTable.NONE : completion;
      known = new Group(kind, site, new Finding.Example(receive, seen, took, other));
      groups.put(key, known);
    }
    return known;
  }

  private int site(int event) {
    return sites.of(events.rank(event), events.site(event));
  }

  /** What a racing receive or probe is to the user. */
  private Finding.Kind kind(int receive) {
    EventKind kind = events.kind(receive);
    if (kind == EventKind.PROBE || kind == EventKind.MPROBE) {
      return graph.events().is(receive, EventFlag.POLL) ? Finding.Kind.POLL : Finding.Kind.PROBE;
    }
    return Finding.Kind.RECEIVE;
  }
}
