package org.reprise.trace;

import java.util.List;
import java.util.Optional;

/**
 * A place in the program that called MPI, with its callers as far as they were asked for: the
 * innermost frame first.
 */
public record CallSite(List<Frame> frames) {
  public CallSite {
    frames = List.copyOf(frames);
  }

  /** A program or library that was loaded into a rank. */
  public record Module(String path, String buildId) {}

  /** One function on the stack. */
  public sealed interface Frame {}

  /**
   * The address behind a call.
   *
   * @param module empty for code that the program generated
   * @param offset what the module's debug information calls the address
   */
  public record Address(Optional<Module> module, long offset) implements Frame {}

  /** A line that is known without debug information: a Java frame. */
  public record Line(String function, String file, int line) implements Frame {}
}
