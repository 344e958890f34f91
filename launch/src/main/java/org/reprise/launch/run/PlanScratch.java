package org.reprise.launch.run;

import java.io.IOException;
import org.reprise.launch.process.Scratch;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.run.PlanDirectory;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/** Where a plan lies while ranks follow it: in the run that comes of it, until that has ended. */
public final class PlanScratch implements AutoCloseable {
  private final Scratch scratch;
  private final RecordedRun plan;

  private PlanScratch(Scratch scratch, RecordedRun plan) {
    this.scratch = scratch;
    this.plan = plan;
  }

  public static PlanScratch of(FollowRequest request, RunDirectory run) {
    try {
      Scratch scratch = Scratch.create(run.path(), "plan-");
      return new PlanScratch(
          scratch, PlanDirectory.write(request.base(), request.plan(), scratch.path()));
    } catch (IOException e) {
      throw noPlace(e);
    }
  }

  public RecordedRun plan() {
    return plan;
  }

  private static UserError noPlace(IOException reason) {
    return new UserError(
        "there is no room for a plan", PrivateFiles.reason(reason), RunDirectory.ROOM_FIX);
  }

  @Override
  public void close() {
    try {
      scratch.close();
    } catch (IOException e) {
      throw noPlace(e);
    }
  }
}
