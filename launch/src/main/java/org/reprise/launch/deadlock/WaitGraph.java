package org.reprise.launch.deadlock;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reprise.launch.deadlock.Stance.Finished;
import org.reprise.launch.deadlock.Stance.Moving;
import org.reprise.launch.deadlock.Stance.Waiting;
import org.reprise.launch.deadlock.Stance.Want;
import org.reprise.trace.Rank;
import org.reprise.trace.waits.RankWaits;

/**
 * Who waits for whom, with AND (MPI_Waitall, a barrier) and OR (MPI_Waitany, a receive from any
 * source), and who can never go on.
 *
 * <p>Ranks that move are live, and so is, step by step, whoever waits only for what live ranks may
 * still do, or for what is already under way: a message that was sent and not taken, a receive that
 * is open. Those that are left when nobody can be added are deadlocked; for OR this is the knot of
 * the graph (Holt 1972; Hilbrich et al. 2012, section III, for the conditions of MPI). A rank is
 * called deadlocked only if that is certain: where the library's protocol decides, or something is
 * not known, it counts as live. So a deadlock may be missed, and none is invented.
 */
public final class WaitGraph {
  private final NavigableMap<Rank, Stance> stances;
  private final IntUnaryOperator kind;
  private final Set<Rank> settled;
  private final Map<Rank, Map<RankWaits.Channel, Long>> onTheirWay = new LinkedHashMap<>();

  /**
   * The graph of these ranks.
   *
   * @param kind the same for calls that may meet in one collective: MPI_Bcast and MPI_Bcast_c
   * @param settled ranks that have looked for messages since everybody who waits or has finished
   *     came to a stop: what was sent to them has been matched with what they had begun
   */
  public WaitGraph(
      NavigableMap<Rank, ? extends Stance> stances, IntUnaryOperator kind, Set<Rank> settled) {
    this.kind = kind;
    this.settled = Set.copyOf(settled);
    this.stances = new TreeMap<>(stances);
    this.stances.forEach(
        (rank, stance) -> {
          if (stance instanceof Waiting(RankWaits known, _, _)) {
            onTheirWay.put(rank, onTheirWayTo(rank, known));
          }
        });
  }

  /** Whether no rank can go on: each has finished, or waits for what will never be. */
  public boolean isAtRest() {
    return live().isEmpty();
  }

  /** Those that may still do something. */
  private Set<Rank> live() {
    Set<Rank> live = new HashSet<>();
    stances.forEach(
        (rank, stance) -> {
          if (stance instanceof Moving) {
            live.add(rank);
          }
        });
    boolean grew = true;
    while (grew) {
      grew = false;
      for (Map.Entry<Rank, Stance> entry : stances.entrySet()) {
        if (entry.getValue() instanceof Waiting waiting
            && !live.contains(entry.getKey())
            && canGoOn(entry.getKey(), waiting, live)) {
          grew |= live.add(entry.getKey());
        }
      }
    }
    return live;
  }

  /** The ranks that can never go on, if there are any. */
  public Optional<Deadlock> deadlock() {
    Set<Rank> live = live();
    NavigableMap<Rank, NavigableSet<Rank>> dead = new TreeMap<>();
    stances.forEach(
        (rank, stance) -> {
          if (stance instanceof Waiting waiting && !live.contains(rank)) {
            dead.put(rank, blockers(rank, waiting, live));
          }
        });
    if (dead.isEmpty()) {
      return Optional.empty();
    }
    NavigableSet<Rank> finished = new TreeSet<>();
    dead.values()
        .forEach(
            ranks ->
                ranks.stream()
                    .filter(rank -> stances.get(rank) instanceof Finished)
                    .forEach(finished::add));
    return Optional.of(new Deadlock(dead, finished, cycle(dead)));
  }

  /** What would satisfy a want: nothing more has to happen, or one of these ranks, or all. */
  private record Need(boolean met, boolean all, NavigableSet<Rank> of) {
    static final Need NOTHING = new Need(true, false, new TreeSet<>());

    boolean canBeMet(Set<Rank> live) {
      return met || (all ? live.containsAll(of) : of.stream().anyMatch(live::contains));
    }
  }

  private boolean canGoOn(Rank rank, Waiting waiting, Set<Rank> live) {
    boolean anyMet = waiting.wants().isEmpty();
    for (Want want : waiting.wants()) {
      boolean met = need(rank, waiting.known(), want).canBeMet(live);
      boolean mayBeDone = want instanceof Want.Reception reception && reception.mayBeDone();
      if (!met && !waiting.any() && !mayBeDone) {
        return false;
      }
      anyMet |= met;
    }
    // Whoever waits has something that is not done; if all that can be met is none, that is stuck.
    return anyMet;
  }

