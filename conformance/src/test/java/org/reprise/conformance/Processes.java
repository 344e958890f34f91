package org.reprise.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All processes that carry a mark in their environment: those a test started and everything these
 * started. Ranks whose launcher was killed are nobody's children any more, but keep the mark.
 */
record Processes(String variable, String mark) {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  /** Those that live. */
  List<ProcessHandle> alive() {
    return ProcessHandle.allProcesses().filter(this::isMarked).toList();
  }

  private boolean isMarked(ProcessHandle process) {
    return variable(process, variable).filter(mark::equals).isPresent();
  }

  /** A variable in the environment a process was started with; empty also for a dead process. */
  static Optional<String> variable(ProcessHandle process, String name) {
    return environment(process).stream()
        .filter(entry -> entry.startsWith(name + "="))
        .map(entry -> entry.substring(name.length() + 1))
        .findFirst();
  }

  private static List<String> environment(ProcessHandle process) {
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc", Long.toString(process.pid()), "environ"));
      return List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\0"));
    } catch (IOException e) {
      return List.of(); // gone by now, or somebody else's
    }
  }

  /** Waits until all have ended; those that have not when the patience is over. */
  List<ProcessHandle> awaitEnd(Duration patience) throws InterruptedException {
    long start = System.nanoTime();
    List<ProcessHandle> alive = alive();
    while (!alive.isEmpty() && System.nanoTime() - start < patience.toNanos()) {
      Thread.sleep(LOOK_AGAIN);
      alive = alive();
    }
    return alive;
  }

  /** Kills all, also those that appear meanwhile, and waits until they have ended. */
  void kill() throws InterruptedException {
    Set<ProcessHandle> killed = new HashSet<>();
    for (List<ProcessHandle> alive = alive(); !alive.isEmpty(); alive = alive()) {
      alive.forEach(ProcessHandle::destroyForcibly);
      killed.addAll(alive);
      Thread.sleep(LOOK_AGAIN);
    }
    // A process that is being killed loses its environment, and with it the mark, before it ends.
    while (killed.stream().anyMatch(Processes::isEnding)) {
      Thread.sleep(LOOK_AGAIN);
    }
  }

  /** Whether a killed process is still there, other than as a zombie. */
  private static boolean isEnding(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      return process.isAlive() && "ZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) < 0;
    } catch (IOException e) {
      return false;
    }
  }
}
