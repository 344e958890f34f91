package org.reprise.launch;

import java.io.IOException;
import org.reprise.trace.PlanDirectory;
import org.reprise.trace.PrivateFiles;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.UserError;

/** Where a plan lies while ranks follow it: in the run that comes of it, until that has ended. */
final class PlanScratch implements AutoCloseable {
  private final Scratch scratch;
  private final RecordedRun plan;

  private PlanScratch(Scratch scratch, RecordedRun plan) {
    this.scratch = scratch;
    this.plan = plan;
  }

  static PlanScratch of(FollowRequest request, RunDirectory run) {
    try {
      Scratch scratch = Scratch.create(run.path(), "plan-");
      return new PlanScratch(
          scratch, PlanDirectory.write(request.base(), request.plan(), scratch.path()));
    } catch (IOException e) {
      throw noPlace(e);
    }
  }

  RecordedRun plan() {
    return plan;
  }

  private static UserError noPlace(IOException reason) {
    return new UserError(
        "there is no place for a plan", PrivateFiles.reason(reason), RunDirectory.ROOM_FIX);
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
