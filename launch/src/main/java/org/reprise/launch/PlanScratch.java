package org.reprise.launch;

import java.io.IOException;
import org.reprise.trace.PlanDirectory;
import org.reprise.trace.PrivateFiles;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.UserError;

/** Where a plan lies while ranks follow it: in the run that comes of it, until that has ended. */
final class PlanScratch implements AutoCloseable {
  private final RecordedRun plan;

  private PlanScratch(RecordedRun plan) {
    this.plan = plan;
  }

  static PlanScratch of(FollowRequest request, RunDirectory run) {
    try {
      return new PlanScratch(
          PlanDirectory.write(
              request.base(),
              request.plan(),
              PrivateFiles.createTemporaryDirectory(run.path(), "plan-")));
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
      PrivateFiles.removeTree(plan.directory().path());
    } catch (IOException e) {
      throw noPlace(e);
    }
  }
}