  private NavigableSet<Rank> blockers(Rank rank, Waiting waiting, Set<Rank> live) {
    NavigableSet<Rank> blockers = new TreeSet<>();
    for (Want want : waiting.wants()) {
      Need need = need(rank, waiting.known(), want);
      if (!need.canBeMet(live)) {
        need.of().stream().filter(other -> !live.contains(other)).forEach(blockers::add);
      }
    }
    return blockers;
  }

  private Need need(Rank rank, RankWaits known, Want want) {
    return switch (want) {
      case Want.Message message -> need(rank, known, message);
      case Want.Reception reception -> need(rank, known, reception);
      case Want.Members members -> need(rank, known, members);
      case Want.Unknown() -> Need.NOTHING;
    };
  }

  /**
   * A message that was sent and not taken may be the one, unless receives before this one get it.
   * Where these leave open which messages they take, they have taken those of a rank that is
   * settled and still waits.
   */
  private Need need(Rank rank, RankWaits known, Want.Message want) {
    RankWaits.Comm comm = known.comms().get(want.comm());
    if (comm == null) {
      return Need.NOTHING;
    }
    Map<RankWaits.Channel, Long> arriving = onTheirWay.getOrDefault(rank, Map.of());
    long left = 0;
    Set<RankWaits.Receive> takers = new HashSet<>();
    for (Map.Entry<RankWaits.Channel, Long> entry : arriving.entrySet()) {
      RankWaits.Channel channel = entry.getKey();
      long more = entry.getValue() - before(known, want, channel);
      if (accepts(want.comm(), want.source(), want.tag(), channel) && more > 0) {
        left += more;
        known.open().stream()
            .filter(open -> open.post() < want.post() && !isOf(open, channel))
            .filter(open -> accepts(open.comm(), open.peer(), open.tag(), channel))
            .forEach(takers::add);
      }
    }
    if (left > 0 && !(settled.contains(rank) && left <= takers.size())) {
      return Need.NOTHING;
    }
    NavigableSet<Rank> senders = new TreeSet<>();
    for (int peer = 0; peer < comm.peers().size(); peer++) {
      if (want.source() < 0 || want.source() == peer) {
        senders.add(world(comm, peer));
      }
    }
    senders.remove(rank);
    return senders.stream().anyMatch(sender -> !stances.containsKey(sender))
        ? Need.NOTHING
        : new Need(false, false, senders);
  }

  /** Receives that were begun before and certainly take a message of this channel. */
  private static long before(RankWaits known, Want.Message want, RankWaits.Channel channel) {
    return known.open().stream()
        .filter(open -> open.post() < want.post() && isOf(open, channel))
        .count();
  }

  private static boolean isOf(RankWaits.Receive open, RankWaits.Channel channel) {
    return open.comm() == channel.comm()
        && open.peer() == channel.peer()
        && open.tag() == channel.tag();
  }

  private static boolean accepts(int comm, int source, int tag, RankWaits.Channel channel) {
    return comm == channel.comm()
        && (source < 0 || source == channel.peer())
        && (tag < 0 || tag == channel.tag());
  }

  /**
   * The receiver has too few open receives for this message and those of its channel before it. If
   * both are settled, receives that accept messages of others, too, have taken those.
   */
  private Need need(Rank rank, RankWaits known, Want.Reception want) {
    RankWaits.Comm comm = known.comms().get(want.comm());
    if (comm == null || want.destination() < 0 || want.destination() >= comm.peers().size()) {
      return Need.NOTHING;
    }
    Rank receiver = world(comm, want.destination());
    Stance stance = stances.get(receiver);
    Optional<RankWaits> there = known(stance);
    if (stance == null || receiver.equals(rank)) {
      return Need.NOTHING;
    }
    NavigableSet<Rank> one = new TreeSet<>(Set.of(receiver));
    if (there.isEmpty()) {
      return new Need(false, false, one);
    }
    RankWaits.Comm theirs = there.get().comms().get(want.comm());
    int me = theirs == null ? -1 : theirs.peers().indexOf(rank.number());
    if (me < 0) {
      return theirs == null ? new Need(false, false, one) : Need.NOTHING;
    }
    RankWaits.Channel here = new RankWaits.Channel(want.comm(), want.destination(), want.tag());
    RankWaits.Channel channel = new RankWaits.Channel(want.comm(), me, want.tag());
    long number = want.number() > 0 ? want.number() : known.sent().getOrDefault(here, 0L);
    long ahead = number - 1 - there.get().taken().getOrDefault(channel, 0L);
    boolean bothSettled = settled.contains(rank) && settled.contains(receiver);
    long receives =
        there.get().open().stream()
            .filter(open -> accepts(open.comm(), open.peer(), open.tag(), channel))
            .filter(open -> !bothSettled || isOf(open, channel))
            .count();
    if (stance instanceof Waiting(_, _, List<Want> wants)) {
      receives +=
          wants.stream()
              .filter(
                  other ->
                      other instanceof Want.Message(int c, int source, int tag, long post)
                          && post == Long.MAX_VALUE
                          && accepts(c, source, tag, channel))
              .count();
    }
    return ahead < receives ? Need.NOTHING : new Need(false, false, one);
  }

