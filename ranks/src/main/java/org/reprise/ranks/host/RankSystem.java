package org.reprise.ranks.host;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/**
 * The methods that program classes call in place of the JDK's, so that each rank has its own clock,
 * chance, streams and end. {@link Redirection} puts the calls there; on a thread of no rank these
 * do what the JDK does.
 */
public final class RankSystem {
  private static final long MILLIS = 1_000_000;

  @InPlaceOf(System.class)
  public static long nanoTime() {
    return RankHome.currentInputs().nanoTime();
  }

  @InPlaceOf(System.class)
  public static long currentTimeMillis() {
    return Math.floorDiv(RankHome.currentInputs().wallNanos(), MILLIS);
  }

  @InPlaceOf({Math.class, StrictMath.class})
  public static double random() {
    return RankRandom.current().nextDouble();
  }

  @InPlaceOf(Lock.class)
  public static void lock(Lock lock) {
    RankLocks.lock(lock);
  }

  @InPlaceOf(ReentrantLock.class)
  public static void lock(ReentrantLock lock) {
    RankLocks.lock(lock);
  }

  @InPlaceOf(Semaphore.class)
  public static void acquire(Semaphore semaphore) throws InterruptedException {
    RankLocks.acquire(semaphore);
  }

  /** The seed of a generator that the program makes without one. */
  public static long seed() {
    return RankHome.currentInputs().randomLong();
  }

  @InPlaceOf(Collections.class)
  public static void shuffle(List<?> list) {
    Collections.shuffle(list, new Random(RankHome.currentInputs().randomLong()));
  }

  @InPlaceOf(RandomGenerator.class)
  public static RandomGenerator getDefault() {
    return RandomGeneratorFactory.getDefault().create(RankHome.currentInputs().randomLong());
  }

  @InPlaceOf(RandomGenerator.class)
  public static RandomGenerator of(String name) {
    return name.equals("SecureRandom")
        ? new RankSecureRandom()
        : RandomGeneratorFactory.of(name).create(RankHome.currentInputs().randomLong());
  }

  @InPlaceOf(UUID.class)
  public static UUID randomUUID() {
    byte[] bytes = new byte[2 * Long.BYTES];
    RankHome.currentInputs().randomBytes(bytes);
    ByteBuffer halves = ByteBuffer.wrap(bytes);
    // Version 4, variant 2, as RFC 9562 has random ones.
    long high = (halves.getLong() & ~0xf000L) | 0x4000L;
    long low = (halves.getLong() & ~(0b11L << 62)) | (0b10L << 62);
    return new UUID(high, low);
  }

  @InPlaceOf(SecureRandom.class)
  public static SecureRandom getInstanceStrong() {
    return new RankSecureRandom();
  }

  @InPlaceOf(SecureRandom.class)
  public static SecureRandom getInstance(String algorithm) {
    return new RankSecureRandom();
  }

  @InPlaceOf(Clock.class)
  public static Clock systemUTC() {
    return new RankClock(ZoneOffset.UTC);
  }

  @InPlaceOf(Clock.class)
  public static Clock systemDefaultZone() {
    return new RankClock(ZoneId.systemDefault());
  }

  @InPlaceOf(Clock.class)
  public static Clock system(ZoneId zone) {
    return new RankClock(zone);
  }

  @InPlaceOf(InstantSource.class)
  public static InstantSource system() {
    return systemUTC();
  }

  @InPlaceOf(Thread.class)
  public static void sleep(long millis) throws InterruptedException {
    requireNotNegative(millis);
    RankHome.currentInputs().sleep(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @InPlaceOf(Thread.class)
  public static void sleep(long millis, int nanos) throws InterruptedException {
    requireNotNegative(millis);
    requireNotNegative(nanos);
    RankHome.currentInputs().sleep(TimeUnit.MILLISECONDS.toNanos(millis) + nanos);
  }

  @InPlaceOf(Thread.class)
  public static void sleep(Duration duration) throws InterruptedException {
    RankHome.currentInputs().sleep(Math.max(0, TimeUnit.NANOSECONDS.convert(duration)));
  }

  @InPlaceOf(TimeUnit.class)
  public static void sleep(TimeUnit unit, long timeout) throws InterruptedException {
    RankHome.currentInputs().sleep(Math.max(0, unit.toNanos(timeout)));
  }

  private static void requireNotNegative(long time) {
    if (time < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
  }

  @InPlaceOf(System.class)
  public static void exit(int status) {
    @Nullable RankHome home = RankHome.current();
    if (home == null) {
      System.exit(status);
    } else {
      throw home.exit(status);
    }
  }

  @InPlaceOf(Runtime.class)
  public static void exit(Runtime runtime, int status) {
    exit(status);
  }

  @InPlaceOf(Runtime.class)
  public static void halt(Runtime runtime, int status) {
    exit(status);
  }

  @InPlaceOf(value = System.class, field = true)
  public static PrintStream out() {
    @Nullable RankHome home = RankHome.current();
    return home == null ? System.out : home.out();
  }

  @InPlaceOf(value = System.class, field = true)
  public static PrintStream err() {
    @Nullable RankHome home = RankHome.current();
    return home == null ? System.err : home.err();
  }

  @InPlaceOf(value = System.class, field = true)
  public static InputStream in() {
    @Nullable RankHome home = RankHome.current();
    return home == null ? System.in : home.in();
  }

  @InPlaceOf(System.class)
  public static void setOut(PrintStream stream) {
    @Nullable RankHome home = RankHome.current();
    if (home == null) {
      System.setOut(stream);
    } else {
      home.streams().setOut(stream);
    }
  }

  @InPlaceOf(System.class)
  public static void setErr(PrintStream stream) {
    @Nullable RankHome home = RankHome.current();
    if (home == null) {
      System.setErr(stream);
    } else {
      home.streams().setErr(stream);
    }
  }

  @InPlaceOf(System.class)
  public static void setIn(InputStream stream) {
    @Nullable RankHome home = RankHome.current();
    if (home == null) {
      System.setIn(stream);
    } else {
      home.streams().setIn(stream);
    }
  }

  private RankSystem() {}
}
