package org.reprise.ranks.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program reads from the machine, it reads through its rank. */
class RedirectionTest {
  private static final long SEED = 0x0707070707070707L;

  @TempDir Path directory;

  private OneRank run(String body) throws Throwable {
    String source =
        """
        import java.time.*;
        import java.util.*;
        import java.util.concurrent.*;
        import java.util.function.*;
        import java.security.*;
        public class Program {
          public static void main(String[] args) throws Exception {
            %s
          }
          static void print(Object value) { System.out.println(value); }
        %s
        }
        """;
    String[] parts = body.split("---", 2);
    return new OneRank()
        .run(
            OneRank.program(
                directory,
                "Program.java",
                source.formatted(parts[0], parts.length > 1 ? parts[1] : "")));
  }

  @Test
  void clocksAreTheRanks() throws Throwable {
    assertThat(run("print(System.nanoTime());").out()).isEqualTo(OneRank.NANO_TIME + "\n");
    assertThat(run("print(System.currentTimeMillis());").out()).isEqualTo("1700000000123\n");
    assertThat(run("print(new Date().getTime());").out()).isEqualTo("1700000000123\n");
    for (String now :
        Stream.of(
                "Instant.now()",
                "Clock.systemUTC().instant()",
                "Clock.systemDefaultZone().instant()",
                "InstantSource.system().instant()",
                "LocalDateTime.now(ZoneOffset.UTC).toInstant(ZoneOffset.UTC)",
                "ZonedDateTime.now().toInstant()",
                "OffsetDateTime.now(Clock.system(ZoneOffset.UTC)).toInstant()")
            .toList()) {
      assertThat(run("print(" + now + ");").out())
          .as(now)
          .isEqualTo("2023-11-14T22:13:20.123456789Z\n");
    }
    assertThat(run("print(Year.now());").out()).isEqualTo("2023\n");
  }

  @Test
  void unseededGeneratorsGetTheirSeedFromTheRank() throws Throwable {
    String expected = new Random(SEED).nextInt() + "\n";
    assertThat(run("print(new Random().nextInt());").out()).isEqualTo(expected);
    assertThat(run("print(new Random() {}.nextInt());").out()).isEqualTo(expected);
    assertThat(
            run("print(new Dice().nextInt()); --- static class Dice extends Random { int x = 5; }")
                .out())
        .isEqualTo(expected);
    assertThat(run("print(new Random(3).nextInt());").out())
        .isEqualTo(new Random(3).nextInt() + "\n");
    assertThat(run("print(new SplittableRandom().nextInt());").out())
        .isEqualTo(new java.util.SplittableRandom(SEED).nextInt() + "\n");
    assertThat(run("print(Math.random());").out()).isEqualTo(new Random(SEED).nextDouble() + "\n");
  }

