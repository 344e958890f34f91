package org.reprise.launch.explore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.reprise.launch.run.NewRun;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** The outcomes of an exploration: how many executions had each, and the shortest run of each. */
final class OutcomeClasses {
  private final RunStore store;
  private final String program;
  private final int keep;
  private final Map<ExecutionOutcome, ExplorationReport.Counted> outcomes = new LinkedHashMap<>();

  OutcomeClasses(RunStore store, String program, int keep) {
    this.store = store;
    this.program = program;
    this.keep = keep;
  }

  int size() {
    return outcomes.size();
  }

  /**
   * Counts an execution; its run is kept as the user's if it is the shortest of its outcome.
   *
   * @param run gives it, written
   */
  void add(ExecutionOutcome outcome, Supplier<RunDirectory> run, long events) {
    ExplorationReport.Counted known = outcomes.get(outcome);
    if (known == null) {
      Optional<RunDirectory> kept =
          outcomes.size() < keep ? Optional.of(take(run.get())) : Optional.empty();
      outcomes.put(outcome, new ExplorationReport.Counted(outcome, 1, kept, events));
      return;
    }
    Optional<RunDirectory> kept = known.run();
    long shortest = known.events();
    if (kept.isPresent() && events < shortest) {
      NewRun.removeQuietly(kept.get());
      kept = Optional.of(take(run.get()));
      shortest = events;
    }
    outcomes.put(
        outcome, new ExplorationReport.Counted(outcome, known.count() + 1, kept, shortest));
  }

  ExplorationReport.Counted counted(ExecutionOutcome outcome) {
    return Objects.requireNonNull(outcomes.get(outcome));
  }

  /** What an exploration that was interrupted had found. */
  void restore(ExplorationReport.Counted counted) {
    outcomes.put(counted.outcome(), counted);
  }

  private RunDirectory take(RunDirectory run) {
    return take(store, program, run);
  }

  /** Moves a run to where the user's are, under the next name of a program. */
  static RunDirectory take(RunStore store, String program, RunDirectory run) {
    RunDirectory own = store.create(program);
    try {
      PrivateFiles.removeTree(own.path());
      Files.move(run.path(), own.path());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    own.describe(own.description().with().name(own.name()).build());
    return own;
  }

  List<ExplorationReport.Counted> sorted() {
    List<ExplorationReport.Counted> all = new ArrayList<>(outcomes.values());
    all.sort(
        Comparator.comparing((ExplorationReport.Counted each) -> !each.outcome().isFailure())
            .thenComparing(Comparator.comparingLong(ExplorationReport.Counted::count).reversed()));
    return all;
  }

  boolean anyFailure() {
    return failures() > 0;
  }

  /** How many outcomes are failures. */
  int failures() {
    return (int) outcomes.keySet().stream().filter(ExecutionOutcome::isFailure).count();
  }
}
