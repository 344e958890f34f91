package org.reprise.ranks.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.DeadlockSearch;
import org.reprise.ranks.engine.Decision;
import org.reprise.ranks.engine.Machine;
import org.reprise.ranks.engine.Matching;
import org.reprise.ranks.engine.Message;
import org.reprise.ranks.engine.Observer;
import org.reprise.ranks.engine.Pending;
import org.reprise.ranks.engine.PendingReceive;
import org.reprise.ranks.engine.PendingSend;
import org.reprise.ranks.engine.Rank;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.inputs.SeededInputs;

/**
 * Ranks run one at a time, each until it waits, and then the next. Only when none can run by itself
 * is something decided: the scheduler picks one event of all that may happen. So what is left open
 * is decided as late as can be, when everything that could have happened before has happened, and
 * no choice is missed because a rank was slow.
 *
 * <p>A rank that waits hands over to the next one itself; nothing here is ever touched by two
 * threads at a time.
 *
 * <p>Polls: the same poll of a rank may fail so often, and no more until another call of that rank
 * has come to something; then it is held until it can succeed. Where nothing else can happen the
 * polls that are held fail all together, and if that goes on without end the ranks are polling in
 * vain, which is a deadlock. So an execution always ends if the program's own loops do.
 */
public final class SerialMachine extends Machine {
  /** So often the same poll may fail before it is held. */
  public static final int FAILURES_MAX = 1;

  /** So often all held polls may fail together, with nothing else happening in between. */
  private static final int VAIN_ROUNDS_MAX = 20_000;

  /** What passes on clocks in such a round: programs poll until a time has come. */
  private static final long VAIN_ROUND_NANOS = 10_000_000;

  /** Up to so many ranks, assertions hold what is kept of the events against the whole. */
  private static final int CHECKED_RANKS = 8;

  /** What the machine knows of a rank besides. */
  private static final class Seat {
    /** In the queue of those that can run, or running. */
    boolean canRun = true;

    /** Whether its call comes to what the scheduler says. */
    boolean asks;

    @Nullable Decision decision;

    /** How often each poll has failed in a row. */
    final Map<List<Object>, Integer> failures = new HashMap<>();
  }

  private final Scheduler scheduler;
  private final int failuresMax;
  private final Seat[] seats;
  private final int[] runnable;
  private int runnableCount;
  private final Agenda agenda;
  private int left;
  private long progress;
  private long progressAtVainRound = -1;
  private int vainRounds;
  private boolean heldPolls;
  private boolean cutShort;
  private boolean stopped;
  private final OneByOne threads = new OneByOne();

  public SerialMachine(
      int count, boolean syncSends, @Nullable Observer observer, Scheduler scheduler) {
    this(count, syncSends, observer, scheduler, FAILURES_MAX);
  }

  public SerialMachine(
      int count,
      boolean syncSends,
      @Nullable Observer observer,
      Scheduler scheduler,
      int failuresMax) {
    super(count, syncSends, observer);
    this.scheduler = scheduler;
    this.failuresMax = failuresMax;
    this.seats = new Seat[count];
    this.agenda = new Agenda(count);
    this.runnable = new int[count];
    for (int i = 0; i < count; i++) {
      seats[i] = new Seat();
      runnable[i] = i;
    }
    this.runnableCount = count;
    this.left = count;
  }

  /** Whether the scheduler ended the job. */
  public boolean wasStopped() {
    return stopped;
  }

  /** Whether a poll was held because it had failed often enough. */
  public boolean heldPolls() {
    return heldPolls;
  }

  /** Whether a call had more outcomes than could be offered. */
  public boolean wasCutShort() {
    return cutShort;
  }

  @Override
  public void run(RankThread thread) {
    for (Rank rank : ranks) {
      rank.main.thread = threads.thread(() -> live(rank, thread));
    }
    Rank first = pick();
    if (first != null) {
      handOver(first);
      threads.drive();
    }
  }

  private void live(Rank rank, RankThread thread) {
    try {
      thread.run(rank);
    } finally {
      left--;
      progress++;
      rank.main.wait = null;
      agenda.changed(rank.number);
      Rank next = pick();
      if (next == null) {
        threads.stop();
      } else {
        handOver(next);
      }
    }
  }

