package org.reprise.cli;

import java.util.Locale;

/** How {@code check} prints its findings: for people, for scripts, for code review. */
enum CheckFormat {
  TEXT,
  JSON,
  SARIF;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
