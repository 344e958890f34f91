package org.reprise.anomaly.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.reprise.anomaly.hooks.Hooks;

/**
 * Small programs with their expected verdicts, in {@code src/test/programs}: races and their clean
 * twins, which are validated; and idioms of books on concurrency, sound ones, which have no
 * anomaly, and those that one line breaks. A program says what it expects in comments:
 *
 * <pre>
 * // expect: anomaly Particle.x WRITE-WRITE
 * // expect: lock-ordered Counter.n
 * // expect: may Counter.n WRITE-WRITE
 * // expect: not validated System.nanoTime()
 * // expect: commuting hits
 * // expect: says loop at Solver.java:88
 * // expect: never a deadlock
 * // expect: validated
 * </pre>
 *
 * A line {@code // needs: 25} is for programs that use what Java 17 does not have, previews
 * included. What several programs share is in {@code lib}. Every variable that has an anomaly must
 * be expected, and the other way round; "may" is for what shows on some schedules only. WRITE-READ
 * stands for READ-WRITE too: which of the two is seen depends on the schedule.
 */
final class Programs {
  /** Each with that of the twins of its programs after it. */
  static final List<String> FOLDERS = List.of("races", "clean", "broken", "sound");

  private static final Pattern EXPECTS = Pattern.compile("// expect: (.*)");
  private static final Pattern FINDING =
      Pattern.compile("\"kind\":\"([A-Z-]+)\",\"variable\":\"([^\"]*)\"");

  /** For one program, which takes less than a second where the machine has nothing else to do. */
  private static final int MINUTES_MAX = 5;

  private static final int POLL_MILLIS = 20;

  /**
   * For a virtual machine of one small program: the second compiler is as long at work as it is.
   */
  static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private Programs() {}

