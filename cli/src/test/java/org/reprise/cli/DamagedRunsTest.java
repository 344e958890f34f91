package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.CallSite;
import org.reprise.trace.CallSitesWriter;
import org.reprise.trace.PrivateFiles;
import org.reprise.trace.Rank;
import org.reprise.trace.RankHeader;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.Wire;

/**
 * A trace is untrusted: whatever its files hold, a command says what is wrong with them, or tells
 * of another run. It never ends in a stack trace, and never takes long. bench/fuzz does this for as
 * long as it is told to.
 */
class DamagedRunsTest {
  private static final Path ROOT = Path.of(System.getProperty("reprise.root"));
  private static final List<String> PROGRAMS =
      List.of("Completion", "Probing", "Collectives", "Inter", "Persistent");

  /** Much longer than any command takes on a loaded machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final List<String> COMMANDS =
      List.of(
          "events RUN",
          "events RUN --format json",
          "races RUN",
          "races RUN --format json",
          "races RUN --format sarif",
          "races RUN --format html",
          "races RUN --stats",
          "distill RUN --name other",
          "diff RUN whole --events",
          "diff RUN whole --events --polls",
          "graph RUN --critical-path",
          "graph RUN --past 0:2",
          "graph RUN --future 1:0",
          "graph RUN --breakpoint 1:1 --format json",
          "graph RUN --order 0:2 1:1",
          "graph RUN --order 3:1 0:3 --format json",
          "graph RUN --cut 2,1,1",
          "graph RUN --cut 2,1+,3,0",
          "show RUN",
          "show RUN --rank 0",
          "replay RUN",
          "ls");

  /** Fine, an error, no such program, damage, races, another order, a deadlock. */
  private static final Set<Integer> STATUSES = Set.of(0, 1, 2, 65, 66, 67, 68);

  /** What a command may ask of the heap for these small runs, whatever their files claim. */
  private static final long BYTES_MAX = 1L << 30;

  private static final int TAIL_FROM_AT = 856;

  private static final ThreadMXBean MEMORY = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path directory;

  private final long seed = Long.getLong("reprise.seed", 4);
  private final Random random = new Random(seed);
  private Shell shell = new Shell(Path.of("unset"));
  private int rounds;

  @Test
  void damageIsAnErrorOrAnotherTraceAndNeverABug() throws IOException {
    Path home = directory.resolve("runs");
    shell = new Shell(home);
    List<Path> runs = new ArrayList<>(List.of(SampleRuns.racing(shell.store()).path()));
    runs.add(asOfAnMpi(SampleRuns.racing(shell.store())));
    for (String program : PROGRAMS) {
      shell.type(
          ("record --events -n 4 --seed 3 --name %s %s/ranks/src/test/programs/%s.java"
                  .formatted(program, ROOT, program))
              .split(" "));
      runs.add(home.resolve(program));
    }
    List<Path> all = new ArrayList<>();
    for (Path run : runs) {
      all.addAll(files(run));
    }
    System.out.println("damage with -Dreprise.seed=" + seed);
    long limit = Integer.getInteger("reprise.fuzz", 60);
    long until =
        System.nanoTime() + Duration.ofSeconds(Long.getLong("reprise.fuzzSeconds", 0)).toNanos();
    while (rounds < limit || System.nanoTime() < until) {
      rounds++;
      round(home, runs.get(random.nextInt(runs.size())), new Damage(random, all));
    }
    System.out.println(rounds + " rounds");
  }

  /** The events of rank 0 in a tail, and its call sites by address. */
  private static Path asOfAnMpi(RunDirectory run) throws IOException {
    Rank rank = new Rank(0);
    byte[] whole = Files.readAllBytes(run.eventsFile(rank));
    byte[] header = Arrays.copyOf(whole, Wire.HEADER_BYTES);
    header[TAIL_FROM_AT] = 1;
    Files.write(run.eventsFile(rank), header);
    Files.write(
        run.path().resolve("rank-0.tail"),
        Arrays.copyOfRange(whole, Wire.HEADER_BYTES, whole.length));
    Files.delete(run.sitesFile(rank));
    try (CallSitesWriter sites =
        new CallSitesWriter(
            run.sitesFile(rank),
            RankHeader.create(Wire.FileKind.SITES, Wire.Mode.RECORD, rank, 3))) {
      CallSite.Module module = new CallSite.Module("/no/such/program", "0123");
      for (long offset = 0x1000; offset < 0x1004; offset++) {
        sites.number(
            new CallSite(
                List.of(
                    new CallSite.Address(Optional.of(module), offset),
                    new CallSite.Address(Optional.empty(), offset))));
      }
    }
    return run.path();
  }

  private static List<Path> files(Path run) throws IOException {
    try (Stream<Path> files = Files.list(run)) {
      return files.filter(file -> !file.toString().endsWith(".json")).sorted().toList();
    }
  }

  private void round(Path home, Path original, Damage damage) throws IOException {
    Path spoilt = home.resolve("spoilt");
    copy(original, spoilt);
    copy(original, home.resolve("whole"));
    List<Path> files = new ArrayList<>(files(spoilt));
    files.add(spoilt.resolve("run.json"));
    StringBuilder what = new StringBuilder();
    for (int i = random.nextInt(2); i >= 0; i--) {
      Path file = files.get(random.nextInt(files.size()));
      Files.write(file, damage.of(file));
      what.append(' ').append(file.getFileName());
    }
    // A few commands of all each time: what one learns, the next one uses.
    for (int i = 0; i < 4; i++) {
      String command = COMMANDS.get(random.nextInt(COMMANDS.size())).replace("RUN", "spoilt");
      long begun = System.nanoTime();
      long allocated = MEMORY.getCurrentThreadAllocatedBytes();
      int status = shell.type(command.split(" "));
      String where =
          "seed %d, round %d, %s of %s, reprise %s: %s"
              .formatted(seed, rounds, what, original.getFileName(), command, shell.err());
      assertThat(shell.err()).as("%s", where).doesNotContain("\tat ", "a bug in Reprise");
      assertThat(status).as("%s", where).isIn(STATUSES);
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).as("%s", where).isLessThan(PATIENCE);
      assertThat(MEMORY.getCurrentThreadAllocatedBytes() - allocated)
          .as("%s", where)
          .isLessThan(BYTES_MAX);
    }
    PrivateFiles.removeTree(spoilt);
    PrivateFiles.removeTree(home.resolve("whole"));
    PrivateFiles.removeTree(home.resolve("other"));
  }

  private static void copy(Path from, Path to) throws IOException {
    PrivateFiles.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
