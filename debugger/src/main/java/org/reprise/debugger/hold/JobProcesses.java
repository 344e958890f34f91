package org.reprise.debugger.hold;

import java.util.Optional;
import java.util.OptionalInt;
import org.reprise.launch.mpi.HeldReplay;

/** The processes of a job that is held: a replay, or ranks that were restored. */
public interface JobProcesses extends AutoCloseable {
  /** Whether any of them still runs. */
  boolean isAlive();

  /** Whether a rank is among them; others are replayed without it otherwise. */
  default boolean isThere(int rank) {
    return true;
  }

  /** Passes on nothing more of what they print. */
  void hush();

  /** The replay that they are, if they are one. */
  Optional<HeldReplay> replay();

  /** The exit status of those that have all ended, where no replay says it. */
  default OptionalInt exitStatus() {
    return OptionalInt.empty();
  }

  /** Ends them. */
  @Override
  void close();

  /** Those of a replay. */
  static JobProcesses of(HeldReplay replay) {
    return new JobProcesses() {
      @Override
      public boolean isAlive() {
        return replay.isAlive();
      }

      @Override
      public void hush() {
        replay.hush();
      }

      @Override
      public Optional<HeldReplay> replay() {
        return Optional.of(replay);
      }

      @Override
      public void close() {
        replay.close();
      }
    };
  }
}
