package org.reprise.launch.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.reprise.ranks.engine.Deadlock;

/** A deadlock in words: each rank's wait, and the circle in which they wait. */
final class DeadlockText {
  /** Its first line says the most; without line ends. */
  static List<String> lines(Deadlock deadlock) {
    List<String> lines = new ArrayList<>();
    lines.add("deadlock: no rank can go on");
    for (Deadlock.Wait wait : deadlock.waits()) {
      lines.add(
          "  rank %d waits in %s%s for %s"
              .formatted(
                  wait.rank(),
                  wait.call(),
                  wait.line().map(line -> " (" + line + ")").orElse(""),
                  wait.what()));
    }
    if (!deadlock.cycle().isEmpty()) {
      List<Integer> circle = new ArrayList<>(deadlock.cycle());
      circle.add(circle.getFirst());
      lines.add(
          "  in a circle: "
              + circle.stream().map(rank -> "rank " + rank).collect(Collectors.joining(" -> ")));
    }
    return lines;
  }

  private DeadlockText() {}
}
