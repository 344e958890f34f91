package org.reprise.debugger.source;

/** What a source-level debugger cannot do: mostly that an expression makes no sense there. */
public final class SourceError extends RuntimeException {
  public SourceError(String message) {
    super(message);
  }
}
