package org.reprise.anomaly.agent;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.LoopCode.Program;
import org.reprise.anomaly.agent.LoopOracle.Cells;
import org.reprise.anomaly.agent.LoopOracle.Pair;
import org.reprise.anomaly.hooks.Hooks;

/** Runs programs of {@link RandomLoops} under an agent and compares it with {@link LoopOracle}. */
final class LoopVerdicts {
  private static final Pattern FINDING =
      Pattern.compile(
          "\"type\":\"([a-z-]+)\",\"kind\":\"([A-Z-]+)\",\"variable\":\"([^\"]*)\",\"example\":\"([^\"]*)\""
              + ".*?\"source\":\\{.*?\"line\":(\\d+).*?\"sink\":\\{.*?\"line\":(\\d+)");
  private static final Pattern WORD = Pattern.compile("\"verdict\":\"([^\"]*)\"");
  private static final Pattern INDEX = Pattern.compile("\\[(\\d+)\\]$");
  private static final int SECONDS_MAX = 240;
  private static final int RANK_MAX = 2;

  /** What is wrong with no program of its own. */
  private static final String MACHINE = "the virtual machine";

  /** Of a line of {@link LoopsDriver}. */
  private static final int PARTS = 4;

  private final Path directory;
  private final Map<String, Program> programs = new LinkedHashMap<>();
  private final Map<String, LoopOracle> oracles = new LinkedHashMap<>();
  private final Map<String, String> sources = new LinkedHashMap<>();

  LoopVerdicts(Path directory, long firstSeed, int count) throws IOException {
    this.directory = directory;
    Files.createDirectories(directory);
    List<String> files = new ArrayList<>();
    for (long seed = firstSeed; seed < firstSeed + count; seed++) {
      String name = "L" + seed;
      Program program = RandomLoops.of(name, seed);
      LoopSource source = new LoopSource(program);
      programs.put(name, program);
      oracles.put(name, LoopOracle.of(program, source::line));
      sources.put(name, source.text());
      files.add(Files.writeString(directory.resolve(name + ".java"), source.text()).toString());
    }
    List<String> words =
        new ArrayList<>(
            List.of("-g", "-nowarn", "-Xlint:none", "--release", "17", "-d", directory.toString()));
    words.addAll(files);
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    if (ToolProvider.getSystemJavaCompiler()
            .run(null, messages, messages, words.toArray(String[]::new))
        != 0) {
      throw new IllegalStateException(messages.toString(StandardCharsets.UTF_8));
    }
  }

  String source(String name) {
    return sources.getOrDefault(name, "");
  }

  /** How many there are of which kind. */
  String kinds() {
    int clean = 0;
    int conflicting = 0;
    int throwing = 0;
    for (LoopOracle oracle : oracles.values()) {
      if (oracle.hasThrown()) {
        throwing++;
      } else if (oracle.hasConflicts()) {
        conflicting++;
      } else {
        clean++;
      }
    }
    return "%d clean, %d with conflicts, %d that throw".formatted(clean, conflicting, throwing);
  }

  /**
   * What is wrong, by the names of the programs.
   *
   * @param agent null for a run without
   */
  Map<String, String> run(@Nullable Path agent, String agentOptions, List<String> javaOptions)
      throws IOException, InterruptedException {
    Map<String, String> complaints = new LinkedHashMap<>();
    for (int rank = 0; rank <= RANK_MAX; rank++) {
      List<String> left = new ArrayList<>();
      for (String name : programs.keySet()) {
        if (rank(name) == rank) {
          left.add(name);
        }
      }
      while (!left.isEmpty() && !complaints.containsKey(MACHINE)) {
        runMachine(left, agent, agentOptions, javaOptions, complaints);
      }
    }
    return complaints;
  }

