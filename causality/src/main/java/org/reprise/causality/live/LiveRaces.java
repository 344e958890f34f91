package org.reprise.causality.live;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.reprise.causality.races.RaceScan;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.EventCursor;

/**
 * Finds races while a run goes on: the events of its ranks go in as they become available, those of
 * each rank in their order, and each race comes out when it is certain. The answers are those of
 * {@link RaceScan} on the whole run. Netzer and Miller (1992, section 3.3) compare a message, when
 * it is received, with the last receive before; here it is compared when it is sent, with all
 * receives that wait for the next message of its sender, so that a message nobody takes counts,
 * too.
 *
 * <p>Kept are calls that wait for others, messages under way, and the receives that a message to
 * come may race with. Of these it only matters whether their end can be known to its sender, and
 * there are only as many different answers as there are states of knowledge about the receiver
 * among the other ranks and messages under way: so they are counted, and not kept one by one.
 */
public final class LiveRaces {
  /** So many receives of a rank may keep those before them in mind. */
  private static final int CHAINED_MAX = 4096;

  private static final int PATTERNS_FEW = 64;

  /** Fewer receives than these that wait for a message are kept one by one. */
  private static final int WAITING_FEW = 1024;

  /** What is not followed in a run under way; races may be missed or told wrongly. */
  public enum Limit {
    /** A communicator allows messages to overtake each other. */
    OVERTAKING,
    /** The program asked to cancel a send. */
    SEND_CANCELLED,
    /** The events contradict each other. */
    CONTRADICTION
  }

  private final LiveRank[] ranks;
  private final LiveSink sink;
  private final RaceTest[] tests;
  private final Reading reading;
  private final Pass pass;

  /** By rank: its patterns of wildcard receives, by communicator and tag. */
  private final List<Map<Long, Candidates>> candidates = new ArrayList<>();

  private final BitSet toScan = new BitSet();
  private int patternsKept = PATTERNS_FEW;
  private int patterns;
  private final int few;

  public LiveRaces(int count, LiveSink sink) {
    this(count, sink, WAITING_FEW);
  }

  LiveRaces(int count, LiveSink sink, int few) {
    this.sink = sink;
    this.few = few;
    ranks = new LiveRank[count];
    tests = new RaceTest[count];
    Arrays.setAll(ranks, rank -> new LiveRank(rank, count));
    Arrays.setAll(tests, rank -> new RaceTest(rank, sink));
    for (int rank = 0; rank < count; rank++) {
      candidates.add(new HashMap<>());
    }
    reading = new Reading(ranks, new Progress());
    pass = new Pass(ranks, new Passed());
  }

  /** The event under a cursor. Nothing is told before {@link #advance}. */
  public void read(EventCursor cursor) {
    reading.read(cursor);
  }

  /** Goes on as far as what was read allows. */
  public void advance() {
    pass.run();
    scanAll();
    compact();
  }

  /** No more events come: tells what is left to tell. */
  public void finish() {
    advance();
    reading.finish();
    pass.finish();
    advance();
    for (Map<Long, Candidates> here : candidates) {
      here.values().forEach(each -> each.tellUncertain(sink));
    }
  }

  /** What is not followed of this run. */
  public Set<Limit> limits() {
    Set<Limit> limits = EnumSet.copyOf(reading.limits());
    if (reading.isFinished() && Arrays.stream(ranks).anyMatch(rank -> !rank.calls.isEmpty())) {
      limits.add(Limit.CONTRADICTION);
    }
    return limits;
  }

  /** How many events were read that could not be ordered yet. */
  public long waiting() {
    return Arrays.stream(ranks).mapToLong(rank -> rank.calls.size()).sum();
  }

  /** How many events of a rank were read that could not be ordered yet. */
  public int waiting(int rank) {
    return ranks[rank].calls.size();
  }

  /** How many things are kept in mind. */
  public long kept() {
    long kept = waiting();
    for (LiveRank rank : ranks) {
      kept += rank.open.size() + rank.toScan.size() + rank.chained.size();
    }
    for (Lane lane : reading.lanes()) {
      kept += lane.messages.size();
    }
    for (Map<Long, Candidates> here : candidates) {
      for (Candidates each : here.values()) {
        kept += 1 + each.size();
      }
    }
    return kept;
  }

