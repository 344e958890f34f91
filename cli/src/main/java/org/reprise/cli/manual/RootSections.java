package org.reprise.cli.manual;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/** What the manual says of Reprise as a whole and no command's model knows. */
final class RootSections {
  /** Heading, then tag, then text; all in the order of the page. */
  static final SequencedMap<String, SequencedMap<String, String>> SECTIONS = new LinkedHashMap<>();

  static {
    SECTIONS.put(
        "EXIT STATUS",
        of(
            Map.entry("0", "Done. Commands that run a program pass its own status on."),
            Map.entry("1", "Something the user can put right; the message says how."),
            Map.entry("2", "The command line is wrong."),
            Map.entry("65", "A file of a run is damaged or of another version."),
            Map.entry("67", "A replay left the recorded order or got stuck."),
            Map.entry("68", "A program on Reprise's own engine came to a deadlock."),
            Map.entry("70", "A bug in Reprise."),
            Map.entry("77", "A run that is not your own was not executed."),
            Map.entry("128+N", "Signal N ended the program.")));
    SECTIONS.put(
        "ENVIRONMENT",
        of(
            Map.entry("REPRISE_HOME", "Where runs are kept."),
            Map.entry(
                "XDG_DATA_HOME",
                "Runs are kept in its directory reprise if REPRISE_HOME is unset."),
            Map.entry("XDG_STATE_HOME", "The key of your runs is kept in its directory reprise."),
            Map.entry("REPRISE_JAVA_HOME", "The JDK that Reprise itself runs on."),
            Map.entry("NO_COLOR", "If set to anything, nothing is coloured.")));
    SECTIONS.put(
        "FILES",
        of(
            Map.entry(
                "~/.local/share/reprise",
                "Where runs are kept if neither variable is set: a directory for each run, and the "
                    + "link latest."),
            Map.entry(
                "~/.local/state/reprise/run-key",
                "By which your own runs are known, if XDG_STATE_HOME is unset.")));
  }

  @SafeVarargs
  private static SequencedMap<String, String> of(Map.Entry<String, String>... entries) {
    SequencedMap<String, String> map = new LinkedHashMap<>();
    for (Map.Entry<String, String> entry : entries) {
      map.put(entry.getKey(), entry.getValue());
    }
    return map;
  }

  private RootSections() {}
}
