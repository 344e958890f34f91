package org.reprise.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.reprise.launch.run.Replay;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.launch.verdict.Verdict;
import org.reprise.launch.verdict.VerdictText;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.run.EventsManifest;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/**
 * The full events of a run. Few runs are recorded with them: recording stays light, and a replay,
 * which does the same again, may take the time to write everything down (Thoai and Volkert 2003,
 * section 8).
 */
public final class EventLearner {
  private static final List<String> KINDS = List.of("events", "tail", "sites");

  private final Engine engine;

  public EventLearner(Engine engine) {
    this.engine = engine;
  }

  /** Whether a run has all its events, and it is known that they are its own. */
  public static boolean knows(RecordedRun run) {
    return EventsManifest.of(run).filter(EventsManifest::isWhole).isPresent();
  }

  /**
   * Makes sure that a run has its events: learns them by a replay, unless it has them and nobody
   * asks for more of the stack. False if the replay left the recorded order: then they are those up
   * to there, unless the run had all of them before.
   *
   * @param engine the run's own; asked for only if there is something to learn, and may refuse
   * @param frames of the stack that each event is to have, if not one
   * @param notes is given what a person should know, a sentence each
   */
  public static boolean ensure(
      RecordedRun run,
      Supplier<Engine> engine,
      OptionalInt frames,
      OptionalLong jitterSeed,
      Consumer<String> notes) {
    RunDirectory directory = run.directory();
    if (frames.isEmpty() && knows(run)) {
      return true;
    }
    Engine own = engine.get();
    notes.accept("replaying " + directory.name() + " to learn its events");
    Replay replay =
        new EventLearner(own)
            .learn(
                new ReplayRequest(
                    directory,
                    Optional.empty(),
                    Optional.empty(),
                    jitterSeed,
                    ReplayRequest.STALL_LIMIT,
                    Optional.empty(),
                    OptionalInt.of(frames.orElse(1)),
                    true));
    boolean known = knows(run);
    if (replay.verdict() instanceof Verdict.SameOrder) {
      if (!known) {
        throw new UserError(
            "the events of " + directory.name() + " could not be written to the end",
            "the file of a rank is cut short, though it did what it had done",
            "make room in " + directory.path() + ", and try again");
      }
      return true;
    }
    VerdictText.lines(replay.verdict()).forEach(notes);
    notes.accept(
        known ? "the events are those that were there before" : "the events are those up to there");
    return false;
  }

  /**
   * Replays a run and keeps its events with it, and what the replay was judged to be. Those of a
   * replay that left the recorded order, or ended early, go up to there; they take the place of
   * others only if these were no better.
   */
  public Replay learn(ReplayRequest request) {
    return engine.replay(
        request, (scratch, replay) -> keep(scratch, RecordedRun.open(request.run()), replay));
  }

  static void keep(RunDirectory scratch, RecordedRun run, Replay replay) {
    EventsManifest learned =
        EventsManifest.of(
            run, scratch, origin(replay.verdict()), replay.program(), endedSooner(replay));
    if (!learned.isWhole() && knows(run)) {
      return;
    }
    RunDirectory to = run.directory();
    try {
      EventsManifest.remove(to);
      for (Rank rank : run.ranksPresent()) {
        for (String kind : KINDS) {
          String name = "rank-" + rank.number() + "." + kind;
          move(scratch.path().resolve(name), to.path().resolve(name));
        }
        to.claimEvents(rank);
      }
      learned.keep(to);
    } catch (IOException | UncheckedIOException e) {
      throw new UserError(
          "the events cannot be kept with the run",
          String.valueOf(e.getMessage()),
          "make room in " + to.path() + ", and see that you may write there");
    }
  }

  private static EventsManifest.Origin origin(Verdict verdict) {
    return switch (verdict) {
      case Verdict.SameOrder _ -> EventsManifest.Origin.SAME_ORDER;
      case Verdict.Diverged _ -> EventsManifest.Origin.DIVERGED;
      case Verdict.Stuck _ -> EventsManifest.Origin.STUCK;
      case Verdict.EndedEarly _ -> EventsManifest.Origin.ENDED_EARLY;
      case Verdict.Interrupted _ -> EventsManifest.Origin.INTERRUPTED;
    };
  }

  private static List<Rank> endedSooner(Replay replay) {
    return replay.verdict() instanceof Verdict.SameOrder same
        ? same.endedSooner().stream().map(Verdict.RankProgress::rank).toList()
        : List.of();
  }

  private static void move(Path from, Path to) throws IOException {
    if (Files.exists(from)) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.deleteIfExists(to);
    }
  }
}