  /** Runs programs in one virtual machine, and takes away those that it came to. */
  private void runMachine(
      List<String> left,
      @Nullable Path agent,
      String agentOptions,
      List<String> javaOptions,
      Map<String, String> complaints)
      throws IOException, InterruptedException {
    Path found = Files.createTempFile(directory, "found", ".txt");
    Path log = directory.resolve("log.txt");
    Process process =
        new ProcessBuilder(command(left, found, agent, agentOptions, javaOptions))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    String trouble = "";
    if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
      trouble = "does not end: " + stacks(process);
      process.destroyForcibly().waitFor();
    }
    // The agent says where its report is.
    String said = Files.readString(log).replaceAll("reprise: the verdict is .*\\R", "");
    if (trouble.isEmpty() && (process.exitValue() != 0 || !said.isBlank())) {
      complaints.put(MACHINE, "ended with " + process.exitValue() + " and said: " + said);
    }
    List<String> lines = Files.readAllLines(found);
    for (String line : lines) {
      String[] parts = line.split("\t", -1);
      left.remove(parts[0]);
      String complaint =
          parts.length < PARTS
              ? trouble
              : complaint(parts[0], parts[1], parts[2], parts[3], agent != null);
      if (!complaint.isEmpty()) {
        complaints.put(parts[0], complaint);
      }
    }
    if (lines.isEmpty()) {
      complaints.put(MACHINE, "nothing came out of it: " + trouble + said);
    }
  }

  private List<String> command(
      List<String> names,
      Path found,
      @Nullable Path agent,
      String agentOptions,
      List<String> javaOptions) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(javaOptions);
    String classes = AgentJar.location(LoopsDriver.class) + File.pathSeparator + directory;
    if (agent == null) {
      classes += File.pathSeparator + AgentJar.location(Hooks.class);
    } else {
      Path report = directory.resolve("end.json");
      command.add("-javaagent:" + agent + "=exclude=org.reprise.,report=" + report + agentOptions);
    }
    command.addAll(List.of("-cp", classes, LoopsDriver.class.getName(), found.toString()));
    command.addAll(names);
    return command;
  }

  /**
   * Programs of one rank share a machine. What a thread, a pool or a loop that throws leaves behind
   * may run beside all that comes later, so that less of it is deferred.
   */
  private int rank(String name) {
    LoopOracle oracle = oracles.get(name);
    String text = source(name);
    return oracle != null && oracle.hasThrown()
        ? RANK_MAX
        : text.contains("Thread ") || text.contains("Pool") ? 1 : 0;
  }

  private static String stacks(Process process) throws IOException, InterruptedException {
    Process jstack =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jstack").toString(),
                String.valueOf(process.pid()))
            .redirectErrorStream(true)
            .start();
    String text = new String(jstack.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    jstack.waitFor();
    return text;
  }

  private String complaint(
      String name, String json, String ending, String result, boolean isChecked) {
    LoopOracle oracle = oracles.get(name);
    if (oracle == null) {
      return "not asked for";
    }
    StringBuilder wrong = new StringBuilder();
    if (!ending.isEmpty()) {
      wrong.append("threw ").append(ending).append('\n');
    } else {
      compare(oracle.result(), List.of(result.strip().split(" +")), wrong);
    }
    if (isChecked) {
      judge(oracle, json, wrong);
    }
    return wrong.isEmpty() ? "" : wrong + json;
  }

  private static void compare(List<String> expected, List<String> found, StringBuilder wrong) {
    boolean isSame = expected.size() == found.size();
    for (int i = 0; isSame && i < expected.size(); i++) {
      isSame = expected.get(i).equals("?") || expected.get(i).equals(found.get(i));
    }
    if (!isSame) {
      wrong.append("left ").append(found).append("\ninstead of ").append(expected).append('\n');
    }
  }

  private static void judge(LoopOracle oracle, String json, StringBuilder wrong) {
    Matcher word = WORD.matcher(json);
    String verdict = word.find() ? word.group(1) : "";
    List<String> expected =
        oracle.mustBeFound()
            ? List.of("anomalies")
            : oracle.hasThrown() ? List.of("not validated", "anomalies") : List.of("validated");
    if (!expected.contains(verdict)) {
      wrong.append(verdict).append(" instead of ").append(expected).append('\n');
    }
    List<Pair> findings = new ArrayList<>();
    Matcher finding = FINDING.matcher(json);
    while (finding.find()) {
      int one = Integer.parseInt(finding.group(5));
      int other = Integer.parseInt(finding.group(6));
      boolean areWrites = finding.group(2).equals("WRITE-WRITE");
      if (oracle.find(one, other, areWrites, oracle.pairs()) == null) {
        wrong.append("no such conflict: ").append(finding.group()).append('\n');
        continue;
      }
      findings.add(new Pair(one, other, areWrites));
      Matcher index = INDEX.matcher(finding.group(4));
      if (index.find()
          && !oracle.places(one, other, areWrites).contains(Integer.parseInt(index.group(1)))) {
        wrong.append("no conflict there: ").append(finding.group()).append('\n');
      }
    }
    for (Cells cells : oracle.cells()) {
      if (cells.needsWrites && !isFound(oracle, cells, findings, true)) {
        wrong
            .append("missing: WRITE-WRITE of ")
            .append(cells.name)
            .append(' ')
            .append(cells.pairs)
            .append('\n');
      }
      if (cells.needsReads && !isFound(oracle, cells, findings, false)) {
        wrong
            .append("missing: WRITE-READ of ")
            .append(cells.name)
            .append(' ')
            .append(cells.pairs)
            .append('\n');
      }
    }
  }

  private static boolean isFound(
      LoopOracle oracle, Cells cells, List<Pair> findings, boolean areWrites) {
    return findings.stream()
        .filter(finding -> finding.areWrites() == areWrites)
        .anyMatch(
            finding -> oracle.find(finding.one(), finding.other(), areWrites, cells.pairs) != null);
  }
}
