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
 * Small programs with their expected verdicts, in {@code src/test/programs}: races and their mended
 * twins. A program says what it expects in comments:
 *
 * <pre>
 * // expect: anomaly Particle.x WRITE-WRITE
 * // expect: lock-ordered Counter.n
 * // expect: not validated System.nanoTime()
 * // expect: commuting hits
 * // expect: says loop at Solver.java:88
 * // expect: validated
 * </pre>
 *
 * A line {@code // needs: 25} is for programs that use what Java 17 does not have, previews
 * included. What several programs share is in {@code lib}. Every variable that has an anomaly must
 * be expected, and the other way round. WRITE-READ stands for READ-WRITE too: which of the two is
 * seen depends on the schedule.
 */
final class Programs {
  private static final Pattern EXPECTS = Pattern.compile("// expect: (.*)");
  private static final Pattern FINDING =
      Pattern.compile("\"kind\":\"([A-Z-]+)\",\"variable\":\"([^\"]*)\"");
  private static final int MINUTES_MAX = 5;
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

    /** What is wrong with what was found; empty if nothing is. */
    String complaint(Outcome outcome, String circumstances) {
      Set<String> anomalies = expected("anomaly ");
      String verdict =
          expectations.contains("validated")
              ? "validated"
              : anomalies.isEmpty() ? "not validated" : "anomalies";
      boolean right =
          outcome.verdict().equals(verdict)
              && outcome.anomalies().equals(anomalies)
              && outcome.lockOrdered().equals(expected("lock-ordered "))
              && outcome.commuting().containsAll(expected("commuting "))
              && expected("says ").stream().allMatch(outcome.json()::contains)
              && expected("not validated ").stream().allMatch(outcome.json()::contains);
      return right
          ? ""
          : "%s with %s: expected %s, found %s%n"
              .formatted(this, circumstances, expectations, outcome.json());
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
    for (String folder : List.of("races", "clean")) {
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
    for (String folder : List.of("races", "clean", "options")) {
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

  /** Runs the programs under the agent, all in one virtual machine. */
  static List<Outcome> run(
      List<Program> programs,
      Path classes,
      Path agent,
      String agentOptions,
      List<String> javaOptions)
      throws IOException, InterruptedException {
    Path verdicts = Files.createTempFile(classes, "verdicts", ".txt");
    List<String> command = new ArrayList<>(List.of(JAVA));
    command.addAll(javaOptions);
    command.addAll(List.of("-Xshare:off", "--enable-preview"));
    command.add(
        "-javaagent:"
            + agent
            + "=exclude=org.reprise.,report="
            + classes.resolve("end.json")
            + agentOptions);
    command.addAll(List.of("-cp", AgentJar.location(Driver.class).toString()));
    command.add(Driver.class.getName());
    command.add(verdicts.toString());
    for (Program program : programs) {
      command.add(classes.resolve(program.folder()).toString());
      command.add(program.name());
    }
    Path log = classes.resolve("log.txt");
    if (run(command, log) != 0) {
      throw new IllegalStateException("a program failed: " + Files.readString(log));
    }
    return Files.readAllLines(verdicts).stream().map(Programs::outcome).toList();
  }

  /** Runs a program under the agent as a user would: in a virtual machine of its own. */
  static Outcome runAlone(Program program, Path classes, Path agent, String... options)
      throws IOException, InterruptedException {
    Path report = Files.createTempFile(classes, program.name(), ".json");
    Path log = classes.resolve("log.txt");
    List<String> command = new ArrayList<>(List.of(JAVA));
    if (program.isRecent()) {
      command.add("--enable-preview");
    }
    command.add("-javaagent:" + agent + "=report=" + report);
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", classes.resolve(program.folder()).toString(), program.name()));
    int status = run(command, log);
    // What races may come to harm by it; the verdict stands.
    if (status != 0 && !program.folder().equals("races")) {
      throw new IllegalStateException(program + " failed: " + Files.readString(log));
    }
    return outcome(Files.readString(report));
  }

  /** What a program and the agent print with these options, in a virtual machine of its own. */
  static List<String> printed(Program program, Path classes, Path agent, String options)
      throws IOException, InterruptedException {
    Path log = classes.resolve("log.txt");
    run(
        List.of(
            JAVA,
            "-javaagent:" + agent + "=" + options,
            "-cp",
            classes.resolve(program.folder()).toString(),
            program.name()),
        log);
    return Files.readAllLines(log);
  }

  private static int run(List<String> command, Path log) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
      throw new IllegalStateException(command + " did not end: " + Files.readString(log));
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
