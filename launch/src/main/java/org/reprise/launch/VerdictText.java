package org.reprise.launch;

import java.util.ArrayList;
import java.util.List;

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
        stuck.ranks().forEach(place -> lines.add("  " + waiting(place)));
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
    String all = counted(same.outcomes(), "outcome", "outcomes");
    if (same.endedSooner().isEmpty()) {
      lines.add("same order: %s did what the recording did, %s".formatted(who, all));
    } else {
      long missed =
          same.endedSooner().stream()
              .mapToLong(progress -> progress.recorded() - progress.replayed().orElse(0L))
              .sum();
      lines.add(
          "same order as far as it went: %s did what the recording did, %d of %s, until the job ended"
              .formatted(who, same.outcomes() - missed, all));
    }
    same.cutOff()
        .forEach(
            place -> lines.add("the recording ends here: " + place(place) + " and " + place.how()));
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
            .orElse("outside MPI (after call " + place.callNumber() + ")");
  }

  private static String waiting(Verdict.RankPlace place) {
    return place(place)
        + place.waitingFor().map(source -> ", waiting for a message of source " + source).orElse("")
        + (place.how().isEmpty() ? "" : ", " + place.how());
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
                    + counted(progress.recorded(), "outcome", "outcomes"))
        .orElse(progress.rank() + " left no trace");
  }

  private static String soft(Verdict.SoftDifferences soft) {
    List<String> parts = new ArrayList<>();
    if (soft.pollsBeyond() > 0) {
      parts.add(counted(soft.pollsBeyond(), "poll", "polls") + " more than recorded");
    }
    if (soft.pollsSkipped() > 0) {
      parts.add(counted(soft.pollsSkipped(), "recorded poll", "recorded polls") + " not made");
    }
    if (soft.sendsDeferred() > 0) {
      parts.add(counted(soft.sendsDeferred(), "send", "sends") + " finished later");
    }
    if (soft.inputsUnmatched() > 0) {
      parts.add(
          counted(soft.inputsUnmatched(), "clock or random value", "clock or random values")
              + " not recorded");
    }
    if (soft.unverified()) {
      parts.add("several threads called MPI at once, so its order is not verified");
    }
    if (soft.turnsGivenUp()) {
      parts.add("its threads could not be kept in the recorded order to the end");
    }
    return soft.rank() + ": " + String.join("; ", parts);
  }

  private static String counted(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }

  private VerdictText() {}
}
