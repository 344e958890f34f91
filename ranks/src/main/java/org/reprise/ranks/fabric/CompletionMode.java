package org.reprise.ranks.fabric;

/** What a completion call wants of its operations, and whether it waits for it. */
public enum CompletionMode {
  WAIT(MpiCall.WAIT, true),
  TEST(MpiCall.TEST, false),
  WAIT_ALL(MpiCall.WAITALL, true),
  TEST_ALL(MpiCall.TESTALL, false),
  WAIT_ANY(MpiCall.WAITANY, true),
  TEST_ANY(MpiCall.TESTANY, false),
  WAIT_SOME(MpiCall.WAITSOME, true),
  TEST_SOME(MpiCall.TESTSOME, false);

  private final MpiCall call;
  private final boolean waits;

  CompletionMode(MpiCall call, boolean waits) {
    this.call = call;
    this.waits = waits;
  }

  public MpiCall call() {
    return call;
  }

  /** Whether it returns only when there is something to return. */
  public boolean waits() {
    return waits;
  }
}
