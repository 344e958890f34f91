package org.reprise.ranks;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.engine.Machine;
import org.reprise.ranks.engine.RankProgram;
import org.reprise.ranks.journal.Identity;
import org.reprise.ranks.journal.SignedJournal;
import org.reprise.ranks.schedule.PossibleEvent;
import org.reprise.ranks.schedule.Scheduler;
import org.reprise.ranks.schedule.SerialMachine;
import org.reprise.trace.UserError;

/**
 * Every execution of a program, each once: executions are the same if every rank receives the same
 * messages, its calls report the same, and its polls fail and succeed alike. Of a rank with several
 * threads that holds for each of them, and they take the program's locks in the same order.
 *
 * <p>The program is run again and again, and at each point where something is to be decided a run
 * takes an event that was not taken there before. Events that commute need to be tried in one order
 * only. What was tried at a point stays asleep behind its siblings until something happens that it
 * does not commute with (sleep sets, Godefroid 1996); a run in which all that may happen is asleep
 * leads nowhere new and is given up. And of the ranks at which something may happen one is enough
 * to begin with, as long as nothing else can bring that rank another choice: source sets (Abdulla,
 * Aronis, Jonsson and Sagonas 2014), with ranks in place of processes, since events of different
 * ranks always commute.
 *
 * <p>Why one rank is enough: all its events are tried. An execution that is not found then must
 * begin with events of other ranks which bring that rank a choice it did not have. These also
 * happen behind the event that was taken in their place, so a run is seen in which something
 * touches the rank without being caused by what was tried; the first event of what caused it is
 * then tried at the point, too. Whatever moves between two choices is caused by the first of them,
 * for nobody could move before; and an event is caused by the choice behind which it became
 * possible. More causes there may be: not to know them costs runs, and loses none.
 *
 * <p>Events of different ranks do not commute in three cases. A rank that waits for a send of its
 * own makes matches at the receiver possible, which are not when it goes on without: so a failed
 * test of a synchronous send is held against what its receiver does later. An abort ends what
 * others could still do, so it concerns all ranks. And of a program that cancels receives all ranks
 * are tried at each point: whether a receive that names its source has its message yet is a choice
 * there, which is possible for more than one reason.
 *
 * <p>Since a match that nobody sees could still make two runs of one execution, each is counted by
 * its signature.
 */
public final class Enumeration {
  /**
   * What to enumerate.
   *
   * @param failedPollsMax how often the same poll may fail in a row where something else could
   *     happen. More than that is not tried: a loop of polls has executions without end
   * @param runsMax after so many runs it ends, whether or not they led to something new
   * @param reduction what is left out as a repetition
   */
  public record Request(
      int ranks, boolean syncSends, int failedPollsMax, long runsMax, Reduction reduction) {
    public Request(int ranks, boolean syncSends, int failedPollsMax, long runsMax) {
      this(ranks, syncSends, failedPollsMax, runsMax, Reduction.SOURCE_SETS);
    }

    public static Request of(int ranks) {
      return new Request(ranks, false, SerialMachine.FAILURES_MAX, Long.MAX_VALUE);
    }

    public Request by(Reduction other) {
      return new Request(ranks, syncSends, failedPollsMax, runsMax, other);
    }
  }

  /** How runs are avoided that only repeat an execution. All find the same executions. */
  public enum Reduction {
    /** One rank at a time is tried at a point, and others as far as they concern it. */
    SOURCE_SETS,
    /**
     * All ranks are tried at each point, and nothing is concluded from what a run did: for tests of
     * what concludes more.
     */
    SLEEP_SETS
  }

  /**
   * One execution.
   *
   * @param number from 1 on
   * @param choices for {@link Schedule.Chosen}: the same again, to record or to watch it
   */
  public record Execution(long number, List<Integer> choices, JobResult result) {}

  /**
   * What came of it.
   *
   * @param executions that differ
   * @param redundant runs besides, which led to nothing new
   * @param complete whether these are all
   * @param heldPolls whether a poll had failed as often as it may: a program that counts its failed
   *     polls has more executions
   */
  public record Summary(long executions, long redundant, boolean complete, boolean heldPolls) {}

  /** A point where something was to be decided, on the way of the current run. */
  private static final class Node {
    /** Not looked for yet. */
    private static final int UNKNOWN = -2;

    final List<PossibleEvent> events;
    final Set<PossibleEvent> asleep;

    /** Ranks whose events are tried here; null: all. */
    @Nullable BitSet tried = new BitSet();

    int chosen;

    /** Behind which node the chosen event became possible; -1: it was from the beginning. */
    int cause = UNKNOWN;

