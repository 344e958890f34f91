package org.reprise.trace.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.OrderWriter;
import org.reprise.trace.order.RankPlan;

/**
 * A plan for all ranks of a job. A plan is a trace: it lies in a directory as a run does, and ranks
 * read it as they read a recording. Its order files say that they are a plan, and have no checks of
 * what was received, since nobody knows that yet.
 */
public final class PlanDirectory {
  /**
   * Writes a plan.
   *
   * @param base the run whose command is run, and whose inputs the ranks get
   * @param ranks what each rank is to do; others are free
   * @param into an empty directory
   */
  public static RecordedRun write(RecordedRun base, Map<Rank, RankPlan> ranks, Path into) {
    requireOneThread(base);
    RunDirectory directory = new RunDirectory(into);
    for (Rank rank : base.ranksPresent()) {
      RankPlan plan = ranks.getOrDefault(rank, RankPlan.FREE);
      RankHeader header = header(base.header(rank), plan);
      try (OrderWriter writer = new OrderWriter(directory.orderFile(rank), header)) {
        plan.orderedPosts().forEach(writer::write);
        plan.calls().forEach(writer::write);
      }
      link(base.directory().inputsFile(rank), directory.inputsFile(rank));
    }
    directory.describe(base.description());
    return RecordedRun.open(directory);
  }

  /** Which thread comes when depends on what the others do, and is no decision of a plan yet. */
  public static void requireOneThread(RecordedRun base) {
    for (Rank rank : base.ranksPresent()) {
      if (base.header(rank).has(Wire.Flag.MANY_THREADS)) {
        throw new UserError(
            "a run in which several threads of a rank called MPI cannot be changed",
            rank + " of " + base.directory().name(),
            "replay it as it is");
      }
    }
  }

  /**
   * The header of a rank's plan. It may be of another run of the program than the base, which made
   * fewer posts.
   */
  public static RankHeader header(RankHeader recorded, RankPlan plan) {
    long posts = plan.posts().keySet().stream().mapToLong(post -> post + 1).max().orElse(0);
    return recorded.with(
        Map.of(
            HeaderField.POSTS,
            Math.max(posts, recorded.get(HeaderField.POSTS)),
            HeaderField.OUTCOMES,
            (long) plan.posts().size() + plan.calls().size(),
            HeaderField.FLAGS,
            (long) Wire.Flag.PLAN.bit(),
            HeaderField.STATE,
            (long) Wire.State.RUNNING.ordinal(),
            HeaderField.EVENTS,
            0L,
            HeaderField.FAILED_POLLS,
            0L));
  }

  private static void link(Path from, Path to) {
    try {
      if (Files.exists(from)) {
        try {
          Files.createLink(to, from);
        } catch (UnsupportedOperationException | IOException otherDisk) {
          Files.copy(from, to);
        }
      }
    } catch (IOException e) {
      throw new UserError(
          "the plan cannot be written", PrivateFiles.reason(e), "make room in " + to.getParent());
    }
  }

  private PlanDirectory() {}
}