  /** What becomes known as events are read. */
  private final class Progress implements Reading.Listener {
    @Override
    public void read(int rank, Call call) {
      ranks[rank].calls.addLast(call);
      pass.wake(rank);
    }

    @Override
    public void posted(Receive receive) {
      candidatesFor(receive).post(receive);
      ranks[receive.rank].unscanned++;
    }

    @Override
    public void settled(Receive receive) {
      Message message = receive.message;
      LiveRank rank = ranks[receive.rank];
      if (receive.ambiguous) {
        if (!receive.isProbe()) {
          tests[receive.rank].doubt(receive);
        }
        if (receive.isWild()) {
          sink.uncertain(receive.rank, receive.number, receive.site);
        }
      }
      if (receive.cancelled) {
        rank.cancelled.addLast(receive);
      }
      if (message != null && !receive.isProbe()) {
        trim(message);
      }
      if (message == null && receive.isWild()) {
        candidatesFor(receive).drop(receive);
        rank.unscanned--;
      }
      if (message != null && message.synchronous) {
        pass.wake(message.source);
      }
      pass.wake(receive.rank);
    }
  }

  /** What becomes known as calls are passed. */
  private final class Passed implements Pass.Listener {
    @Override
    public void entered(Message message) {
      Map<Long, Candidates> here = candidates.get(message.destination);
      if (!here.isEmpty()) {
        arrive(here.get(key(message.comm, message.tag)), message);
        arrive(here.get(key(message.comm, Receive.ANY)), message);
      }
    }

    @Override
    public void passed(Receive receive) {
      LiveRank rank = ranks[receive.rank];
      if (receive.isWild() && receive.message != null) {
        rank.toScan.add(receive);
        toScan.set(rank.number);
      }
      if (!receive.predecessors.isEmpty()) {
        rank.chained.addLast(receive);
        while (rank.chained.size() > CHAINED_MAX) {
          rank.chained.removeFirst().predecessors = List.of();
        }
      }
    }
  }

  private static void arrive(@Nullable Candidates to, Message message) {
    if (to != null) {
      to.arrive(message);
    }
  }

  private static long key(int comm, int tag) {
    return (long) comm << 32 | (tag + 1) & 0xffff_ffffL;
  }

  private void trim(Message message) {
    Map<Long, Candidates> here = candidates.get(message.destination);
    if (!here.isEmpty()) {
      Candidates tagged = here.get(key(message.comm, message.tag));
      if (tagged != null) {
        tagged.trim(message.source);
      }
      Candidates any = here.get(key(message.comm, Receive.ANY));
      if (any != null) {
        any.trim(message.source);
      }
    }
  }

  private Candidates candidatesFor(Receive receive) {
    Map<Long, Candidates> here = candidates.get(receive.rank);
    long key = key(receive.comm, receive.tag);
    Candidates known = here.get(key);
    if (known != null) {
      return known;
    }
    Communicator comm = reading.communicators().get(receive.comm);
    BitSet senders = new BitSet();
    for (int world : comm.group().toArray()) {
      senders.set(world);
    }
    for (int world : comm.remote().toArray()) {
      senders.set(world);
    }
    Candidates fresh = new Candidates(tests[receive.rank], ranks.length, senders, few);
    here.put(key, fresh);
    patterns++;
    for (Message message : reading.untaken(receive.rank, receive.comm)) {
      if (message.entered && (receive.tag == Receive.ANY || receive.tag == message.tag)) {
        fresh.arrive(message);
      }
    }
    return fresh;
  }

  /** Looks at the receives of which all is known that bears on them. */
  private void scanAll() {
    for (int r = toScan.nextSetBit(0); r >= 0; r = toScan.nextSetBit(r + 1)) {
      LiveRank rank = ranks[r];
      rank.toScan.removeIf(this::scan);
      if (rank.toScan.isEmpty()) {
        toScan.clear(r);
      }
      if (rank.unscanned == 0) {
        rank.cancelled.clear();
      }
    }
  }