    /** The ranks that were concerned by what happened between this choice and the next. */
    BitSet touched = new BitSet();

    /** The ranks with receives that were wanted for a send's sake, and are no longer. */
    BitSet withdrawn = new BitSet();

    Node(List<PossibleEvent> events, Set<PossibleEvent> asleep) {
      this.events = events;
      this.asleep = asleep;
      this.chosen = 0;
      while (chosen < events.size() && asleep.contains(events.get(chosen))) {
        chosen++;
      }
    }

    PossibleEvent event() {
      return events.get(chosen);
    }

    int rank() {
      return event().rank();
    }

    boolean tries(int rank) {
      return tried == null || tried.get(rank);
    }

    void alsoTry(int rank) {
      if (tried != null) {
        tried.set(rank);
      }
    }

    /** Whether what happens at a rank later might have done something else if it came before. */
    boolean concerns(int rank, int byRank) {
      return rank == rank() ? rank != byRank : withdrawn.get(rank);
    }

    /** What came of the chosen event. */
    void ledTo(SerialMachine machine) {
      touched = machine.takeTouched();
      withdrawn = machine.takeWithdrawn();
      for (PossibleEvent other : events) {
        if (withdrawn.get(other.rank())) {
          alsoTry(other.rank());
        }
      }
    }

    boolean isExhausted() {
      return chosen == events.size();
    }

    /** To the next event that is awake; the one taken before is asleep from now on. */
    void advance() {
      asleep.add(events.get(chosen));
      chosen = 0;
      while (chosen < events.size()
          && (!tries(events.get(chosen).rank()) || asleep.contains(events.get(chosen)))) {
        chosen++;
      }
      cause = UNKNOWN;
    }

    /** What stays asleep behind the chosen event. */
    Set<PossibleEvent> asleepBehind() {
      PossibleEvent event = event();
      Set<PossibleEvent> behind = new HashSet<>();
      for (PossibleEvent other : asleep) {
        if (other.commutesWith(event)) {
          behind.add(other);
        }
      }
      return behind;
    }
  }

  private record Signature(long first, long second) {}

  private final Request request;
  private final Supplier<RankProgram> programs;
  private final List<Node> path = new ArrayList<>();
  private final Set<Signature> seen = new HashSet<>();
  private int depth;

  /** So many choices of the path were made in the run before, too. */
  private int known;

  private long runs;
  private long redundant;
  private boolean heldPolls;
  private boolean changed;

  private Enumeration(Request request, Supplier<RankProgram> programs) {
    this.request = request;
    this.programs = programs;
  }

  /**
   * Goes through all executions.
   *
   * @param programs gives the program of each run: a fresh one if it keeps anything
   * @param onExecution gets each execution; false ends the enumeration
   */
  public static Summary explore(
      Request request, Supplier<RankProgram> programs, Predicate<Execution> onExecution) {
    return explore(request, programs, onExecution, () -> true);
  }

  /**
   * The same.
   *
   * @param goesOn asked before every run but the first; false ends the enumeration
   */
  public static Summary explore(
      Request request,
      Supplier<RankProgram> programs,
      Predicate<Execution> onExecution,
      BooleanSupplier goesOn) {
    return new Enumeration(request, programs).explore(onExecution, goesOn);
  }

  private Summary explore(Predicate<Execution> onExecution, BooleanSupplier goesOn) {
    boolean wanted = true;
    boolean left = true;
    while (left && wanted) {
      Execution execution = runOnce();
      runs++;
      wanted = execution == null || onExecution.test(execution);
      left = backtrack();
      wanted = wanted && runs < request.runsMax && goesOn.getAsBoolean();
    }
    return new Summary(seen.size(), redundant, !left, heldPolls);
  }

  /** Runs the program along the path and beyond; null if that led to nothing new. */
  private @Nullable Execution runOnce() {
    depth = 0;
    Deepening deepening = new Deepening();
    SerialMachine machine =
        new SerialMachine(
            request.ranks, request.syncSends, null, deepening, request.failedPollsMax);
    deepening.machine = machine;
    machine.namesLines = false;
    JobResult result =
        EmbeddedJob.run(
            new JobRequest(
                request.ranks,
                new Schedule.Chosen(List.of()),
                request.syncSends,
                Optional.empty(),
                true),
            programs.get(),
            machine);
    if (changed) {
      throw new UserError(
          "the program does something else each time it runs",
          "another call, or another message, where every rank had received the same",
          "take out what it reads besides messages: files, hash codes, waits with a time limit,"
              + " memory that threads share without a lock");
    }
    if (machine.hasLostOrder()) {
      throw new UserError(
          "a thread of a rank's own runs on and on while others want to call MPI",
          "it did not wait for anything for 10 s, so their order cannot be chosen",
          "let it wait for a lock, a queue or a future instead of in a loop");
    }
    if (machine.wasCutShort()) {
      throw new UserError(
          "a call of the program can have too many outcomes",
          "more subsets of its requests, or ways to match them, than can be tried",
          "enumerate it with fewer ranks or requests; reprise run --seed S draws one of them");
    }
    heldPolls |= machine.heldPolls();
    findOthersToTry(machine);
    if (machine.wasStopped() || !seen.add(signature(machine))) {
      redundant++;
      return null;
    }
    return new Execution(seen.size(), path.stream().map(node -> node.chosen).toList(), result);
  }

