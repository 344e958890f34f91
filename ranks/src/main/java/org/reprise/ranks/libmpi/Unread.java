package org.reprise.ranks.libmpi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * What this process has written and its launcher not yet read. A launcher reads its ranks' output
 * through pipes; MPICH's drops what is in them when a rank aborts the job, and with it the message
 * that says why. So a rank waits for its reader before it aborts.
 */
final class Unread {
  private static final int FIONREAD = 0x541B;
  private static final int[] OUTPUTS = {1, 2};
  private static final long LOOK_AGAIN_NANOS = 1_000_000;

  /** A reader that does not read is not waited for without end: the job is to be aborted. */
  private static final int LOOKS_MAX = 2_000;

  private static final MethodHandle IOCTL =
      Library.plain(
          "ioctl",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS),
          Linker.Option.firstVariadicArg(2));

  private Unread() {}

  static void awaitReader() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(ValueLayout.JAVA_INT);
      for (int output : OUTPUTS) {
        for (int looks = 0;
            looks < LOOKS_MAX && isPipe(output) && unread(output, bytes) > 0;
            looks++) {
          LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
      }
    }
  }

  private static boolean isPipe(int output) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/" + output))
          .toString()
          .startsWith("pipe:");
    } catch (IOException e) {
      return false; // closed
    }
  }

  private static int unread(int output, MemorySegment bytes) {
    try {
      int status = (int) IOCTL.invokeExact(output, (long) FIONREAD, bytes);
      return status == 0 ? bytes.get(ValueLayout.JAVA_INT, 0) : 0;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