  @Test
  void whatTheJdkDrawsForTheProgramIsDrawnFromTheRank() throws Throwable {
    List<Integer> cards = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8));
    Collections.shuffle(cards, new Random(SEED));
    String shuffle = "List<Integer> cards = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8)); ";
    assertThat(run(shuffle + "Collections.shuffle(cards); print(cards);").out())
        .isEqualTo(cards + "\n");
    assertThat(
            run(shuffle
                    + "Consumer<List<?>> s = Collections::shuffle; s.accept(cards); print(cards);")
                .out())
        .isEqualTo(cards + "\n");
    for (String name :
        List.of("getDefault()", "of(\"L64X128MixRandom\")", "of(\"SecureRandom\")")) {
      String draw = "print(java.util.random.RandomGenerator." + name + ".nextInt());";
      assertThat(run(draw).out()).as(name).isEqualTo(run(draw).out());
    }
  }

  @Test
  void threadLocalRandomIsTheRanksInFieldsAndSignaturesToo() throws Throwable {
    Random same = new Random(SEED);
    String expected = same.nextInt(3, 9) + "\n" + same.nextInt(100) + "\n";
    assertThat(
            run("""
            print(ThreadLocalRandom.current().nextInt(3, 9));
            kept = ThreadLocalRandom.current();
            print(draw(kept));
            ---
            static ThreadLocalRandom kept;
            static int draw(ThreadLocalRandom random) { return random.nextInt(100); }
            """)
                .out())
        .isEqualTo(expected);
  }

  @Test
  void secureBytesAreTheRanks() throws Throwable {
    String uuid = "07070707-0707-4707-8707-070707070707\n";
    assertThat(run("print(UUID.randomUUID());").out()).isEqualTo(uuid);
    for (String made :
        Stream.of(
                "new SecureRandom()",
                "SecureRandom.getInstanceStrong()",
                "SecureRandom.getInstance(\"SHA1PRNG\")",
                "new SecureRandom(new byte[] {1})",
                "new Own()")
            .toList()) {
      assertThat(
              run("""
              SecureRandom random = args.length > 5 ? null : %s;
              byte[] bytes = new byte[3];
              random.nextBytes(bytes);
              print(Arrays.toString(bytes));
              --- static class Own extends SecureRandom {}
              """
                      .formatted(made))
                  .out())
          .as(made)
          .isEqualTo("[7, 7, 7]\n");
    }
  }

  @Test
  void methodReferencesAreRedirectedToo() throws Throwable {
    assertThat(run("LongSupplier s = System::nanoTime; print(s.getAsLong());").out())
        .isEqualTo(OneRank.NANO_TIME + "\n");
    assertThat(run("Supplier<Random> s = Random::new; print(s.get().nextInt());").out())
        .isEqualTo(new Random(SEED).nextInt() + "\n");
    assertThat(run("Supplier<Instant> s = Instant::now; print(s.get().getNano());").out())
        .isEqualTo("123456789\n");
    assertThat(run("Supplier<SecureRandom> s = SecureRandom::new; print(s.get().nextInt());").out())
        .isEqualTo("117901063\n");
    assertThat(run("Supplier<UUID> s = UUID::randomUUID; print(s.get().version());").out())
        .isEqualTo("4\n");
    assertThat(
            run("""
            print(new Timed() {}.now());
            --- interface Timed {
              default long now() { LongSupplier s = System::nanoTime; return s.getAsLong(); }
            }
            """)
                .out())
        .isEqualTo(OneRank.NANO_TIME + "\n");
    assertThat(run("IntConsumer exit = Runtime.getRuntime()::exit; exit.accept(4);").status())
        .isEqualTo(4);
  }

  @Test
  void sleepingIsTheRanksOwnTime() throws Throwable {
    assertThat(
            run("Thread.sleep(1000); Thread.sleep(0, 5); Thread.sleep(Duration.ofNanos(6));"
                    + " TimeUnit.MICROSECONDS.sleep(7);")
                .sleptNanos())
        .isEqualTo(1_000_007_011L);
    assertThatThrownBy(() -> run("Thread.sleep(-1);"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("timeout value is negative");
  }

  @Test
  void exitEndsTheRankAndNothingBehindItRuns() throws Throwable {
    OneRank rank = run("print(1); System.exit(3); print(2);");
    assertThat(rank.status()).isEqualTo(3);
    assertThat(rank.out()).isEqualTo("1\n");
    assertThat(run("Runtime.getRuntime().halt(5);").status()).isEqualTo(5);
  }

  @Test
  void aProgramThatCatchesEverythingExitsAllTheSame() throws Throwable {
    OneRank rank = run("try { System.exit(3); } catch (Throwable t) { } print(2);");
    assertThat(rank.status()).isEqualTo(3);
    assertThat(rank.out()).isEmpty();
    assertThat(run("new Late(); --- static class Late { static { System.exit(6); } }").status())
        .isEqualTo(6);
  }

  @Test
  void standardStreamsAreTheRanks() throws Throwable {
    OneRank rank =
        run(
            """
            System.out.print("no line ");
            System.err.println("trouble");
            IO.println("from the JDK");
            new RuntimeException("seen").printStackTrace();
            print(new Scanner(System.in).next());
            System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
            print("nowhere");
            """);
    assertThat(rank.out()).isEqualTo("no line from the JDK\ntyped\n");
    assertThat(rank.err())
        .startsWith("trouble\njava.lang.RuntimeException: seen\n\tat Program.main");
    assertThat(run("System.out.print(\"half a line\");").out()).isEqualTo("half a line");
  }

  @Test
  void whatThrowsKeepsItsLine() {
    assertThatThrownBy(() -> run("System.nanoTime();\nthrow new IllegalStateException();"))
        .isInstanceOf(IllegalStateException.class)
        .satisfies(
            thrown -> assertThat(thrown.getStackTrace()[0].toString()).contains("Program.java:9"));
  }
}
