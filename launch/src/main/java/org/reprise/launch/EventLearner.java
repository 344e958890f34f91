package org.reprise.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;
import org.reprise.trace.Rank;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.UserError;

/**
 * The full events of a run. Few runs are recorded with them: recording stays light, and a replay,
 * which does the same again, may take the time to write everything down (Thoai and Volkert 2003,
 * section 8).
 */
public final class EventLearner {
  private static final List<String> KINDS = List.of("events", "tail", "sites");

  /** Something that replays runs, and shows the directory of a replay before it is removed. */
  private interface Replaying {
    Replay replay(ReplayRequest request, Consumer<RunDirectory> keeper);
  }

  private final Replaying replaying;

  public EventLearner(Replayer replayer) {
    this.replaying = replayer::replay;
  }

  /** Of runs that were recorded on the embedded engine. */
  public EventLearner(EmbeddedReplayer replayer) {
    this.replaying = replayer::replay;
  }

  /** Whether a run has the events of every rank that left something. */
  public static boolean knows(RecordedRun run) {
    return run.ranksPresent().stream()
        .allMatch(rank -> Files.exists(run.directory().eventsFile(rank)));
  }

  /**
   * Replays a run and keeps its events with it. Where the replay left the recorded order, or ended
   * early, they are those up to there; the verdict tells.
   */
  public Replay learn(ReplayRequest request) {
    return replaying.replay(request, scratch -> keep(scratch, request.run()));
  }

  private static void keep(RunDirectory scratch, RunDirectory run) {
    for (Rank rank : scratch.ranks()) {
      for (String kind : KINDS) {
        String name = "rank-" + rank.number() + "." + kind;
        move(scratch.path().resolve(name), run.path().resolve(name));
      }
      run.claimEvents(rank);
    }
  }

  private static void move(Path from, Path to) {
    try {
      if (Files.exists(from)) {
        Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
      } else {
        Files.deleteIfExists(to);
      }
    } catch (IOException e) {
      throw new UserError(
          "the events cannot be kept with the run",
          String.valueOf(e.getMessage()),
          "make room in " + to.getParent() + ", and see that you may write there");
    }
  }
}