  /** Those who have not begun it; if all have, one that is in another collective never will. */
  private Need need(Rank rank, RankWaits known, Want.Members want) {
    RankWaits.Comm comm = known.comms().get(want.comm());
    if (comm == null || want.number() <= 0) {
      return Need.NOTHING;
    }
    NavigableSet<Rank> absent = new TreeSet<>();
    NavigableSet<Rank> elsewhere = new TreeSet<>();
    List<Integer> members = new ArrayList<>(comm.members());
    members.addAll(comm.remote());
    for (int world : members) {
      Rank member = new Rank(world);
      Stance stance = world < 0 ? null : stances.get(member);
      if (stance == null) {
        return Need.NOTHING;
      }
      RankWaits.Comm theirs = known(stance).map(w -> w.comms().get(want.comm())).orElse(null);
      if (member.equals(rank)) {
        continue;
      }
      if (theirs == null || theirs.collectives() < want.number()) {
        absent.add(member);
      } else if (want.call() >= 0
          && theirs.collectives() == want.number()
          && kind.applyAsInt(theirs.lastCall()) != kind.applyAsInt(want.call())) {
        elsewhere.add(member);
      }
    }
    if (absent.isEmpty() && elsewhere.isEmpty()) {
      return Need.NOTHING;
    }
    absent.addAll(elsewhere);
    return new Need(false, want.all(), absent);
  }

  private static Rank world(RankWaits.Comm comm, int peer) {
    int world = comm.peers().get(peer);
    return new Rank(Math.max(world, 0));
  }

  private static Optional<RankWaits> known(@Nullable Stance stance) {
    return switch (stance) {
      case Waiting(RankWaits known, _, _) -> Optional.of(known);
      case Finished(RankWaits known) -> Optional.of(known);
      case Moving() -> Optional.empty();
      case null -> Optional.empty();
    };
  }

  /** Messages to a rank that were sent and not taken, by channel as the receiver names it. */
  private Map<RankWaits.Channel, Long> onTheirWayTo(Rank receiver, RankWaits known) {
    Map<RankWaits.Channel, Long> arriving = new LinkedHashMap<>();
    stances.forEach(
        (sender, stance) ->
            known(stance)
                .ifPresent(
                    theirs ->
                        theirs
                            .sent()
                            .forEach(
                                (channel, count) ->
                                    addArriving(
                                        arriving, receiver, known, sender, theirs, channel,
                                        count))));
    known
        .taken()
        .forEach((channel, count) -> arriving.computeIfPresent(channel, (_, n) -> n - count));
    return arriving;
  }

  private static void addArriving(
      Map<RankWaits.Channel, Long> arriving,
      Rank receiver,
      RankWaits known,
      Rank sender,
      RankWaits theirs,
      RankWaits.Channel channel,
      long count) {
    RankWaits.Comm sending = theirs.comms().get(channel.comm());
    RankWaits.Comm receiving = known.comms().get(channel.comm());
    if (sending == null
        || receiving == null
        || channel.peer() < 0
        || channel.peer() >= sending.peers().size()
        || sending.peers().get(channel.peer()) != receiver.number()) {
      return;
    }
    int source = receiving.peers().indexOf(sender.number());
    if (source >= 0) {
      arriving.merge(
          new RankWaits.Channel(channel.comm(), source, channel.tag()), count, Long::sum);
    }
  }

  /** From each rank to the first that blocks it, until one comes up again. */
  private static List<Rank> cycle(NavigableMap<Rank, NavigableSet<Rank>> dead) {
    for (Rank start : dead.keySet()) {
      List<Rank> way = new ArrayList<>();
      @Nullable Rank at = start;
      while (at != null && !way.contains(at)) {
        way.add(at);
        at =
            dead.getOrDefault(at, new TreeSet<>()).stream()
                .filter(dead::containsKey)
                .findFirst()
                .orElse(null);
      }
      if (at != null) {
        return way.subList(way.indexOf(at), way.size());
      }
    }
    return List.of();
  }
}
