package org.reprise.launch;

import org.reprise.trace.RunStore;

/** Runs a command with the interposer in its ranks and keeps what they leave as a run. */
@SuppressWarnings("DoNotCallSuggester")
public final class Recorder {
  public Recorder(RunStore store, Surroundings surroundings) {}

  /** Runs the command to its end. Its output goes where this process's output goes. */
  public Recording record(RecordRequest request) {
    throw new UnsupportedOperationException("not there yet");
  }
}
