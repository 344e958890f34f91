package org.reprise.launch.explore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.reprise.exploration.Decision;
import org.reprise.exploration.Execution;
import org.reprise.exploration.Exploration;
import org.reprise.exploration.Flip;
import org.reprise.exploration.HittingSet;
import org.reprise.exploration.Prefix;
import org.reprise.exploration.RankTrace;
import org.reprise.exploration.Taken;
import org.reprise.launch.Engine;
import org.reprise.launch.process.Scratch;
import org.reprise.launch.process.Signals;
import org.reprise.launch.run.NewRun;
import org.reprise.trace.UserError;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/**
 * Finds out which few receives of a failing run, in which order, make it fail. Every step is a run
 * of the program.
 *
 * <p>First the shortest beginning of the run after which every run fails: choices are left free
 * from the end on, as long as no run that passes comes of what is still forced. Then the fewest
 * choices in it that no passing run has together: the least set that has something in common with
 * what each passing run does otherwise. That one is not a state of the program and is never forced;
 * what is tried is the beginning that it needs.
 */
public final class Explainer implements AutoCloseable {
  /**
   * What is to be explained.
   *
   * @param failing the run that fails
   * @param passing one that passes, to compare it with; empty: the nearest that is found
   * @param max so many runs may be made
   * @param time so long it may take
   * @param mpicc the compiler of the MPI in use, if the user names it
   */
  public record Request(
      RecordedRun failing,
      Optional<RecordedRun> passing,
      long max,
      Optional<Duration> time,
      Optional<Path> mpicc,
      Duration stallLimit,
      OutputJudge judge) {}

  /** An execution that was made, and what follows from it. */
  private record Known(Execution execution, List<Flip> flips, boolean fails) {
    boolean has(Set<Taken> some) {
      return execution.taken().containsAll(some);
    }
  }

  private final RunStore store;
  private final Request request;
  private final Scratch scratch;
  private final ProgramRunner runner;
  private final LongConsumer progress;
  private final long start = System.nanoTime();
  private final List<Known> known = new ArrayList<>();
  private Predicate<ExecutionOutcome> fails = ExecutionOutcome::isFailure;
  private Optional<Explanation.Side> nearest = Optional.empty();
  private int distance = Integer.MAX_VALUE;
  private long runs;
  private boolean enough;
  private boolean shown = true;
  private volatile boolean interrupted;

  /**
   * An explainer.
   *
   * @param store gets the passing run that is shown
   * @param progress called at each run
   */
  public Explainer(
      RunStore store,
      Function<Consumer<String>, Engine> engines,
      Request request,
      LongConsumer progress) {
    this.store = store;
    this.request = request;
    this.progress = progress;
    try {
      scratch = Scratch.create(store.home(), ".explain-");
    } catch (IOException e) {
      throw new UserError(
          "there is no room for an explanation",
          String.valueOf(e.getMessage()),
          "make room in " + store.home());
    }
    runner =
        new ProgramRunner(
            scratch.path(),
            engines,
            new ProgramRunner.Settings(
                request.mpicc(), request.stallLimit(), request.judge(), Optional.empty(), 0));
  }

  /** Explains the run. */
  public Explanation explain() {
    try (Signals _ = Signals.take(List.of("INT", "TERM", "HUP"), _ -> interrupt())) {
      return explained();
    }
  }

  private void interrupt() {
    interrupted = true;
    runner.interrupt();
  }

  private Explanation explained() {
    Explanation.Side failing = again(request.failing(), "failing");
    Optional<Explanation.Side> given = request.passing().map(run -> again(run, "passing"));
    if (!failing.outcome().isFailure()) {
      if (given.isEmpty() || given.get().outcome().equals(failing.outcome())) {
        throw new UserError(
            "there is nothing to explain",
            request.failing().directory().name()
                + " "
                + failing.outcome().words()
                + " when it was run again in the same order",
            "name a run that fails (\"failed\" is the latest), or one to compare it with: --against"
                + " RUN; or say what a failure is: --judge SCRIPT");
      }
      fails = failing.outcome()::equals;
    }
    Known whole = new Known(failing.execution(), failing.execution().flips(), true);
    known.add(whole);
    given.ifPresent(
        side -> {
          if (fails.test(side.outcome())) {
            throw new UserError(
                "the run to compare with fails as well",
                request.passing().orElseThrow().directory().name() + " " + side.outcome().words(),
                "name a run that passes, or leave --against out: one is looked for");
          }
          known.add(new Known(side.execution(), side.execution().flips(), false));
        });
    List<Decision> order = failing.execution().choices();
    List<Decision> beginning = shortestBeginning(failing.execution(), order);
    Set<Decision> cause = cause(failing.execution(), order, beginning);
    return new Explanation(
        failing,
        given.or(() -> nearest),
        beginning,
        beginning.stream().filter(cause::contains).toList(),
        shown && !enough,
        runs,
        (int) known.stream().filter(Known::fails).count(),
        (int) known.stream().filter(each -> !each.fails).count());
  }

