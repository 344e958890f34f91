package org.reprise.ranks.schedule;

import java.lang.reflect.Constructor;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads that all run on the thread which drives them: handing over from one to the other
 * takes a tenth of a microsecond, and starting one not much more. Java does not offer this openly;
 * it needs {@code --add-opens java.base/java.lang=ALL-UNNAMED}. Without that, or in a Java that has
 * changed it, ranks run on the common carriers: one at a time all the same, only slower.
 */
final class OneByOne {
  private static final @Nullable Constructor<?> BUILDER = builder();

  private static final int STEPS_BETWEEN = 256;

  private static @Nullable Constructor<?> builder() {
    try {
      Class<?> type = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder");
      Constructor<?> constructor = type.getDeclaredConstructor(Executor.class);
      constructor.setAccessible(true);
      return constructor;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  private final Queue<Runnable> ready = new ConcurrentLinkedQueue<>();
  private final @Nullable Thread driver;
  private volatile boolean driverSleeps;
  private volatile boolean over;
  private final Thread.Builder.OfVirtual threads;
  private final boolean ownCarrier;

  /** Threads that the calling thread will drive. */
  OneByOne() {
    Thread self = Thread.currentThread();
    Thread.Builder.OfVirtual own = self.isVirtual() ? null : own(this::execute);
    this.driver = self;
    this.threads = own == null ? Thread.ofVirtual() : own;
    this.ownCarrier = own != null;
  }

  private static Thread.Builder.@Nullable OfVirtual own(Executor executor) {
    if (BUILDER == null) {
      return null;
    }
    try {
      return (Thread.Builder.OfVirtual) BUILDER.newInstance(executor);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Whether the driver alone carries them: others need carriers, which are threads as well. */
  boolean haveOwnCarrier() {
    return ownCarrier;
  }

  Thread thread(Runnable body) {
    return threads.unstarted(body);
  }

  Thread thread(String name, Runnable body) {
    return threads.name(name).unstarted(body);
  }

  private void execute(Runnable continuation) {
    ready.add(continuation);
    if (driverSleeps) {
      LockSupport.unpark(driver);
    }
  }

  /**
   * Runs the threads until {@link #stop}.
   *
   * @param look called when none of them can run; says after how many nanoseconds to look again, or
   *     0 if that is not needed before one can
   */
  void drive(LongSupplier look) {
    drive(look, () -> {});
  }

  /**
   * The same.
   *
   * @param meanwhile called now and then while there are threads that can run
   */
  void drive(LongSupplier look, Runnable meanwhile) {
    int steps = 0;
    while (!over) {
      Runnable next = ready.poll();
      if (next != null) {
        next.run();
        if (++steps % STEPS_BETWEEN == 0) {
          meanwhile.run();
        }
      } else {
        long again = look.getAsLong();
        if (!over) {
          sleep(again);
        }
      }
    }
    // What has stopped us is still on its way out.
    for (Runnable next = ready.poll(); next != null; next = ready.poll()) {
      next.run();
    }
  }

  /** A thread waits for something outside, or others carry it. */
  private void sleep(long againNanos) {
    driverSleeps = true;
    if (ready.isEmpty() && !over) {
      if (againNanos > 0) {
        LockSupport.parkNanos(this, againNanos);
      } else {
        LockSupport.park(this);
      }
    }
    driverSleeps = false;
  }

  /** Whether none of the threads can run. */
  boolean isIdle() {
    return ready.isEmpty();
  }

  /** The driver is to look at once. */
  void lookNow() {
    LockSupport.unpark(driver);
  }

  void stop() {
    over = true;
    LockSupport.unpark(driver);
  }
}
