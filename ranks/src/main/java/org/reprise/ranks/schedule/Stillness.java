package org.reprise.ranks.schedule;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether all threads of the process but the calling one are at rest at the same time: none runs,
 * and none has been woken that has not run yet. Java does not tell the latter from one that sleeps;
 * Linux does, from the instant at which the other thread wakes it.
 *
 * <p>Threads are looked at one after the other, and twice. One that sleeps both times and was not
 * switched to in between slept in between; so at the instant between the two looks all of them did
 * (a double collect, as for snapshots by Afek et al., 1993). Those of the virtual machine count,
 * too: a thread that loads a class may wait for a compiler, and all of them for a collection of
 * garbage.
 */
final class Stillness {
  private static final Path TASKS = Path.of("/proc/self/task");
  private static final String STATE = "State:";
  private static final String SWITCHES = "voluntary_ctxt_switches:";
  private static final String OTHER_SWITCHES = "nonvoluntary_ctxt_switches:";

  /** So long a thread may run before those that want to go on do not wait for it any more. */
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  /** Since when somebody wants to go on and others do not rest; 0 if that is not so. */
  private long waitingSinceNanos;

  private boolean isGivenUp;

  /**
   * Whether all others are at rest. A thread that never is, a loop that waits for others, must not
   * keep them waiting for ever: after a while it does not count.
   *
   * @param isWanted whether somebody wants to go on
   */
  boolean isReached(boolean isWanted) {
    if (areAtRest()) {
      waitingSinceNanos = 0;
      return true;
    }
    long now = System.nanoTime();
    if (!isWanted) {
      waitingSinceNanos = 0;
    } else if (waitingSinceNanos == 0) {
      waitingSinceNanos = now;
    } else {
      isGivenUp |= now - waitingSinceNanos > PATIENCE_NANOS;
    }
    return isGivenUp && isWanted;
  }

  /** Whether a thread never came to rest. */
  boolean isGivenUp() {
    return isGivenUp;
  }

  /** True if all others were at rest just now; false if that is not known. */
  private static boolean areAtRest() {
    try {
      String self = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
      Map<String, String> before = new HashMap<>();
      boolean sleep = look(self, before);
      return sleep && look(self, before);
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether each thread sleeps, and has not run since the last look if there was one. */
  private static boolean look(String self, Map<String, String> before) throws IOException {
    boolean isFirst = before.isEmpty();
    int count = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        String number = task.getFileName().toString();
        String status = number.equals(self) ? "" : status(task);
        if (status.isEmpty()) {
          continue;
        }
        String switches = line(status, SWITCHES) + line(status, OTHER_SWITCHES);
        String seen = isFirst ? before.put(number, switches) : before.get(number);
        if (!line(status, STATE).startsWith("S") || (!isFirst && !switches.equals(seen))) {
          return false;
        }
        count++;
      }
    }
    return isFirst || count == before.size();
  }

  private static String status(Path task) throws IOException {
    try {
      return Files.readString(task.resolve("status"));
    } catch (NoSuchFileException ended) {
      return "";
    }
  }

  /** What stands behind a word at the beginning of a line. */
  private static String line(String status, String word) {
    int at = status.indexOf("\n" + word);
    int end = status.indexOf('\n', at + 1);
    return at < 0 || end < 0 ? "" : status.substring(at + 1 + word.length(), end).strip();
  }
}