  /** Runs a run once more in its own order, with its events. */
  private Explanation.Side again(RecordedRun run, String name) {
    ProgramRunner.Executed executed = runner.follow(request.failing(), TracedRun.orders(run));
    runs++;
    if (!executed.followed() || executed.isInterrupted()) {
      throw new UserError(
          "the run cannot be run again in its own order",
          run.directory().name() + ": the program did something else",
          "reprise replay " + run.directory().name() + " says where they differ");
    }
    try {
      Path kept = Files.createDirectory(scratch.path().resolve(name));
      Files.delete(kept);
      Files.move(executed.recording().run().path(), kept);
      RecordedRun again = RecordedRun.open(new RunDirectory(kept));
      return new Explanation.Side(again, executed.outcome(), execution(again));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Execution execution(RecordedRun run) {
    List<RankTrace> traces = TracedRun.traces(run);
    return Execution.of(traces, TracedRun.numbering(run));
  }

  /** The choices of the shortest beginning that no passing run has. */
  private List<Decision> shortestBeginning(Execution failed, List<Decision> order) {
    int low = 0;
    int high = order.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (passes(failed, order.subList(middle, order.size()))) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    Set<Decision> gone = new LinkedHashSet<>(order.subList(high, order.size()));
    for (int at = high - 2; at >= 0; at--) {
      Set<Decision> more = new LinkedHashSet<>(gone);
      more.add(order.get(at));
      if (!isGone(failed, order.get(at), gone) && !passes(failed, more)) {
        gone = more;
      }
    }
    Set<Decision> left = decisions(failed.without(gone));
    return order.stream().filter(left::contains).toList();
  }

  private static boolean isGone(Execution failed, Decision decision, Set<Decision> gone) {
    return !decisions(failed.without(gone)).contains(decision);
  }

  private static Set<Decision> decisions(Prefix prefix) {
    Set<Decision> decisions = new HashSet<>();
    Taken.of(prefix.plan()).forEach(each -> decisions.add(each.decision()));
    return decisions;
  }

  /** The fewest choices of a beginning that no passing run has all of. */
  private Set<Decision> cause(Execution failed, List<Decision> order, List<Decision> beginning) {
    while (true) {
      List<Set<Decision>> otherwise = new ArrayList<>();
      for (Known each : known) {
        if (!each.fails) {
          Set<Decision> other = new LinkedHashSet<>();
          for (Decision decision : beginning) {
            if (!failed.outcome(decision).equals(each.execution.outcome(decision))) {
              other.add(decision);
            }
          }
          otherwise.add(other);
        }
      }
      Set<Decision> cause = HittingSet.of(otherwise);
      Set<Decision> needed = new LinkedHashSet<>();
      cause.forEach(each -> needed.addAll(failed.past(each, order)));
      List<Decision> free = order.stream().filter(each -> !needed.contains(each)).toList();
      if (cause.isEmpty() || !passes(failed, free) && !anyPassesWith(failed, cause)) {
        return cause;
      }
      if (enough) {
        return cause;
      }
    }
  }

  /** Whether a passing run has these choices, whatever else it does: all runs are tried. */
  private boolean anyPassesWith(Execution failed, Set<Decision> cause) {
    Set<Taken> wanted = new HashSet<>();
    failed.taken().stream().filter(each -> cause.contains(each.decision())).forEach(wanted::add);
    Exploration all = new Exploration(Exploration.Request.ALL);
    known.forEach(each -> all.restore(each.execution.orders(), each.flips));
    return search(all, failed, made -> !made.fails && made.has(wanted));
  }

  /**
   * Whether a run that has all of the failing one but some choices, and what follows them, passes:
   * all of these are run until one does. If there are more than is allowed, it counts as one that
   * may.
   */
  private boolean passes(Execution failed, Collection<Decision> gone) {
    Prefix forced = failed.without(gone);
    Set<Taken> kept = Taken.of(forced.plan());
    Exploration inside = new Exploration(Exploration.Request.within(decisions(forced)));
    for (Known each : known) {
      if (each.has(kept)) {
        if (!each.fails) {
          return true;
        }
        inside.restore(each.execution.orders(), each.flips);
      }
    }
    return search(inside, failed, made -> !made.fails && made.has(kept));
  }

  /** Runs what a search has left until a run is as wanted, or there may be no more. */
  private boolean search(Exploration left, Execution failed, Predicate<Known> wanted) {
    for (var plan = left.next(); plan.isPresent(); plan = left.next()) {
      if (isEnough()) {
        enough = true;
        return true;
      }
      Optional<Known> made = run(plan.get().ranks(), failed);
      left.end(plan.get());
      if (made.isEmpty()) {
        shown = false;
      } else if (wanted.test(made.get())) {
        return true;
      } else {
        left.restore(made.get().execution.orders(), made.get().flips);
      }
    }
    return false;
  }

  private boolean isEnough() {
    boolean late =
        request.time().isPresent() && System.nanoTime() - start > request.time().get().toNanos();
    return interrupted || late || runs >= request.max();
  }

  private Optional<Known> run(List<RankPlan> plan, Execution failed) {
    ProgramRunner.Executed executed = runner.attempt(request.failing(), plan);
    runs++;
    progress.accept(runs);
    try {
      if (executed.isInterrupted()) {
        interrupted = true;
        return Optional.empty();
      }
      if (!executed.followed() && executed.stalled()) {
        return Optional.empty();
      }
      Execution execution = Execution.of(executed.traces(), executed.numbering());
      boolean failing = fails.test(executed.outcome());
      Known made = new Known(execution, execution.flips(), failing);
      known.add(made);
      int differs = (int) failed.taken().stream().filter(each -> !made.has(Set.of(each))).count();
      if (!failing && request.passing().isEmpty() && differs < distance) {
        distance = differs;
        keep(executed);
      }
      return Optional.of(made);
    } finally {
      executed.remove();
    }
  }

  /** The passing run that is the nearest so far becomes the user's, in place of the one before. */
  private void keep(ProgramRunner.Executed executed) {
    String stem = request.failing().directory().name().replaceFirst("-[1-9][0-9]*$", "");
    nearest.ifPresent(before -> NewRun.removeQuietly(before.run().directory()));
    RunDirectory own = OutcomeClasses.take(store, stem, executed.attempt().written());
    RecordedRun run = RecordedRun.open(own);
    nearest = Optional.of(new Explanation.Side(run, executed.outcome(), execution(run)));
  }

  @Override
  public void close() {
    runner.close();
    try {
      scratch.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
