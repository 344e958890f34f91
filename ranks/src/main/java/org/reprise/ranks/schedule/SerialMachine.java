package org.reprise.ranks.schedule;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.DeadlockSearch;
import org.reprise.ranks.engine.Decision;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Machine;
import org.reprise.ranks.engine.Matching;
import org.reprise.ranks.engine.Message;
import org.reprise.ranks.engine.Observer;
import org.reprise.ranks.engine.Pending;
import org.reprise.ranks.engine.PendingReceive;
import org.reprise.ranks.engine.PendingSend;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.MpiCall;

/**
 * Ranks run one at a time, each until it waits, and then the next. Only when none can run by itself
 * is something decided: the scheduler picks one event of all that may happen. So what is left open
 * is decided as late as can be, when everything that could have happened before has happened, and
 * no choice is missed because a rank was slow.
 *
 * <p>A rank that waits hands over to the next one itself; nothing here is ever touched by two
 * threads at a time.
 *
 * <p>As soon as a rank has threads of its own, that one of them takes its next step is an event
 * like others, to be chosen among all that may happen: to decide as late as can be would never let
 * a thread that waits for a message go on before another one that does not. What they do between
 * steps, in the program's own code, nobody sees; one of them may wait there for another, and let it
 * go on. So a choice is made only when all of them are {@link Stillness at rest}, by the thread
 * that drives the ranks. Which threads are there to be chosen from, and in which order they count,
 * then depends on nothing but what was chosen before.
 *
 * <p>How often a poll may fail is decided by {@link FailingPolls}.
 */
public final class SerialMachine extends Machine {
  /** So often the same poll may fail before it is held. */
  public static final int FAILURES_MAX = 1;

  /** Up to so many ranks, assertions hold what is kept of the events against the whole. */
  private static final int CHECKED_RANKS = 8;

  /** How often to look whether threads have come to rest. */
  private static final long LOOK_NANOS = 50_000;

  /** For so long nothing may move before ranks with threads of their own count as deadlocked. */
  private static final long PATIENCE_NANOS = 2_000_000_000L;

  private final Scheduler scheduler;
  private final FailingPolls polls;
  private final Seats seats;
  private final EventsOfRanks events;

  /** Who goes on; null while the driver is to choose. Before there are threads nobody asks. */
  private volatile @Nullable Seat running;

  /** Whether a program has threads of its own, which are drawn. */
  private volatile boolean hasThreads;

  /** Whether all ranks have ended. */
  private volatile boolean isOver;

  private final Stillness stillness = new Stillness();

  /** Since when nothing can happen though ranks are left; 0 if something can. */
  private long stuckSinceNanos;

  private final Agenda agenda;

  /** Ranks at which something has changed since these were last asked for. */
  private BitSet touched = new BitSet();

  /** Ranks of whose receives a sender has stopped to wait for one, though it has no message. */
  private BitSet withdrawn = new BitSet();

