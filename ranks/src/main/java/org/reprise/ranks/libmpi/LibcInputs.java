package org.reprise.ranks.libmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import org.reprise.ranks.fabric.Inputs;

/**
 * Clocks and random sources as a C program reads them, by functions that the interposer wraps: what
 * a Java program reads under MPI is recorded and given back like any other program's. What the JVM
 * reads for itself goes another way.
 */
final class LibcInputs implements Inputs {
  private static final int CLOCK_REALTIME = 0;
  private static final int CLOCK_MONOTONIC = 1;

  private final MethodHandle clockGettime =
      Library.plain(
          "clock_gettime",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
  private final MethodHandle getrandom =
      Library.plain(
          "getrandom",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));

  private long read(int clock) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
      int status = (int) clockGettime.invokeExact(clock, time);
      if (status != 0) {
        throw new IllegalStateException("clock_gettime failed");
      }
      return time.getAtIndex(ValueLayout.JAVA_LONG, 0) * 1_000_000_000L
          + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public long nanoTime() {
    return read(CLOCK_MONOTONIC);
  }

  @Override
  public long wallNanos() {
    return read(CLOCK_REALTIME);
  }

  @Override
  public void randomBytes(byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(Math.max(1, bytes.length));
      long at = 0;
      while (at < bytes.length) {
        long got = (long) getrandom.invokeExact(memory.asSlice(at), (long) bytes.length - at, 0);
        if (got <= 0) {
          throw new IllegalStateException("getrandom failed");
        }
        at += got;
      }
      MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    Thread.sleep(Duration.ofNanos(nanos));
  }
}
