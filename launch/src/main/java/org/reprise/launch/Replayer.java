package org.reprise.launch;

import java.util.function.Consumer;

/** Runs a recorded command again with every recorded outcome forced, and judges what it did. */
@SuppressWarnings("DoNotCallSuggester")
public final class Replayer {
  /**
   * @param told gets sentences for stderr while the replay runs, before its verdict
   */
  public Replayer(Surroundings surroundings, Consumer<String> told) {}

  public Replay replay(ReplayRequest request) {
    throw new UnsupportedOperationException("not there yet");
  }
}
