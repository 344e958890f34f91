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
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.events.CallSitesWriter;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunSeal;
import picocli.CommandLine;

/**
 * A run is untrusted: whatever its files are and hold, a command says what is wrong with them, or
 * tells of another run. It never ends in a stack trace, never takes long, runs nothing that the
 * user did not agree to, prints nothing that a terminal would obey, and leaves nothing half-made.
 * bench/fuzz does a million of these.
 */
class DamagedRunsTest {
  private static final Path ROOT = Path.of(System.getProperty("reprise.root"));
  private static final List<String> PROGRAMS =
      List.of("Completion", "Probing", "Collectives", "Inter", "Persistent");

  /** Of processor time, which a loaded machine does not change: much longer than any takes. */
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
          "distill RUN --name other --no-run",
          "events RUN --stack 2",
          "events RUN --stack 2 --trust",
          "races RUN --no-run",
          "diff RUN WHOLE --events",
          "diff RUN WHOLE --events --polls",
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
          "show RUN --inputs --format json",
          "show RUN --format json",
          "replay RUN",
          "replay RUN --trust",
          "ls",
          "ls --format json");

  /** Fine, an error, no such program, damage, races, another order, a deadlock, not trusted. */
  private static final Set<Integer> STATUSES = Set.of(0, 1, 2, 65, 66, 67, 68, 77);

  /** What a terminal obeys, other than the end of a line. */
  private static final Pattern OBEYED = Pattern.compile("[\\p{Cc}\\p{Cf}&&[^\\n\\t]]");

  /** What a command may ask of the heap for these small runs, whatever their files claim. */
  private static final long BYTES_MAX = 1L << 30;

  private static final int TAIL_FROM_AT = 856;

  private static final ThreadMXBean MEMORY = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path directory;

  private final long seed = Long.getLong("reprise.seed", 4);
  private final Random random = new Random(seed);
  private Shell shell = new Shell(Path.of("unset"));
  private final Map<Integer, Long> statuses = new TreeMap<>();
  private CommandLine commands = shell.commandLine();
  private long rounds;
  private long reads;
  private long refused;
  private long trusted;

  @Test
  void damageIsAnErrorOrAnotherTraceAndNeverABug() throws IOException {
    Path home = directory.resolve("runs");
    shell = new Shell(home);
    List<Path> runs = new ArrayList<>(List.of(SampleRuns.racing(shell.store()).path()));
    runs.add(asOfAnMpi(SampleRuns.racing(shell.store())));
    Path classes = compiled();
    for (String program : PROGRAMS) {
      String events = runs.size() % 2 == 0 ? "--events " : "";
      assertThat(
              shell.type(
                  ("record %s-n 4 --seed 3 --name %s -cp %s %s"
                          .formatted(events, program, classes, program))
                      .split(" ")))
          .as("%s", shell.err())
          .isZero();
      runs.add(withInput(home.resolve(program)));
    }
    List<Path> all = new ArrayList<>();
    for (Path run : runs) {
      all.addAll(files(run));
    }
    System.out.println("damage with -Dreprise.seed=" + seed);
    long begun = System.nanoTime();
    long limit = Long.getLong("reprise.fuzz", 250);
    Damage damage = new Damage(random, all, directory);
    // Made once: to make all commands takes longer than to run one.
    commands = shell.commandLine();
    // A command takes fifty times as long as reading everything that it could read.
    int commandEvery = Integer.getInteger("reprise.fuzzCommandEvery", 1);
    for (Path run : runs) {
      copy(run, readPlace(run));
    }
    while (rounds < limit) {
      rounds++;
      Path run = runs.get(random.nextInt(runs.size()));
      if (rounds % commandEvery == 0) {
        round(home, run, damage);
      } else {
        read(run, damage);
      }
      if (rounds % 10_000 == 0) {
        report(begun);
      }
    }
    report(begun);
  }

  private void report(long begun) {
    System.out.printf(
        "%d mutations, %d s, %d only read (%d of these refused, %d of one's own), %d commands by exit status: %s%n",
        rounds,
        Duration.ofNanos(System.nanoTime() - begun).toSeconds(),
        reads,
        refused,
        trusted,
        statuses.values().stream().mapToLong(Long::longValue).sum(),
        statuses);
  }

  /** Compiled once: a replay that has to call the compiler takes as long as ten others. */
  private Path compiled() throws IOException {
    Path classes = Files.createDirectory(directory.resolve("classes"));
    List<String> words = new ArrayList<>(List.of("-d", classes.toString()));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), "-proc:none", "-nowarn"));
    PROGRAMS.forEach(name -> words.add(ROOT + "/ranks/src/test/programs/" + name + ".java"));
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, words.toArray(String[]::new)))
        .isZero();
    return classes;
  }

  /** As of a program that was given something to read. */
  private Path withInput(Path path) throws IOException {
    RunDirectory run = new RunDirectory(path);
    String description = Files.readString(run.descriptionFile());
    String kept = "\"stdinKept\" : true,\n  \"stdinBytes\" : 6";
    Files.deleteIfExists(run.stdinFile());
    Files.writeString(PrivateFiles.createFile(run.stdinFile()), "input\n");
    Files.writeString(
        run.descriptionFile(),
        description
            .replaceFirst("\"stdinBytes\" : \\d+,\\s*", "")
            .replaceFirst("\"stdinKept\" : (true|false)", kept));
    RunSeal.of(shell.environment()).put(run, run.description());
    assertThat(RunSeal.of(shell.environment()).doubt(run, run.description())).isEmpty();
    return path;
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

  private Path readPlace(Path run) {
    return directory.resolve("read").resolve(run.getFileName());
  }

  /** Spoils one or two of these files; what was done to each. */
  private Map<Path, String> spoil(List<Path> files, Damage damage) throws IOException {
    Map<Path, String> done = new TreeMap<>();
    for (int i = random.nextInt(2); i >= 0; i--) {
      // Every fifth time it is run.json, the last one, which has most to say.
      Path file =
          files.remove(random.nextInt(5) == 0 ? files.size() - 1 : random.nextInt(files.size()));
      done.put(file, file.getFileName() + ": " + damage.to(file));
    }
    return done;
  }

  /** Everything that commands read of a run, and whose it is, without a command. */
  private void read(Path original, Damage damage) throws IOException {
    RunDirectory run = new RunDirectory(readPlace(original));
    List<Path> files = new ArrayList<>(files(run.path()));
    files.add(run.descriptionFile());
    Map<Path, String> spoilt = spoil(files, damage);
    long begun = MEMORY.getCurrentThreadCpuTime();
    long allocated = MEMORY.getCurrentThreadAllocatedBytes();
    reads++;
    try {
      RecordedRun recorded = RecordedRun.open(run);
      if (RunSeal.of(shell.environment()).doubt(run, recorded.description()).isEmpty()) {
        assertThat(execution(recorded.description()))
            .isEqualTo(execution(new RunDirectory(original).description()));
        trusted++;
      }
      for (Rank rank : recorded.ranksPresent()) {
        if (Files.exists(run.eventsFile(rank))) {
          run.sites(rank).all().forEach(site -> assertThat(site.frames()).isNotNull());
          try (EventReader events = run.openEvents(rank)) {
            while (events.advance()) {
              events.call();
            }
          }
        }
      }
      recorded.verify();
    } catch (UserError said) {
      refused++;
    } catch (RuntimeException | AssertionError | StackOverflowError thrown) {
      throw new AssertionError(
          "seed %d, round %d, %s".formatted(seed, rounds, spoilt.values()), thrown);
    }
    assertThat(Duration.ofNanos(MEMORY.getCurrentThreadCpuTime() - begun))
        .as("seed %d, round %d, %s", seed, rounds, spoilt.values())
        .isLessThan(PATIENCE);
    assertThat(MEMORY.getCurrentThreadAllocatedBytes() - allocated)
        .as("seed %d, round %d, %s", seed, rounds, spoilt.values())
        .isLessThan(BYTES_MAX);
    for (Path file : spoilt.keySet()) {
      Files.deleteIfExists(file);
      Files.copy(original.resolve(file.getFileName()), file);
    }
  }

  /** What a replay would start: of a run that nobody has to agree to, the user's own. */
  private static List<Object> execution(RunDescription run) {
    return List.of(
        run.command(), run.directory(), run.environment(), run.mpi().family(), run.mpi().mpicc());
  }

  private void round(Path home, Path original, Damage damage) throws IOException {
    Path spoilt = home.resolve("spoilt");
    copy(original, spoilt);
    List<Path> files = new ArrayList<>(files(spoilt));
    files.add(spoilt.resolve("run.json"));
    String what = spoil(files, damage).values().toString();
    // Sometimes several: what one learns, the next one uses.
    for (int i = random.nextInt(4) == 0 ? 2 : 0; i >= 0; i--) {
      String command =
          COMMANDS
              .get(random.nextInt(COMMANDS.size()))
              .replace("RUN", "spoilt")
              .replace("WHOLE", String.valueOf(original.getFileName()));
      long begun = MEMORY.getCurrentThreadCpuTime();
      long allocated = MEMORY.getCurrentThreadAllocatedBytes();
      int status = shell.type(commands, command.split(" "));
      String where =
          "seed %d, round %d, %s of %s, reprise %s: %s"
              .formatted(seed, rounds, what, original.getFileName(), command, shell.err());
      assertThat(shell.err()).as("%s", where).doesNotContain("\tat ", "a bug in Reprise");
      assertThat(status).as("%s", where).isIn(STATUSES);
      assertThat(OBEYED.matcher(shell.out() + shell.err()).find()).as("%s", where).isFalse();
      Path made = home.resolve("other");
      assertThat(!Files.exists(made) || Files.exists(made.resolve("run.json")))
          .as("%s", where)
          .isTrue();
      statuses.merge(status, 1L, Long::sum);
      assertThat(Duration.ofNanos(MEMORY.getCurrentThreadCpuTime() - begun))
          .as("%s", where)
          .isLessThan(PATIENCE);
      assertThat(MEMORY.getCurrentThreadAllocatedBytes() - allocated)
          .as("%s", where)
          .isLessThan(BYTES_MAX);
    }
    PrivateFiles.removeTree(spoilt);
    PrivateFiles.removeTree(home.resolve("other"));
    try (Stream<Path> left = Files.list(home)) {
      assertThat(left.filter(file -> file.getFileName().toString().startsWith(".new-")).toList())
          .isEmpty();
    }
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
