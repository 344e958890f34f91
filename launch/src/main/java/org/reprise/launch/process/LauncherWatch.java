package org.reprise.launch.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ends a launcher that does not end itself. Open MPI's {@code mpirun} can deadlock in its own
 * finalization: PMIx waits for a thread that waits for a lock. All ranks have ended by then and
 * nobody asks for their status, so everybody who waits for {@code mpirun} waits for ever. A
 * launcher whose children have all ended, which has asked for none of them and has done nothing for
 * some seconds is such a one; what its ranks ended with is still known to the kernel.
 */
final class LauncherWatch {
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** Executables that start ranks: those of Open MPI 4 and 5, and of MPICH. */
  private static final Set<String> LAUNCHERS =
      Set.of("orterun", "orted", "prterun", "prted", "prte", "mpiexec.hydra", "hydra_pmi_proxy");

  private final Process process;
  private final Set<String> launchers;
  private final Duration limit;
  private volatile @Nullable Integer status;

  private LauncherWatch(Process process, Set<String> launchers, Duration limit) {
    this.process = process;
    this.launchers = launchers;
    this.limit = limit;
  }

  static LauncherWatch start(Process process, Duration limit) {
    return start(process, LAUNCHERS, limit);
  }

  /** For tests: a launcher that hangs cannot be had when it is wanted. */
  static LauncherWatch start(Process process, Set<String> launchers, Duration limit) {
    LauncherWatch watch = new LauncherWatch(process, launchers, limit);
    Thread.ofVirtual().name("launcher-watch").start(watch::run);
    return watch;
  }

  /** What the ranks of a launcher ended with that had to be ended, as the launcher counts it. */
  OptionalInt status() {
    Integer known = status;
    return known == null ? OptionalInt.empty() : OptionalInt.of(known);
  }

  /** A launcher with nobody left to wait for, and the processor time that it has had. */
  private record Idle(long pid, long work, List<Integer> statuses) {}

  private void run() {
    try {
      @Nullable Idle before = null;
      long since = 0;
      while (!process.waitFor(PAUSE)) {
        Idle now = idle();
        if (now == null || !now.equals(before)) {
          before = now;
          since = System.nanoTime();
        } else if (System.nanoTime() - since > limit.toNanos()) {
          status = now.statuses.stream().filter(one -> one != 0).findFirst().orElse(0);
          ProcessHandle.of(now.pid).ifPresent(ProcessHandle::destroyForcibly);
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable Idle idle() {
    List<ProcessHandle> all = new ArrayList<>(List.of(process.toHandle()));
    all.addAll(process.descendants().toList());
    for (ProcessHandle one : all) {
      if (isLauncher(one)) {
        Idle found = idle(one);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private boolean isLauncher(ProcessHandle process) {
    try {
      Path program = Files.readSymbolicLink(Path.of("/proc", "" + process.pid(), "exe"));
      return launchers.contains(String.valueOf(program.getFileName()));
    } catch (IOException e) {
      return false;
    }
  }

  /** Null if it has no children, or one that runs. */
  private static @Nullable Idle idle(ProcessHandle launcher) {
    List<Integer> statuses = new ArrayList<>();
    try {
      for (ProcessHandle child : launcher.children().toList()) {
        List<String> fields = fields(child.pid());
        if (!fields.getFirst().equals("Z")) {
          return null;
        }
        statuses.add(shellStatus(Integer.parseInt(fields.getLast())));
      }
      if (statuses.isEmpty()) {
        return null;
      }
      List<String> own = fields(launcher.pid());
      long work = Long.parseLong(own.get(11)) + Long.parseLong(own.get(12));
      return new Idle(launcher.pid(), work, statuses);
    } catch (IOException e) {
      // Somebody has just ended.
      return null;
    }
  }

  /** The fields of a process's stat behind its name: its state first, what it ended with last. */
  private static List<String> fields(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", "" + pid, "stat"));
    return List.of(stat.substring(stat.lastIndexOf(')') + 2).strip().split(" "));
  }

  /** Of what {@code wait} reports: the status, or 128 + n after signal n. */
  private static int shellStatus(int waited) {
    int signal = waited & 0x7f;
    return signal == 0 ? (waited >> 8) & 0xff : 128 + signal;
  }
}
