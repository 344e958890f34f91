package org.reprise.ranks;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
 * takes the first event that was not taken there before. Events that commute need to be tried in
 * one order only: what was tried at a point stays asleep behind its siblings until something
 * happens that it does not commute with (sleep sets, Godefroid 1996). A run in which all that may
 * happen is asleep leads nowhere new and is given up. Nothing is left out, since every event that
 * may happen is either taken or asleep; and since a match that nobody sees could still make two
 * runs of one execution, each is counted by its signature.
 */
public final class Enumeration {
  /**
   * What to enumerate.
   *
   * @param failedPollsMax how often the same poll may fail in a row where something else could
   *     happen. More than that is not tried: a loop of polls has executions without end
   * @param executionsMax so many are told at most; whether there are more is found out
   */
  public record Request(int ranks, boolean syncSends, int failedPollsMax, long executionsMax) {
    public static Request of(int ranks) {
      return new Request(ranks, false, SerialMachine.FAILURES_MAX, Long.MAX_VALUE);
    }
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
    final List<PossibleEvent> events;
    final Set<PossibleEvent> asleep;
    int chosen;

    Node(List<PossibleEvent> events, Set<PossibleEvent> asleep) {
      this.events = events;
      this.asleep = asleep;
      this.chosen = firstAwake(0);
    }

    private int firstAwake(int from) {
      int at = from;
      while (at < events.size() && asleep.contains(events.get(at))) {
        at++;
      }
      return at;
    }

    boolean isExhausted() {
      return chosen == events.size();
    }

    /** To the next event that is awake; the one taken before is asleep from now on. */
    void advance() {
      asleep.add(events.get(chosen));
      chosen = firstAwake(chosen + 1);
    }

    /** What stays asleep behind the chosen event. */
    Set<PossibleEvent> asleepBehind() {
      PossibleEvent event = events.get(chosen);
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
    return new Enumeration(request, programs).explore(onExecution);
  }

  private Summary explore(Predicate<Execution> onExecution) {
    boolean goesOn = true;
    boolean more = false;
    do {
      Execution execution = runOnce();
      if (execution != null) {
        // What is left to try may lead to nothing new: only one more execution shows that there
        // are more than were asked for.
        more = execution.number > request.executionsMax;
        goesOn = !more && onExecution.test(execution);
      }
    } while (goesOn && backtrack());
    boolean complete = goesOn || (!more && !backtrack());
    return new Summary(
        Math.min(seen.size(), request.executionsMax), redundant, complete, heldPolls);
  }

  /** Runs the program along the path and beyond; null if that led to nothing new. */
  private @Nullable Execution runOnce() {
    depth = 0;
    SerialMachine machine =
        new SerialMachine(
            request.ranks, request.syncSends, null, new Deepening(), request.failedPollsMax);
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
          "a call of the program can come to too many things",
          "more subsets of its requests, or ways to match them, than can be tried",
          "enumerate it with fewer ranks or requests; reprise run --seed S draws one of them");
    }
    heldPolls |= machine.heldPolls();
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
        return true;
      }
      path.removeLast();
    }
    return false;
  }

  /** Follows the path, and extends it where it ends. */
  private final class Deepening implements Scheduler {
    @Override
    public int next(int runnable) {
      return 0;
    }

    @Override
    public int choose(List<PossibleEvent> events) {
      if (depth == path.size()) {
        Node node =
            new Node(
                List.copyOf(events),
                path.isEmpty() ? new HashSet<>() : path.getLast().asleepBehind());
        if (node.isExhausted()) {
          return STOP;
        }
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
