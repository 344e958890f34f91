package org.reprise.launch.explore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reprise.exploration.Exploration;
import org.reprise.exploration.RankTrace;
import org.reprise.launch.Engine;
import org.reprise.launch.interposer.CallTable;
import org.reprise.launch.process.Signals;
import org.reprise.launch.run.Followed;
import org.reprise.launch.verdict.RecordingGap;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;
import org.reprise.trace.text.Words;

/**
 * One search under way: as many runners as runs may go on at once take plans from an exploration
 * and bring it what came of them. What is shared is guarded by the search itself.
 */
final class Search implements AutoCloseable {
  private final ExplorationRequest request;
  private final Path place;
  private final Exploration exploration;
  private final OutcomeClasses outcomes;
  private final SearchState state;
  private final Path home;
  private final Explorer.Progress progress;
  private final List<ProgramRunner> runners = new ArrayList<>();
  private final long start = System.nanoTime();
  private final Map<Doubt, Integer> doubts = new LinkedHashMap<>();
  private Optional<RecordedRun> base = Optional.empty();
  private volatile boolean interrupted;
  private int running;
  private long unfollowed;
  private Optional<String> firstUnfollowed = Optional.empty();
  private @Nullable RuntimeException failure;

  Search(
      ExplorationRequest request,
      Path place,
      RunStore store,
      Function<Consumer<String>, Engine> engines,
      Explorer.Progress progress) {
    this.request = request;
    this.place = place;
    this.home = store.home();
    this.progress = progress;
    Random random = new Random(request.seed());
    exploration =
        new Exploration(
            new Exploration.Request(request.bound(), request.preference(), random::nextInt)
                .withPolls(request.pollFailures()));
    outcomes = new OutcomeClasses(store, request.program(), request.keep());
    state = SearchState.open(place, request.terms());
    ProgramRunner.Settings settings =
        new ProgramRunner.Settings(
            request.mpicc(),
            request.stallLimit(),
            request.judge(),
            request.privateDirectory(),
            request.pollFailures());
    for (int job = 0; job < request.jobs(); job++) {
      runners.add(new ProgramRunner(freshPlace("job-" + job), engines, settings));
    }
  }