  private int left;
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
    this.polls = new FailingPolls(failuresMax);
    this.seats = new Seats(ranks);
    this.events = new EventsOfRanks(ranks, seats, polls);
    this.agenda = new Agenda(count);
    this.left = count;
  }

  /** Whether the scheduler ended the job. */
  public boolean wasStopped() {
    return stopped;
  }

  /** Whether a poll was held because it had failed often enough. */
  public boolean heldPolls() {
    return polls.hasHeld();
  }

  /** Whether a thread did not come to rest, so that it was not decided when it goes on. */
  public boolean hasLostOrder() {
    return stillness.isGivenUp();
  }

  /** Whether a call had more outcomes than could be offered. */
  public boolean wasCutShort() {
    return events.isCutShort();
  }

  /**
   * The ranks that were concerned by what happened since the last choice, or the last time this was
   * asked: what may happen at others has not changed. How the job ends is not counted.
   */
  public BitSet takeTouched() {
    BitSet taken = touched;
    touched = new BitSet();
    return taken;
  }

  /**
   * The ranks to which a message was sent whose sender waited for it to be received, among other
   * things, and went on without, since this was last asked.
   */
  public BitSet takeWithdrawn() {
    BitSet taken = withdrawn;
    withdrawn = new BitSet();
    return taken;
  }

  private void changed(int rank) {
    agenda.changed(rank);
    if (ending == null) {
      touched.set(rank);
    }
  }

  @Override
  public void run(RankThread thread) {
    for (JobRank rank : ranks) {
      rank.main.thread = threads.thread(() -> live(rank, thread));
    }
    Seat first = pick();
    if (first != null) {
      handOver(first);
      threads.drive(this::look);
    }
    // Threads that a rank has left behind: their next step is their last, and who waits in the
    // program's own code waits no more. An enumeration would have ever more of them.
    isOver = true;
    seats.ofAll().forEach(SerialMachine::leave);
  }

  private static void leave(Seat seat) {
    Thread thread = seat.waiter.thread;
    seat.waiter.unpark();
    if (seat.thread != 0 && thread != null) {
      thread.interrupt();
    }
  }

  private void live(JobRank rank, RankThread thread) {
    try {
      thread.run(rank);
    } finally {
      left--;
      polls.progressed();
      rank.main.wait = null;
      changed(rank.number);
      if (hasThreads) {
        running = null;
        threads.lookNow();
      } else {
        handOverOrStop(pick());
      }
    }
  }

  private void handOverOrStop(@Nullable Seat next) {
    if (next == null) {
      threads.stop();
    } else {
      handOver(next);
    }
  }

  private void handOver(Seat next) {
    next.inStep = true;
    running = next;
    Thread thread = next.waiter.thread;
    if (thread != null && thread.getState() == Thread.State.NEW) {
      next.inStep = false;
      thread.start();
    } else {
      next.waiter.raise();
      next.waiter.unpark();
    }
  }

  @Override
  protected void threadCreated(JobRank rank) {
    if (threadsMayCall()) {
      if (Thread.currentThread() == rank.main.thread) {
        seats.first(rank.number).inStep = false; // Alone, it does not say when a step ends.
      }
      hasThreads = true;
    }
  }

  @Override
  protected void beginStep(JobRank rank) {
    if (!hasThreads) {
      return;
    }
    Seat seat = seats.ofCaller(rank);
    seat.waiter.layDown();
    seats.arrived(seat);
    if (running == seat) {
      running = null;
    }
    threads.lookNow();
    sleep(seat);
    if (rank.end != null) {
      seat.inStep = false; // It takes none, and nobody else says so.
      throw jobEnded();
    }
  }

  /** Until it is chosen, or the job is over and nobody will choose any more. */
  private void sleep(Seat seat) {
    boolean wasInterrupted = false;
    while (seat.waiter.isAsleep()) {
      if (isOver) {
        throw jobEnded();
      }
      LockSupport.park(this);
      // Whoever is interrupted does not park, and would keep the carrier from all others.
      wasInterrupted |= Thread.interrupted();
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  protected void endStep(JobRank rank) {
    if (hasThreads) {
      seats.ofCaller(rank).inStep = false;
    }
  }

  /**
   * Chooses who goes on, if it is time: nobody is in a step, and all threads are at rest. Whoever
   * went on last may be among them: it waits for another one in the program's own code, or has
   * ended.
   *
   * @return after how many nanoseconds to look again; 0: not before a rank can run
   */
  private long look() {
    if (!hasThreads) {
      return 0;
    }
    Seat last = running;
    boolean isChoosing = last == null || (last.rank.hasThreads && !last.inStep);
    if (!isChoosing || !areAtRest() || !threads.isIdle() || running != last) {
      return LOOK_NANOS;
    }
    seats.seatArrivals();
    if (seats.runnable() == 0 && left > 0 && !interrupted && !canDecide() && !isStuckForLong()) {
      return LOOK_NANOS;
    }
    stuckSinceNanos = 0;
    handOverOrStop(pick());
    return LOOK_NANOS;
  }

  private boolean areAtRest() {
    boolean isReached = stillness.isReached(running == null && seats.isWanted());
    if (stillness.isGivenUp() && warnings.isEmpty()) {
      warnings.add(
          "a thread of a rank's own runs on and on while others want to call MPI: their order is"
              + " not decided by what was drawn or chosen");
    }
    return isReached;
  }

  /** Whether nothing could happen for so long that nothing will. */
  private boolean isStuckForLong() {
    long now = System.nanoTime();
    if (stuckSinceNanos == 0) {
      stuckSinceNanos = now;
    }
    return now - stuckSinceNanos > PATIENCE_NANOS;
  }

  @Override
  public boolean matchesAtOnce() {
    return false;
  }

  /**
   * Not where the ranks are carried by threads of the common pool: those are created while a rank
   * runs and cannot be told from its own.
   */
  @Override
  public boolean threadsMayCall() {
    return threads.haveOwnCarrier();
  }

  @Override
  public void checkThread(JobRank rank) {
    if (!threads.haveOwnCarrier()) {
      throw new FabricError(
          FabricError.Kind.THREAD,
          "a thread of its own called MPI in rank "
              + rank.number
              + ": the order of a rank's threads is drawn or enumerated only if the JVM is started"
              + " with --add-opens java.base/java.lang=ALL-UNNAMED");
    }
  }

  @Override
  public void await(JobRank rank, Wait wait) {
    Seat seat = seats.ofCaller(rank);
    seat.waiter.wait = wait;
    while (!wait.isOver()) {
      checkRunning();
      yieldToOthers(seat);
    }
    waitsNoMore(seat, wait);
    seat.failures.clear();
  }

  /** What its sends made wanted is so no longer, if it waited for one of them only. */
  private void waitsNoMore(Seat seat, Wait wait) {
    seat.waiter.wait = null;
    receiversChange(wait);
    if (ending == null && wait instanceof Wait.ForOperations waits) {
      for (Pending operation : waits.operations) {
        if (operation instanceof PendingSend send && !send.done) {
          withdrawn.set(send.dest);
        }
      }
    }
  }

  /** Who waits for a send of its own makes choices of its receiver's wanted. */
  private void receiversChange(@Nullable Wait wait) {
    if (wait instanceof Wait.ForOperations waits) {
      for (Pending operation : waits.operations) {
        if (operation instanceof PendingSend send && send.dest != Fabric.PROC_NULL) {
          changed(send.dest);
        }
      }
    }
  }

  @Override
  public Decision decide(JobRank rank, Wait wait) {
    Seat seat = seats.ofCaller(rank);
    seat.waiter.wait = wait;
    seat.asks = true;
    seat.decision = null;
    Decision decision = null;
    while (decision == null) {
      checkRunning();
      yieldToOthers(seat);
      decision = seat.decision;
    }
    seat.asks = false;
    waitsNoMore(seat, wait);
    if (decision == Decision.FAILS) {
      seat.failures.merge(Seat.poll(wait), 1, Integer::sum);
    } else {
      seat.failures.clear();
    }
    return decision;
  }

  private void yieldToOthers(Seat seat) {
    seat.canRun = false;
    changed(seat.rank.number);
    receiversChange(seat.waiter.wait);
    seat.rank.fabric().journal().waits();
    seat.waiter.layDown();
    if (hasThreads) {
      running = null;
      threads.lookNow();
      sleep(seat);
      return;
    }
    Seat next = pick();
    if (next == seat) {
      seat.waiter.raise();
      return;
    }
    if (next == null) {
      throw new IllegalStateException("rank " + seat.rank.number + " waits, and nobody was found");
    }
    handOver(next);
    sleep(seat);
  }

  /** Who goes on; null if all have ended. */
  private @Nullable Seat pick() {
    if (interrupted) {
      end(new Ending(null, 1, false));
    }
    Seat next = null;
    while (next == null) {
      if (seats.runnableAlone() > 0) {
        next = seats.take(scheduler.next(seats.runnableAlone()));
      } else if (ending != null && !seats.steppers().isEmpty()) {
        next = seats.takeStep(seats.steppers().getFirst());
      } else if (left == 0 || (hasThreads && ending != null && !canDecide())) {
        // Who waits in the program's own code when the job has ended is not waited for.
        return null;
      } else {
        next = decideSomething();
      }
    }
    return next;
  }

  /** Whether there is something to decide, and be it that polls fail. */
  private boolean canDecide() {
    refreshAgenda();
    return !agenda.isEmpty() || seats.ofAll().anyMatch(FailingPolls::isHeld);
  }

  /** Threads of a rank change what may happen there in ways that nobody tells the agenda of. */
  private void refreshAgenda() {
    if (hasThreads) {
      for (JobRank rank : ranks) {
        if (rank.hasThreads) {
          agenda.changed(rank.number);
        }
      }
    }
    agenda.refresh(events::of);
  }

  /** Lets an event happen; whose step that was, if it was one. */
  private @Nullable Seat decideSomething() {
    Seat alone = seats.aloneInItsRank();
    if (alone != null) {
      return seats.takeStep(alone);
    }
    refreshAgenda();
    assert ranks.length > CHECKED_RANKS || agenda.equals(events.ofAll());
    List<PossibleEvent> all = withSteps();
    if (!all.isEmpty()) {
      int chosen = scheduler.choose(all);
      if (chosen != Scheduler.STOP) {
        PossibleEvent event = all.get(chosen);
        return event.isStep() ? seats.takeStep(seats.of(event)) : happen(event);
      }
      stopped = true;
      end(new Ending(null, 0, false));
    } else if (!polls.failTogether(seats)) {
      end(new Ending(DeadlockSearch.in(ranks), 1, false));
    }
    return null;
  }

  /** All that may happen, the steps of threads first. */
  private List<PossibleEvent> withSteps() {
    List<PossibleEvent> all = seats.steps();
    if (all.isEmpty()) {
      return agenda;
    }
    all.addAll(agenda);
    return all;
  }

  /** Lets it happen; whose step that was, if it is the outcome of a thread's call. */
  private @Nullable Seat happen(PossibleEvent event) {
    JobRank rank = ranks[event.rank()];
    int before = seats.steppers().size();
    polls.progressed();
    for (Matching.Pair pair : event.matches) {
      match(rank, pair);
    }
    settle(rank);
    Decision decision = event.decision;
    Seat next = null;
    if (decision != null) {
      Seat seat = seats.of(event);
      Wait wait = seat.waiter.wait;
      if (wait instanceof Wait.ForOperations cancel
          && cancel.call == MpiCall.CANCEL
          && cancel.operations[0] instanceof PendingReceive receive
          && List.of().equals(decision.indices())) {
        withdraw(receive);
        settle(rank);
      }
      seat.decision = decision;
      seats.canRun(seat);
      // What a poll finds it finds when it returns: nobody takes a step in between.
      next = rank.isShared() ? seats.takeStep(seat) : null;
    }
    changed(rank.number);
    return next == null ? onlyOneWoken(rank, before) : next;
  }

  /**
   * The thread that a match let go on, if it was one: its receive might as well have got the
   * message later, just before it goes on.
   */
  private @Nullable Seat onlyOneWoken(JobRank rank, int before) {
    List<Seat> steppers = seats.steppers();
    return steppers.size() == before + 1 && steppers.getLast().rank == rank
        ? seats.takeStep(steppers.getLast())
        : null;
  }

  private void settle(JobRank rank) {
    for (Matching.Pair pair = Matching.settled(rank.mailbox);
        pair != null;
        pair = Matching.settled(rank.mailbox)) {
      match(rank, pair);
    }
  }

  private void match(JobRank rank, Matching.Pair pair) {
    rank.mailbox.remove(pair.receive());
    rank.mailbox.remove(pair.message());
    deliver(pair.message(), pair.receive());
  }

  @Override
  protected void wake(JobRank rank) {
    polls.progressed();
    changed(rank.number);
    seats.forEach(rank, this::wake);
  }

  private void wake(Seat seat) {
    Wait wait = seat.waiter.wait;
    if (!seat.canRun && wait != null && !seat.asks && wait.isOver()) {
      seats.canRun(seat);
    }
  }

  @Override
  protected void arrived(JobRank dest, Message message) {
    polls.progressed();
    seats.forEach(dest, this::found);
    changed(dest.number);
  }

  private void found(Seat seat) {
    Wait wait = seat.waiter.wait;
    if (wait instanceof Wait.ForMessage && !seat.asks && wait.isOver()) {
      seats.canRun(seat);
    }
  }

  /** Only the rank that runs may touch anything: it ends the job when it yields, or ends. */
  @Override
  public void interrupt() {
    interrupted = true;
    for (JobRank rank : ranks) {
      rank.interruptProgram();
    }
  }

  @Override
  public void end(Ending why) {
    if (ending != null) {
      return;
    }
    ending = why;
    seats
        .ofAll()
        .filter(seat -> seat.rank.end == null && seat.waiter.wait != null)
        .forEach(seats::canRun);
    for (JobRank rank : ranks) {
      if (rank.hasThreads) {
        rank.interruptProgram(); // It may wait for a thread that has ended with the job.
      }
    }
  }
}