  private static void handOver(Rank rank) {
    Thread thread = rank.main.thread;
    if (thread != null && thread.getState() == Thread.State.NEW) {
      thread.start();
    } else {
      rank.main.raise();
      rank.main.unpark();
    }
  }

  @Override
  public boolean matchesAtOnce() {
    return false;
  }

  @Override
  public boolean threadsMayCall() {
    return false;
  }

  @Override
  public void checkThread(Rank rank) {
    throw new FabricError(
        FabricError.Kind.THREAD,
        "a thread of its own called MPI in rank "
            + rank.number
            + ": which of a rank's threads comes first cannot be drawn from a seed or enumerated;"
            + " run or record the program without --seed");
  }

  @Override
  public void await(Rank rank, Wait wait) {
    Seat seat = seats[rank.number];
    rank.main.wait = wait;
    while (!wait.isOver()) {
      checkRunning();
      giveWay(rank, seat);
    }
    waitsNoMore(rank, wait);
    seat.failures.clear();
  }

  /** What its sends made wanted is so no longer, if it waited for one of them only. */
  private void waitsNoMore(Rank rank, Wait wait) {
    rank.main.wait = null;
    receiversChange(wait);
  }

  /** Who waits for a send of its own makes choices of its receiver's wanted. */
  private void receiversChange(@Nullable Wait wait) {
    if (wait instanceof Wait.ForOperations waits) {
      for (Pending operation : waits.operations) {
        if (operation instanceof PendingSend send && !send.done) {
          agenda.changed(send.dest);
        }
      }
    }
  }

  @Override
  public Decision decide(Rank rank, Wait wait) {
    Seat seat = seats[rank.number];
    rank.main.wait = wait;
    seat.asks = true;
    seat.decision = null;
    Decision decision = null;
    while (decision == null) {
      checkRunning();
      giveWay(rank, seat);
      decision = seat.decision;
    }
    seat.asks = false;
    waitsNoMore(rank, wait);
    if (decision == Decision.FAILS) {
      seat.failures.merge(poll(wait), 1, Integer::sum);
    } else {
      seat.failures.clear();
    }
    return decision;
  }

  /** What makes two polls of a rank the same one. */
  private static List<Object> poll(Wait wait) {
    List<Object> poll = new ArrayList<>();
    poll.add(wait.call);
    switch (wait) {
      case Wait.ForMessage probe -> {
        poll.add(probe.comm.id());
        poll.add(probe.source);
        poll.add(probe.tag);
      }
      case Wait.ForOperations completion -> {
        for (Pending operation : completion.operations) {
          poll.add(operation == null ? -1L : operation.post);
        }
      }
      case Wait.ForRound _ -> {}
    }
    return poll;
  }

  private void giveWay(Rank rank, Seat seat) {
    seat.canRun = false;
    agenda.changed(rank.number);
    receiversChange(rank.main.wait);
    rank.fabric().journal().waits();
    rank.main.layDown();
    Rank next = pick();
    if (next == rank) {
      rank.main.raise();
      return;
    }
    if (next == null) {
      throw new IllegalStateException("rank " + rank.number + " waits, and nobody was found");
    }
    handOver(next);
    while (rank.main.isAsleep()) {
      LockSupport.park(this);
    }
  }

  /** Who goes on; null if all have ended. */
  private @Nullable Rank pick() {
    if (interrupted) {
      end(new Ending(null, 1, false));
    }
    while (runnableCount == 0) {
      if (left == 0) {
        return null;
      }
      decideSomething();
    }
    int chosen = scheduler.next(runnableCount);
    int number = runnable[chosen];
    // The order of the others stays: it is what "next" counts by.
    System.arraycopy(runnable, chosen + 1, runnable, chosen, --runnableCount - chosen);
    return ranks[number];
  }

  private void canRun(Rank rank) {
    Seat seat = seats[rank.number];
    if (!seat.canRun) {
      seat.canRun = true;
      runnable[runnableCount++] = rank.number;
    }
  }

  private void decideSomething() {
    agenda.refresh(this::events);
    assert ranks.length > CHECKED_RANKS || agenda.equals(eventsOfAll());
    if (!agenda.isEmpty()) {
      int chosen = scheduler.choose(agenda);
      if (chosen == Scheduler.STOP) {
        stopped = true;
        end(new Ending(null, 0, false));
      } else {
        happen(agenda.get(chosen));
      }
    } else if (!failTogether()) {
      end(new Ending(DeadlockSearch.in(ranks), 1, false));
    }
  }

