package org.reprise.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.trace.UserError;

/** What whole commands with many ranks take: time and the most memory the process ever had. */
final class RankCommands {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Pattern PEAK = Pattern.compile("peak kB (\\d+)");

  private final Workshop workshop;

  RankCommands(Workshop workshop) {
    this.workshop = workshop;
  }

  void print(List<Integer> sizes) {
    System.out.printf(
        Locale.ROOT, "%n%-34s %8s %8s %8s%n", "WHOLE COMMAND", "RANKS", "s", "peak MB");
    for (String program : List.of("RingAndSum", "RingAndSumCounted")) {
      for (List<String> mode :
          List.of(
              List.of("run"),
              List.of("run", "--seed", "1"),
              List.of("record"),
              List.of("record", "--seed", "1"))) {
        for (int ranks : sizes) {
          print(program, mode, ranks);
        }
      }
    }
  }

  private void print(String program, List<String> mode, int ranks) {
    List<String> words = new ArrayList<>();
    words.add(workshop.root().resolve("reprise").toString());
    words.addAll(mode);
    words.addAll(List.of("-n", String.valueOf(ranks)));
    words.add(workshop.root().resolve("bench/java/" + program + ".java").toString());
    var home = workshop.freshDirectory("runs");
    Command.Result result =
        Command.run(words, Map.of("REPRISE_HOME", home.toString()), LIMIT, workshop);
    Matcher peak = PEAK.matcher(result.outOrThrow(words));
    if (!peak.find()) {
      throw new UserError(
          "a benchmark printed no result", result.out(), "it needs /proc/self/status");
    }
    System.out.printf(
        Locale.ROOT,
        "%-34s %8d %8.2f %8d%n",
        String.join(" ", mode) + " " + program,
        ranks,
        result.seconds(),
        Long.parseLong(peak.group(1)) >> 10);
    Workshop.remove(home);
  }
}
