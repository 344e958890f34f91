package org.reprise.debugger.restore;

import java.util.Optional;
import java.util.OptionalInt;
import org.reprise.debugger.hold.JobProcesses;
import org.reprise.launch.mpi.HeldReplay;

/** Ranks that were restored together, and the hub between them. */
final class RestoredRanks implements JobProcesses {
  private final Hub hub;
  private volatile boolean closed;

  RestoredRanks(Hub hub) {
    this.hub = hub;
  }

  Hub hub() {
    return hub;
  }

  /** Each rank's end is seen by its own connections. */
  @Override
  public boolean isAlive() {
    return !closed && hub.refusal().isEmpty();
  }

  @Override
  public boolean isThere(int rank) {
    return hub.isThere(rank);
  }

  @Override
  public void hush() {
    hub.hush();
  }

  @Override
  public Optional<HeldReplay> replay() {
    return Optional.empty();
  }

  @Override
  public OptionalInt exitStatus() {
    return hub.exitStatus();
  }

  @Override
  public void close() {
    closed = true;
    hub.close();
  }
}