  private boolean scan(Receive receive) {
    if (receive.message == null || !receive.message.entered) {
      return false;
    }
    List<Earlier> earlier = new ArrayList<>(0);
    for (Receive open : receive.open) {
      Receive each = open;
      while (each != null && each.cancelled) {
        each = each.previous;
      }
      if (each == null || each.completion <= receive.number) {
        continue;
      }
      if (!each.settled || !isMatchKnown(each)) {
        return false;
      }
      earlier.add(earlier(each, true));
    }
    for (Receive each : receive.allOpen) {
      if (!each.settled || !isMatchKnown(each)) {
        return false;
      }
      if (!each.cancelled) {
        earlier.add(earlier(each, false));
      }
    }
    for (Receive each : ranks[receive.rank].cancelled) {
      boolean later = each.cancel > receive.seen && each.cancel != Receive.NEVER;
      if (later && each.number < receive.number && each.overlaps(receive)) {
        earlier.add(earlier(each, false));
      }
    }
    receive.earlier = earlier;
    receive.open = List.of();
    receive.allOpen = List.of();
    receive.isPlain =
        earlier.isEmpty()
            && receive.tellers.isEmpty()
            && (!receive.isPosted()
                || receive.completion != Receive.NEVER
                    && reading.postings(receive.rank, receive.comm).firstUnsettled()
                        > receive.completion);
    candidatesFor(receive).scan(receive);
    ranks[receive.rank].unscanned--;
    return true;
  }

  private static boolean isMatchKnown(Receive receive) {
    if (receive.absorbed || receive.message == null) {
      return true;
    }
    List<Receive> closure = receive.closure(false);
    for (Receive each : closure) {
      Message message = each.message;
      if (message == null || !message.entered) {
        return false;
      }
    }
    Pass.noteMatches(closure);
    return true;
  }

  private static Earlier earlier(Receive receive, boolean last) {
    Message message = receive.message;
    return new Earlier(
        receive.number,
        receive.source,
        receive.tag,
        receive.cancelled ? receive.cancel : Receive.NEVER,
        message == null ? -1 : message.number,
        receive.tookSource,
        last,
        receive.ambiguous || receive.unknown,
        receive.knownAtMatch,
        receive.posted,
        receive.matched);
  }

  private void compact() {
    for (LiveRank rank : ranks) {
      Map<Long, Candidates> here = candidates.get(rank.number);
      if (here.values().stream().anyMatch(Candidates::isLarge)) {
        compact(rank.number, here.values(), false);
      }
    }
    if (patterns > 2 * patternsKept) {
      patterns = 0;
      for (LiveRank rank : ranks) {
        Map<Long, Candidates> here = candidates.get(rank.number);
        compact(rank.number, here.values(), true);
        here.values().removeIf(Candidates::isIdle);
        patterns += here.size();
      }
      patternsKept = Math.max(PATTERNS_FEW, patterns);
    }
  }

  private void compact(int rank, Iterable<Candidates> here, boolean all) {
    int[] knows = new int[ranks.length];
    Arrays.setAll(knows, source -> source == rank ? ranks[rank].begun : ranks[source].known(rank));
    int[] levels = levels(rank);
    for (Candidates each : here) {
      if (all || each.isLarge()) {
        each.compact(knows, levels);
      }
    }
  }

  /** What somebody knows of a rank who may pass it on, in rising order. */
  private int[] levels(int of) {
    Set<Integer> levels = new TreeSet<>();
    for (LiveRank rank : ranks) {
      levels.add(rank.known(of));
      for (Call call : rank.calls) {
        if (call.message != null) {
          add(call.message, of, levels);
        }
        if (call.receive != null) {
          add(call.receive, of, levels);
        }
      }
    }
    for (Lane lane : reading.lanes()) {
      lane.messages.forEach(message -> add(message, of, levels));
    }
    for (Gathering gathering : reading.gatherings()) {
      gathering.brought(of, levels::add);
    }
    return levels.stream().mapToInt(Integer::intValue).toArray();
  }

  private static void add(Receive receive, int of, Set<Integer> levels) {
    if (receive.entered) {
      levels.add(receive.rank == of ? receive.number + 1 : receive.posted[of]);
    }
    for (Receive each : receive.closure(false)) {
      if (each.message != null) {
        add(each.message, of, levels);
      }
    }
  }

  private static void add(Message message, int of, Set<Integer> levels) {
    addSent(message, of, levels);
    Receive taker = message.taker;
    if (taker != null && taker.entered) {
      levels.add(taker.rank == of ? taker.number + 1 : taker.posted[of]);
      taker.matched.forEach(matched -> addSent(matched, of, levels));
    }
  }

  private static void addSent(Message message, int of, Set<Integer> levels) {
    if (message.entered) {
      levels.add(message.source == of ? message.number + 1 : message.sent[of]);
    }
  }
}