  /** Whatever changes them says so to the agenda. */
  private EventList events(int number) {
    EventList events = new EventList();
    Rank rank = ranks[number];
    Seat seat = seats[number];
    Wait wait = rank.main.wait;
    if (!seat.canRun || rank.end != null) {
      boolean mayFail = wait != null && seat.asks && mayFail(seat, wait);
      Choices.add(rank, wait, seat.asks, mayFail, events);
    }
    cutShort |= events.isCutShort();
    return events;
  }

  /** As they would be if all ranks were asked again. */
  private List<Event> eventsOfAll() {
    List<Event> all = new ArrayList<>();
    for (Rank rank : ranks) {
      all.addAll(events(rank.number));
    }
    return all;
  }

  private boolean mayFail(Seat seat, Wait wait) {
    if (isPoll(wait) && seat.failures.getOrDefault(poll(wait), 0) >= failuresMax) {
      heldPolls = true;
      return false;
    }
    return true;
  }

  private static boolean isPoll(Wait wait) {
    return switch (wait.call) {
      case IPROBE, TEST, TESTALL, TESTANY, TESTSOME -> true;
      default -> false;
    };
  }

  private void happen(Event event) {
    Rank rank = ranks[event.rank()];
    progress++;
    vainRounds = 0;
    for (Matching.Pair pair : event.matches) {
      match(rank, pair);
    }
    settle(rank);
    Decision decision = event.decision;
    Wait wait = rank.main.wait;
    if (decision != null) {
      if (wait instanceof Wait.ForOperations cancel
          && cancel.call == MpiCall.CANCEL
          && cancel.operations[0] instanceof PendingReceive receive
          && List.of().equals(decision.indices())) {
        withdraw(receive);
        settle(rank);
      }
      seats[rank.number].decision = decision;
      canRun(rank);
    }
    agenda.changed(rank.number);
  }

  private void settle(Rank rank) {
    for (Matching.Pair pair = Matching.settled(rank.mailbox);
        pair != null;
        pair = Matching.settled(rank.mailbox)) {
      match(rank, pair);
    }
  }

  private void match(Rank rank, Matching.Pair pair) {
    rank.mailbox.remove(pair.receive());
    rank.mailbox.remove(pair.message());
    deliver(pair.message(), pair.receive());
  }

  /**
   * All polls fail that have nothing to find; false if there are none, or that went on for long.
   */
  private boolean failTogether() {
    if (progress != progressAtVainRound) {
      vainRounds = 0;
    }
    if (++vainRounds > VAIN_ROUNDS_MAX) {
      return false;
    }
    boolean any = false;
    for (Rank rank : ranks) {
      Seat seat = seats[rank.number];
      Wait wait = rank.main.wait;
      if (seat.asks && !seat.canRun && wait != null && isPoll(wait)) {
        seat.decision = Decision.FAILS;
        if (rank.fabric().inputs() instanceof SeededInputs clock) {
          clock.pass(VAIN_ROUND_NANOS);
        }
        canRun(rank);
        any = true;
      }
    }
    progressAtVainRound = progress;
    return any;
  }

  @Override
  protected void wake(Rank rank) {
    Seat seat = seats[rank.number];
    Wait wait = rank.main.wait;
    progress++;
    agenda.changed(rank.number);
    if (!seat.canRun && wait != null && !seat.asks && wait.isOver()) {
      canRun(rank);
    }
  }

  @Override
  protected void arrived(Rank dest, Message message) {
    progress++;
    Wait wait = dest.main.wait;
    if (wait instanceof Wait.ForMessage && !seats[dest.number].asks && wait.isOver()) {
      canRun(dest);
    }
    agenda.changed(dest.number);
  }

  /** Only the rank that runs may touch anything: it ends the job when it yields, or ends. */
  @Override
  public void interrupt() {
    interrupted = true;
    for (Rank rank : ranks) {
      rank.interruptProgram();
    }
  }

  @Override
  public void end(Ending why) {
    if (ending != null) {
      return;
    }
    ending = why;
    for (Rank rank : ranks) {
      if (rank.end == null && rank.main.wait != null) {
        canRun(rank);
      }
    }
  }
}