  private static Signature signature(Machine machine) {
    long first = 0;
    long second = 0;
    for (JobRank rank : machine.ranks) {
      if (rank.fabric().journal() instanceof SignedJournal journal) {
        // How far it came, too: in a deadlock that may be all there is to see of a match.
        JobResult.RankEnd end = rank.end;
        long ended = end == null ? -1 : end.how().ordinal();
        first = Identity.mix(Identity.mix(first, journal.first()), rank.fabric().calls());
        second = Identity.mix(Identity.mix(second ^ rank.number, journal.second()), ended);
      }
    }
    return new Signature(first, second);
  }

  private boolean backtrack() {
    while (!path.isEmpty()) {
      path.getLast().advance();
      if (!path.getLast().isExhausted()) {
        known = path.size() - 1;
        return true;
      }
      path.removeLast();
    }
    return false;
  }

  /** Adds to the points of the path what this run showed to be needed there. */
  private void findOthersToTry(SerialMachine machine) {
    if (request.reduction == Reduction.SLEEP_SETS || path.isEmpty()) {
      return;
    }
    Machine.Ending ending = machine.ending;
    if (ending != null && ending.deadlock() == null && !machine.wasStopped()) {
      path.forEach(node -> node.tried = null);
      return;
    }
    if (depth == path.size() && !machine.wasStopped()) {
      path.getLast().ledTo(machine);
    }
    for (int i = known; i < path.size(); i++) {
      Node node = path.get(i);
      for (int rank = node.touched.nextSetBit(0);
          rank >= 0;
          rank = node.touched.nextSetBit(rank + 1)) {
        wasTouched(rank, i);
      }
    }
  }

  /** What the choice of a node caused concerns a rank: it might have come before its events. */
  private void wasTouched(int rank, int by) {
    for (int at = by - 1; at >= 0; at--) {
      Node node = path.get(at);
      if (node.concerns(rank, path.get(by).rank())) {
        int first = firstCause(by, node, at);
        if (first >= 0) {
          node.alsoTry(path.get(first).rank());
        }
      }
    }
  }

  /**
   * The first choice from a point on that one needed; -1 if what is tried at the point is among
   * those that it needed.
   */
  private int firstCause(int of, Node point, int at) {
    int first = of;
    while (!point.tries(path.get(first).rank())) {
      int cause = cause(first);
      if (cause < at) {
        return first;
      }
      first = cause;
    }
    return -1;
  }

  /** Behind which choice this one became possible. */
  private int cause(int of) {
    Node node = path.get(of);
    if (node.cause == Node.UNKNOWN) {
      PossibleEvent event = node.event();
      int before = of - 1;
      while (before >= 0 && path.get(before).events.contains(event)) {
        before--;
      }
      node.cause = before;
    }
    return node.cause;
  }

  /** Follows the path, and extends it where it ends. */
  private final class Deepening implements Scheduler {
    @Nullable SerialMachine machine;

    @Override
    public int next(int runnable) {
      return 0;
    }

    @Override
    public int choose(List<PossibleEvent> events) {
      if (machine != null && depth > known) {
        path.get(depth - 1).ledTo(machine);
      } else if (machine != null) {
        machine.takeTouched();
        machine.takeWithdrawn();
      }
      if (depth == path.size()) {
        Node node =
            new Node(
                List.copyOf(events),
                path.isEmpty() ? new HashSet<>() : path.getLast().asleepBehind());
        if (node.isExhausted()) {
          return STOP;
        }
        if (request.reduction == Reduction.SLEEP_SETS || (machine != null && machine.cancels)) {
          node.tried = null;
        }
        node.alsoTry(node.rank());
        path.add(node);
      }
      Node node = path.get(depth++);
      if (node.chosen >= events.size()
          || !events.get(node.chosen).equals(node.events.get(node.chosen))) {
        changed = true;
        return STOP;
      }
      return node.chosen;
    }
  }
}