  /** A program and what it expects. */
  record Program(
      String folder, String name, Path source, boolean isRecent, List<String> expectations) {
    @Override
    public String toString() {
      return folder + "/" + name;
    }

    /** What races may come to harm by it. */
    boolean mayFail() {
      return folder.equals("races") || folder.equals("broken");
    }

    /**
     * Whether two runs of it may find different things, as long as both are expected: what locks
     * and volatile fields order in one run, they may order otherwise in the next.
     */
    boolean dependsOnTheRun() {
      return folder.equals("broken") || folder.equals("sound") || !expected("may ").isEmpty();
    }

    /** What is wrong with what was found; empty if nothing is. */
    String complaint(Outcome outcome, String circumstances) {
      Set<String> anomalies = expected("anomaly ");
      String verdict =
          expectations.contains("validated")
              ? "validated"
              : anomalies.isEmpty() ? "not validated" : "anomalies";
      boolean right =
          outcome.verdict().equals(verdict)
              && isAsExpected(outcome.anomalies(), anomalies)
              && isAsExpected(outcome.lockOrdered(), expected("lock-ordered "))
              && outcome.commuting().containsAll(expected("commuting "))
              && expected("says ").stream().allMatch(outcome.json()::contains)
              && expected("never ").stream().noneMatch(outcome.json()::contains)
              && expected("not validated ").stream().allMatch(outcome.json()::contains);
      return right
          ? ""
          : "%s with %s: expected %s, found %s%n"
              .formatted(this, circumstances, expectations, outcome.json());
    }

    private boolean isAsExpected(Set<String> found, Set<String> expected) {
      Set<String> more = new TreeSet<>(found);
      more.removeAll(expected);
      return found.containsAll(expected) && expected("may ").containsAll(more);
    }

    private Set<String> expected(String prefix) {
      return expectations.stream()
          .filter(expectation -> expectation.startsWith(prefix))
          .map(expectation -> expectation.substring(prefix.length()))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** What was found, in the words of expectations. */
  record Outcome(
      String verdict,
      Set<String> anomalies,
      Set<String> lockOrdered,
      Set<String> commuting,
      String json) {
    /**
     * All but what depends on the schedule: which of two accesses came first, and in which block.
     */
    List<Object> findings() {
      return List.of(verdict, anomalies, lockOrdered, commuting);
    }
  }

  static List<Program> all() throws IOException {
    List<Program> programs = new ArrayList<>();
    Path root = Path.of("src", "test", "programs");
    for (String folder : FOLDERS) {
      try (Stream<Path> files = Files.list(root.resolve(folder))) {
        for (Path file : files.sorted().toList()) {
          String name = file.getFileName().toString().replace(".java", "");
          boolean isRecent = Files.readString(file).contains("// needs: 25");
          programs.add(new Program(folder, name, file, isRecent, expectations(file)));
        }
      }
    }
    return programs;
  }

  private static List<String> expectations(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .map(EXPECTS::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1))
        .toList();
  }

  /** Compiles the programs, each folder by itself. */
  static void compile(List<Program> programs, Path classes) throws IOException {
    List<Path> shared;
    try (Stream<Path> files = Files.list(Path.of("src", "test", "programs", "lib"))) {
      shared = files.sorted().toList();
    }
    for (String folder : Stream.concat(FOLDERS.stream(), Stream.of("options")).toList()) {
      Path out = Files.createDirectories(classes.resolve(folder));
      List<Program> here =
          programs.stream().filter(program -> program.folder().equals(folder)).toList();
      List<Path> old =
          here.stream().filter(program -> !program.isRecent()).map(Program::source).toList();
      compile(
          Stream.concat(shared.stream(), old.stream()).toList(),
          out,
          "--release",
          "17",
          "-cp",
          AgentJar.location(Hooks.class).toString());
      compile(
          here.stream().filter(Program::isRecent).map(Program::source).toList(),
          out,
          "--release",
          "25",
          "--enable-preview");
    }
  }

  private static void compile(List<Path> sources, Path out, String... options) {
    if (sources.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>(List.of("-g", "-d", out.toString(), "-Xlint:-options"));
    command.addAll(List.of(options));
    sources.forEach(source -> command.add(source.toString()));
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, messages, messages, command.toArray(String[]::new));
    if (status != 0) {
      throw new IllegalStateException(
          "the programs do not compile: " + messages.toString(StandardCharsets.UTF_8));
    }
  }

  /** Starts the programs under the agent, one after the other in one virtual machine. */
  static Series start(
      List<Program> programs,
      Path classes,
      Path agent,
      String agentOptions,
      List<String> javaOptions)
      throws IOException {
    Path directory = Files.createTempDirectory(classes, "series");
    Path verdicts = Files.createFile(directory.resolve("verdicts.txt"));
    Path listed = directory.resolve("programs.txt");
    Files.write(
        listed,
        programs.stream()
            .flatMap(each -> Stream.of(classes.resolve(each.folder()).toString(), each.name()))
            .toList());
    List<String> command = new ArrayList<>(List.of(JAVA));
    command.addAll(javaOptions);
    command.addAll(List.of("-Xshare:off", "--enable-preview"));
    command.add(
        "-javaagent:"
            + agent
            + "=exclude=org.reprise.,report="
            + directory.resolve("end.json")
            + agentOptions);
    command.addAll(List.of("-cp", AgentJar.location(Driver.class).toString()));
    command.addAll(List.of(Driver.class.getName(), verdicts.toString(), listed.toString()));
    Path log = classes.resolve("log.txt");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new Series(programs, process, verdicts, log);
  }

  /** Runs the programs under the agent, all in one virtual machine. */
  static List<Outcome> run(
      List<Program> programs,
      Path classes,
      Path agent,
      String agentOptions,
      List<String> javaOptions)
      throws IOException, InterruptedException {
    try (Series series = start(programs, classes, agent, agentOptions, javaOptions)) {
      List<Outcome> outcomes = new ArrayList<>();
      for (int i = 0; i < programs.size(); i++) {
        outcomes.add(series.outcome(i));
      }
      series.end();
      return outcomes;
    }
  }

  /** Programs that run one after the other; each has its own time. */
  record Series(List<Program> programs, Process process, Path verdicts, Path log)
      implements AutoCloseable {
    /** Waits for the verdict on a program, after those before it. */
    Outcome outcome(int number) throws IOException, InterruptedException {
      long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES_MAX);
      while (true) {
        boolean hasEnded = !process.isAlive();
        String written = Files.readString(verdicts); // once: it grows meanwhile
        List<String> lines = written.lines().toList();
        if (number < lines.size() && (number + 1 < lines.size() || written.endsWith("\n"))) {
          return Programs.outcome(lines.get(number));
        }
        if (hasEnded) {
          throw new IllegalStateException(
              programs.get(lines.size()) + " ended the virtual machine: " + Files.readString(log));
        }
        if (System.nanoTime() - deadlineNanos > 0) {
          close();
          throw new IllegalStateException(
              "%s did not end within %d minutes: %s"
                  .formatted(programs.get(lines.size()), MINUTES_MAX, Files.readString(log)));
        }
        process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
      }
    }

    /** Waits for the virtual machine to end, after the last program. */
    void end() throws IOException, InterruptedException {
      if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new IllegalStateException(
            "the virtual machine of all programs did not end well: " + Files.readString(log));
      }
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }

