package org.reprise.findings;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.reprise.anomaly.report.Conflict;

/** The kinds of findings that there are. A line that hides intended ones names a rule by its id. */
public enum Rule {
  MESSAGE_RACE(
      Level.WARNING,
      "message race",
      "A receive could have taken another message than the one it took.",
      Help.RACE),
  PROBE_RACE(
      Level.WARNING,
      "probe race",
      "A probe could have seen another message than the one it saw.",
      Help.RACE),
  POLL_RACE(
      Level.WARNING,
      "poll race",
      "A poll that saw a message could have seen another one, or none.",
      Help.RACE),
  UNCERTAIN_RACE(
      Level.WARNING,
      "uncertain race",
      "Whether a receive races is not known, as it is not known what another one took.",
      "Complete every receive from any source, or free none before it is completed."),
  ANOMALY(
      Level.ERROR,
      "access anomaly",
      "Two accesses of one variable, at least one of them a write, and nothing orders them.",
      Help.of(Conflict.Type.ANOMALY)),
  INCONSISTENT_LOCKING(
      Level.ERROR,
      "inconsistent locking",
      "Two accesses of one variable, at least one of them a write, hold no common lock.",
      Help.of(Conflict.Type.INCONSISTENT_LOCKING)),
  MISUSE(
      Level.ERROR,
      "misused function",
      "The result of a parallel stream depends on how it is split.",
      Help.of(Conflict.Type.MISUSE)),
  LOCK_ORDERED(
      Level.WARNING,
      "lock-ordered accesses",
      "A lock or an atomic operation keeps two accesses apart, but the schedule chooses their"
          + " order.",
      Help.of(Conflict.Type.LOCK_ORDERED)),
  FAILING_ORDER(
      Level.ERROR,
      "failing order",
      "The program fails if its messages are received in this order.",
      "Replay the run, and see reprise explain for the receives that matter.");

  /** What {@code races} finds. */
  public static final Set<Rule> OF_RACES = Set.copyOf(EnumSet.range(MESSAGE_RACE, UNCERTAIN_RACE));

  /** What {@code check} finds. */
  public static final Set<Rule> OF_ANOMALIES = Set.copyOf(EnumSet.range(ANOMALY, LOCK_ORDERED));

  /** How much a finding weighs; the names are SARIF's. */
  public enum Level {
    WARNING,
    ERROR
  }

  /** What rules advise. */
  private static final class Help {
    static final String RACE =
        "Name the source or the tag, or make what follows independent of the order, as by storing"
            + " each message under its source. If any order is right, suppress this finding.";

    /** The agent's words, as a sentence. */
    static String of(Conflict.Type type) {
      String advice = type.advice();
      return advice.substring(0, 1).toUpperCase(Locale.ROOT) + advice.substring(1) + ".";
    }
  }

  private final Level level;
  private final String title;
  private final String meaning;
  private final String help;

  Rule(Level level, String title, String meaning, String help) {
    this.level = level;
    this.title = title;
    this.meaning = meaning;
    this.help = help;
  }

  /** Short and lasting, for machines and suppressions: {@code message-race}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public Level level() {
    return level;
  }

  /** For people: {@code message race}. */
  public String title() {
    return title;
  }

  /** What it says about a program, in a sentence. */
  public String meaning() {
    return meaning;
  }

  /** What to do about it. */
  public String help() {
    return help;
  }
}