  /** What a search that was killed left there is nobody's any more. */
  private Path freshPlace(String name) {
    try {
      Path own = place.resolve(name);
      if (Files.exists(own)) {
        PrivateFiles.removeTree(own);
      }
      return PrivateFiles.createDirectory(own);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first run, which all plans are made for; false if there is nothing to explore. */
  boolean begin() throws IOException {
    ProgramRunner.Executed executed =
        runners.getFirst().record(request.command(), OptionalLong.empty(), OptionalInt.of(1));
    if (executed.recording().summary().isEmpty()) {
      throw new UserError(
          "there is nothing to explore",
          "no rank of the command left a trace" + printed(),
          "explore a program that calls MPI_Init: reprise explore mpirun -n 4 ./program");
    }
    RunDirectory first = executed.recording().run();
    RunDirectory kept = new RunDirectory(place.resolve("base"));
    copy(first, PrivateFiles.createDirectory(kept.path()));
    base = Optional.of(Explorer.base(place));
    add(Optional.empty(), executed);
    return true;
  }

  /** What the command said instead of starting ranks, if it said something. */
  private String printed() {
    List<String> lines = runners.getFirst().errors();
    return lines.isEmpty() ? "" : "; it said:\n" + String.join("\n", lines);
  }

  void restore() {
    base = Optional.of(Explorer.base(place));
    SearchState.restore(place, request.terms(), exploration, outcomes, home, this::left)
        .forEach(this::doubt);
  }

  /** The first run stays as the base of all plans; what is kept of it for the user is another. */
  private static void copy(RunDirectory of, Path to) throws IOException {
    try (var files = Files.list(of.path())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(
            file,
            to.resolve(file.getFileName()),
            StandardCopyOption.COPY_ATTRIBUTES,
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  ExplorationReport run() {
    try (Signals _ = Signals.take(List.of("INT", "TERM", "HUP"), _ -> interrupt())) {
      List<Thread> threads = new ArrayList<>();
      for (ProgramRunner runner : runners.subList(1, runners.size())) {
        threads.add(Thread.ofPlatform().name("explorer").start(() -> work(runner)));
      }
      work(runners.getFirst());
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      interrupted = true;
    }
    if (failure != null) {
      throw failure;
    }
    if (isExhausted()) {
      removeTree(place);
    }
    return report(isComplete());
  }

  /** Runs under way end; what they did does not count. */
  private void interrupt() {
    synchronized (this) {
      interrupted = true;
      notifyAll();
    }
    runners.forEach(ProgramRunner::interrupt);
  }

  /** Runs plans until there are none for it, or no more is wanted. */
  private void work(ProgramRunner runner) {
    try {
      for (var plan = take(); plan.isPresent(); plan = take()) {
        bring(plan.get(), runner.attempt(base.orElseThrow(), plan.get().ranks()));
      }
    } catch (RuntimeException e) {
      synchronized (this) {
        failure = failure == null ? e : failure;
        running--;
        notifyAll();
      }
    }
  }

  /** The next plan; waits while what runs now may still bring some. */
  private synchronized Optional<Exploration.Planned> take() {
    while (!isOver()) {
      Optional<Exploration.Planned> plan = exploration.next();
      if (plan.isPresent()) {
        running++;
        return plan;
      }
      if (running == 0) {
        break;
      }
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        interrupted = true;
      }
    }
    return Optional.empty();
  }

  private boolean isOver() {
    boolean enough =
        request.max().isPresent()
            && exploration.executions() + running >= request.max().getAsLong();
    boolean late =
        request.time().isPresent() && System.nanoTime() - start > request.time().get().toNanos();
    boolean found = request.stopAtFirst() && outcomes.anyFailure();
    return interrupted || enough || late || found || failure != null;
  }

  private synchronized void bring(Exploration.Planned plan, ProgramRunner.Executed executed) {
    running--;
    notifyAll();
    if (executed.isInterrupted()) {
      interrupted = true;
      executed.remove();
      return;
    }
    if (!executed.followed()) {
      String who = whoLeft(executed.use());
      left(who);
      state.left(who);
      if (executed.stalled()) {
        // A plan that the program cannot follow hangs; that says nothing of the program.
        executed.remove();
        exploration.giveUp(plan);
        return;
      }
    }
    add(Optional.of(plan), executed);
  }

  private void left(String who) {
    unfollowed++;
    firstUnfollowed = firstUnfollowed.or(() -> Optional.of(who));
  }

  private static String whoLeft(Followed.PlanUse use) {
    return switch (use) {
      case Followed.PlanUse.Left(var rank, _) -> rank + " did something else than before";
      case Followed.PlanUse.Unused(var ranks) -> ranks.getFirst() + " did not get so far";
      case Followed.PlanUse.Whole() -> "nobody";
    };
  }

  private void add(Optional<Exploration.Planned> plan, ProgramRunner.Executed executed) {
    List<RankTrace> traces = executed.traces();
    Exploration.Added added = exploration.add(plan, traces, executed.cut(), executed.numbering());
    long events = traces.stream().mapToLong(trace -> trace.events().size()).sum();
    List<Doubt> left = doubts(executed, added, executed.run());
    left.forEach(this::doubt);
    switch (added) {
      case Exploration.Added.Fresh fresh -> {
        outcomes.add(executed.outcome(), executed.attempt()::written, events);
        state.fresh(fresh, outcomes.counted(executed.outcome()), left);
      }
      case Exploration.Added.Known _ -> state.known(left);
    }
    executed.remove();
    progress.report(
        new Explorer.Standing(
            exploration.executions(),
            exploration.classes(),
            exploration.waiting(),
            outcomes.size(),
            outcomes.failures(),
            exploration.plansPerClass()));
  }

  private static List<Doubt> doubts(
      ProgramRunner.Executed executed, Exploration.Added added, RecordedRun run) {
    Set<Doubt> left = new LinkedHashSet<>();
    if (executed.outcome().kind() == ExecutionOutcome.Kind.STALLED) {
      left.add(Doubt.of(Doubt.Reason.STALLED));
    } else if (executed.cut().isPresent()) {
      left.add(Doubt.of(Doubt.Reason.CUT_SHORT));
    }
    added.notices().forEach(notice -> left.add(Doubt.of(notice)));
    for (RecordingGap gap : RecordingGap.of(run)) {
      // Clocks and random sources are given to every run as the first one had them.
      if (gap.kind() != RecordingGap.Kind.INPUTS) {
        left.add(new Doubt(Doubt.Reason.UNRECORDED, gap.what()));
      }
    }
    List<String> passed = CallTable.ofInterposer().made(run, CallTable.Call::isPassed);
    if (!passed.isEmpty()) {
      left.add(new Doubt(Doubt.Reason.UNFOLLOWED, String.join(", ", passed)));
    }
    return List.copyOf(left);
  }

  private void doubt(Doubt doubt) {
    doubts.merge(doubt, 1, Integer::sum);
  }

  /** Whether there is nothing left that a search which goes on could try. */
  private boolean isExhausted() {
    return !interrupted
        && exploration.open() == 0
        && unfollowed == 0
        && exploration.notFollowed() == 0;
  }

  private boolean isComplete() {
    return isExhausted() && exploration.isComplete() && doubts.isEmpty();
  }

  private ExplorationReport report(boolean complete) {
    List<String> sentences = new ArrayList<>();
    if (unfollowed > 0 || exploration.notFollowed() > 0) {
      sentences.add(
          Words.count(Math.max(unfollowed, exploration.notFollowed()), "run")
              + " did something else than planned (the first: "
              + firstUnfollowed.orElse("an outcome was another")
              + "): the program depends on more than its messages");
    }
    doubts.forEach((doubt, runs) -> sentences.add(doubt.sentence(runs)));
    if (exploration.leaves().contains(Exploration.Left.ANSWERS)) {
      sentences.add(
          (request.pollFailures() > 0 ? "some " : "")
              + "polls and calls that choose a request were answered as it happened");
    }
    if (exploration.leaves().contains(Exploration.Left.LATER_ANSWERS)) {
      sentences.add(
          "a poll that had failed "
              + Words.count(request.pollFailures(), "time")
              + " in a row was answered as it happened from then on");
    }
    return new ExplorationReport(
        base.orElseThrow().ranks(),
        exploration.executions(),
        exploration.classes(),
        exploration.redundant(),
        Math.max(unfollowed, exploration.notFollowed()),
        exploration.open(),
        complete,
        request.bound(),
        sentences,
        Duration.ofNanos(System.nanoTime() - start),
        outcomes.sorted(),
        isExhausted()
            ? Optional.empty()
            : Optional.of(
                new ExplorationReport.Unfinished(place.getFileName().toString(), request.terms())),
        interrupted);
  }

  private static void removeTree(Path tree) {
    try {
      PrivateFiles.removeTree(tree);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    state.close();
    runners.forEach(ProgramRunner::close);
  }
}
