package org.reprise.cli.option;

import java.util.Locale;

/** How a command prints: for people or for scripts. Its words are what --format takes. */
public enum Format {
  TEXT,
  JSON;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
