package org.reprise.launch.run;

import org.reprise.trace.UserError;

/**
 * There is no room for a recording, or it is not possible and nobody asked for it. Nothing is
 * started yet: the program can still run, without being recorded.
 */
public final class NotRecordable extends RuntimeException {
  private final UserError reason;

  public NotRecordable(UserError reason) {
    super(reason);
    this.reason = reason;
  }

  public UserError reason() {
    return reason;
  }
}