  /** Runs a program under the agent as a user would: in a virtual machine of its own. */
  static Outcome runAlone(Program program, Path classes, Path agent, String... options)
      throws IOException, InterruptedException {
    Path report = Files.createTempFile(classes, program.name(), ".json");
    Path log = classes.resolve("log.txt");
    List<String> command = new ArrayList<>(List.of(JAVA, FIRST_COMPILER));
    if (program.isRecent()) {
      command.add("--enable-preview");
    }
    command.add("-javaagent:" + agent + "=report=" + report);
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", classes.resolve(program.folder()).toString(), program.name()));
    int status = run(program, command, log);
    // What races may come to harm by it; the verdict stands.
    if (status != 0 && !program.mayFail()) {
      throw new IllegalStateException(program + " failed: " + Files.readString(log));
    }
    return outcome(Files.readString(report));
  }

  /** What a program and the agent print with these options, in a virtual machine of its own. */
  static List<String> printed(
      Program program, Path classes, Path agent, String options, String... arguments)
      throws IOException, InterruptedException {
    Path log = classes.resolve("log.txt");
    List<String> command =
        new ArrayList<>(
            List.of(
                JAVA,
                FIRST_COMPILER,
                "-javaagent:" + agent + "=" + options,
                "-cp",
                classes.resolve(program.folder()).toString(),
                program.name()));
    command.addAll(List.of(arguments));
    run(program, command, log);
    return Files.readAllLines(log);
  }

  private static int run(Program program, List<String> command, Path log)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
      throw new IllegalStateException(
          "%s did not end within %d minutes: %s"
              .formatted(program, MINUTES_MAX, Files.readString(log)));
    }
    return process.exitValue();
  }

  private static Outcome outcome(String json) {
    Matcher verdict = Pattern.compile("\"verdict\":\"([^\"]*)\"").matcher(json);
    String word = verdict.find() ? verdict.group(1) : "";
    return new Outcome(
        word, findings(json, "anomalies"), findings(json, "lockOrdered"), commuting(json), json);
  }

  private static Set<String> commuting(String json) {
    Matcher list =
        Pattern.compile("\"commuting\":\\[([^\\]]*(?:\\[[^\\]]*\\][^\\]]*)*)\\]\\}").matcher(json);
    Set<String> names = new TreeSet<>();
    if (list.find()) {
      Matcher name = Pattern.compile("\"([^\"]*)\"").matcher(list.group(1));
      while (name.find()) {
        names.add(name.group(1));
      }
    }
    return names;
  }

  private static Set<String> findings(String json, String list) {
    Set<String> found = new TreeSet<>();
    int start = json.indexOf("\"" + list + "\":[");
    int end = json.indexOf(list.equals("anomalies") ? "\"lockOrdered\":[" : "\"obstacles\":[");
    Matcher finding = FINDING.matcher(json.substring(start, end));
    while (finding.find()) {
      String kind = finding.group(1).replace("READ-WRITE", "WRITE-READ");
      found.add(list.equals("anomalies") ? finding.group(2) + " " + kind : finding.group(2));
    }
    return found;
  }
}
