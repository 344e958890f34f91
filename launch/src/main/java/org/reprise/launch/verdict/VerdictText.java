package org.reprise.launch.verdict;

import java.util.ArrayList;
import java.util.List;
import org.reprise.trace.Counted;

/** A verdict in words. */
public final class VerdictText {
  /** The verdict, its first line saying the most; without line ends. */
  public static List<String> lines(Verdict verdict) {
    List<String> lines = new ArrayList<>();
    switch (verdict) {
      case Verdict.SameOrder same -> sameOrder(same, lines);
      case Verdict.Diverged diverged -> diverged(diverged, lines);
      case Verdict.Stuck stuck -> {
        lines.add(
            "stuck: no rank made progress for "
                + stuck.limitSeconds()
                + " s, though the recording went on; the replay was ended");
        stuck
            .ranks()
            .forEach(
                place ->
                    lines.add(
                        "  " + waiting(place) + (place.how().isEmpty() ? "" : ", " + place.how())));
      }
      case Verdict.EndedEarly early -> {
        lines.add("ended early: the program ended before its recording did");
        early.ranks().forEach(progress -> lines.add("  " + progress(progress)));
      }
      case Verdict.Interrupted interrupted -> {
        lines.add("interrupted: the replay was ended before its recording was over");
        interrupted.ranks().forEach(progress -> lines.add("  " + progress(progress)));
      }
    }
    verdict.soft().forEach(soft -> lines.add("note: " + soft(soft)));
    return lines;
  }

  private static void sameOrder(Verdict.SameOrder same, List<String> lines) {
    String who = same.ranks() == 1 ? "1 rank" : "all " + same.ranks() + " ranks";
    String all = Counted.of(same.outcomes(), "outcome");
    long missed =
        same.endedSooner().stream()
            .mapToLong(progress -> progress.recorded() - progress.replayed().orElse(0L))
            .sum();
    String some = (same.outcomes() - missed) + " of " + all;
    String not = String.join(", ", same.notReplayed());
    boolean whole = same.endedSooner().isEmpty();
    if (not.isEmpty() && whole) {
      lines.add("same order: %s did what the recording did, %s".formatted(who, all));
    } else if (not.isEmpty()) {
      lines.add(
          "same order as far as it went: %s did what the recording did, %s, until the job ended"
              .formatted(who, some));
    } else if (whole) {
      lines.add(
          "same order of messages: %s received as recorded, %s; not replayed: %s"
              .formatted(who, all, not));
    } else {
      lines.add(
          "same order of messages as far as it went: %s received as recorded, %s, until the job ended; not replayed: %s"
              .formatted(who, some, not));
    }
    same.cutOff()
        .forEach(
            place ->
                lines.add(
                    "the recording ends here: "
                        + waiting(place)
                        + (place.waitingFor().isPresent() ? ", and " : " and ")
                        + place.how()));
    same.endedSooner()
        .forEach(
            progress ->
                lines.add("the job ended as it was recorded; by then " + progress(progress)));
    if (same.atRest()) {
      lines.add("nothing moved any more from there on, so the replay was ended");
    }
  }

  private static void diverged(Verdict.Diverged diverged, List<String> lines) {
    Verdict.Departure first = diverged.first();
    String where =
        first.outcome().map(outcome -> " at outcome " + outcome).orElse("")
            + first
                .call()
                .map(call -> ", in " + call + " (call " + first.callNumber() + ")")
                .orElse("");
    lines.add("diverged: " + first.rank() + " left the recorded order" + where);
    lines.add("  recorded: " + first.expected());
    lines.add("  now:      " + first.found());
    if (!diverged.others().isEmpty()) {
      lines.add("  " + Ranks.text(diverged.others()) + " diverged later");
    }
  }

  private static String place(Verdict.RankPlace place) {
    return place.rank()
        + " was "
        + place
            .call()
            .map(call -> "in " + call + " (call " + place.callNumber() + ")")
            .orElse("outside MPI (after call " + place.callNumber() + ")")
        + place.at().map(at -> " at " + at.text()).orElse("");
  }

  private static String waiting(Verdict.RankPlace place) {
    return place(place) + place.waitingFor().map(what -> ", waiting for " + what).orElse("");
  }

  private static String progress(Verdict.RankProgress progress) {
    return progress
        .replayed()
        .map(
            replayed ->
                progress.rank()
                    + " had replayed "
                    + replayed
                    + " of "
                    + Counted.of(progress.recorded(), "outcome"))
        .orElse(progress.rank() + " left no trace");
  }

  private static String soft(Verdict.SoftDifferences soft) {
    List<String> parts = new ArrayList<>();
    if (soft.pollsBeyond() > 0) {
      parts.add(Counted.of(soft.pollsBeyond(), "poll") + " more than recorded");
    }
    if (soft.pollsSkipped() > 0) {
      parts.add(Counted.of(soft.pollsSkipped(), "recorded poll") + " not made");
    }
    if (soft.sendsDeferred() > 0) {
      parts.add(Counted.of(soft.sendsDeferred(), "send") + " finished later");
    }
    if (soft.inputsUnmatched() > 0) {
      parts.add(Counted.of(soft.inputsUnmatched(), "clock or random value") + " not recorded");
    }
    if (soft.unverified()) {
      parts.add("several threads called MPI at once, so its order is not verified");
    }
    if (soft.turnsGivenUp()) {
      parts.add("its threads could not be kept in the recorded order to the end");
    }
    return soft.rank() + ": " + String.join("; ", parts);
  }

  private VerdictText() {}
}
