package org.reprise.anomaly.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.anomaly.agent.Programs.Outcome;
import org.reprise.anomaly.agent.Programs.Program;
import org.reprise.anomaly.agent.instrument.program.Scope;

/** What the agent's options make of programs of the suite. */
class OptionsTest {
  private static final List<String> TWO_WORKERS =
      List.of("-Djava.util.concurrent.ForkJoinPool.common.parallelism=2");

  private static final int HANDS = 24;

  @TempDir private Path directory;

  private Path agent = Path.of("");

  @BeforeEach
  void build() throws IOException {
    agent = AgentJar.build(directory);
  }

  @Test
  void whatAMaskNamesIsCountedAndNotForgotten() throws Exception {
    List<Program> programs =
        List.of(
            race("LoopCounter"),
            race("Fields"),
            race("Inherited"),
            race("Scatter"),
            race("Halves"));
    Programs.compile(programs, directory);
    String id = ids(run(programs, "").get(3).json()).iterator().next();
    Path mask = directory.resolve("mask.txt");
    Files.write(
        mask,
        List.of(
            "LoopCounter.count   # a field",
            "Fields.lambda$main$0",
            "# a class",
            "Inherited$One",
            id));
    List<Outcome> outcomes = run(programs, ",mask=" + mask);
    for (Outcome outcome : outcomes.subList(0, 4)) {
      assertThat(outcome.verdict()).as(outcome.json()).isEqualTo("validated");
      assertThat(outcome.json()).doesNotContain("\"masked\":[]");
    }
    assertThat(outcomes.get(4).verdict()).as("not masked").isEqualTo("anomalies");
  }

  @Test
  void aMaskThatMatchesNothingIsNamed() throws Exception {
    Program program = race("LoopCounter");
    Programs.compile(List.of(program), directory);
    Path mask = directory.resolve("mask.txt");
    Files.write(mask, List.of("LoopCounter.count", "# a typo", "LoopCounter.cuont"));
    assertThat(Programs.printed(program, directory, agent, "mask=" + mask))
        .containsSubsequence(
            "reprise: the mask 'LoopCounter.cuont' (mask.txt:3) matched nothing",
            "reprise: validated except 2 masked: every schedule computes the same on this input, "
                + "but for what is masked")
        .noneMatch(line -> line.contains("'LoopCounter.count'"));
    assertThat(run(List.of(program), ",mask=" + mask).get(0).json())
        .contains("\"unmatchedMasks\":[{\"mask\":\"LoopCounter.cuont\",\"place\":\"mask.txt:3\"}]");
  }

  @Test
  void whoIncludesNothingIsToldWhatWouldMatch() throws Exception {
    Program program = race("LoopCounter");
    Programs.compile(List.of(program), directory);
    assertThat(Programs.printed(program, directory, agent, "include=com.acm,include=LoopCuonter"))
        .contains(
            "reprise: prevents validation: nothing was checked: LoopCounter does not begin with 'com.acm' or"
                + " 'LoopCuonter' (include); 'LoopCounter' would match it");
    assertThat(Programs.printed(program, directory, agent, "exclude=Loop"))
        .contains(
            "reprise: prevents validation: nothing was checked: LoopCounter begins with 'Loop' (exclude)");
    Path reports = Files.createDirectory(directory.resolve("reports"));
    Programs.printed(program, directory, agent, "include=com.acm,report=" + reports);
    try (Stream<Path> files = Files.list(reports)) {
      assertThat(files)
          .singleElement()
          .satisfies(
              file -> {
                assertThat(file.getFileName().toString()).startsWith("idle-");
                assertThat(Files.readString(file)).contains("'LoopCounter' would match it");
              });
    }
    assertThat(new Scope(List.of("com.acm"), List.of(), List.of()).complaint("com.acme.Main"))
        .endsWith("'com.acme.' would match it");
  }

  /** The library's own code is told apart from what it hands to the JDK, and from its forks. */
  @Test
  void codeThatIsNotInstrumentedPreventsValidationWhereItForksOrRunsBesideOther() throws Exception {
    Program program = option("Boundary");
    Programs.compile(List.of(program), directory);
    String ran =
        "prevents validation: code of suite.lib, which is not instrumented, beside other code";
    Map<String, String> named =
        Map.of(
            "forks",
            "prevents validation: a loop that suite.lib.Toolbox.copy() forks, which is not instrumented at"
                + " Toolbox.java:15",
            "hands",
            ran,
            "runs",
            ran,
            "beside",
            "prevents validation: call of Toolbox.count(), which is not instrumented at Boundary.java:27");
    for (String way : DealtPrograms.drawn("OptionsTest", 1, List.copyOf(named.keySet()))) {
      for (String options : List.of("include=Boundary", "exclude=suite.")) {
        assertThat(Programs.printed(program, directory, agent, options, way))
            .as("%s with %s", way, options)
            .contains("reprise: " + named.get(way))
            .last()
            .asString()
            .contains("not validated");
      }
      assertThat(Programs.printed(program, directory, agent, "trusting=suite.", way))
          .containsExactly(
              "reprise: validated, trusting suite: every schedule computes the same on this input");
      assertThat(Programs.printed(program, directory, agent, "", way))
          .last()
          .asString()
          .contains("anomal");
    }
  }

  @Test
  void codeThatRunsAloneNeedsNoTrust() throws Exception {
    Program program = option("Boundary");
    Programs.compile(List.of(program), directory);
    for (String options : List.of("include=Boundary", "trusting=suite.", "")) {
      assertThat(Programs.printed(program, directory, agent, options, "alone"))
          .containsExactly("reprise: validated: every schedule computes the same on this input");
    }
  }

  @Test
  void whoMisspellsAnOptionIsToldTheNearestAndAll() throws Exception {
    Program program = race("LoopCounter");
    Programs.compile(List.of(program), directory);
    String all =
        " It has include=PREFIX, exclude=PREFIX, trusting=PREFIX, mask=FILE, report=FILE, stacks, precise, analyze,"
            + " slice, explain, jitter=SEED";
    assertThat(Programs.printed(program, directory, agent, "explian,colour=red,jitter=x"))
        .contains(
            "reprise: jitter=x is not a seed, and nothing is delayed: give a whole number",
            "reprise: the agent has no option 'explian': did you mean 'explain'?" + all,
            "reprise: the agent has no option 'colour'." + all);
  }

  /** In the suite's machine something else may still be open. */
  @Test
  void anInitialiserThatForksAloneIsBeforeAllThatFollows() throws Exception {
    Program program = option("InitializerAlone");
    Programs.compile(List.of(program), directory);
    for (String options : List.of("", "precise")) {
      assertThat(Programs.printed(program, directory, agent, options))
          .containsExactly("reprise: validated: every schedule computes the same on this input");
    }
  }

  @Test
  void aReportThatGoesToAFileIsAnnounced() throws Exception {
    Program program = race("LoopCounter");
    Programs.compile(List.of(program), directory);
    Path report = directory.resolve("report.json");
    assertThat(Programs.printed(program, directory, agent, "report=" + report))
        .containsExactly("reprise: the verdict is 'anomalies'; its report is in " + report);
    // The command prints the lines of the report.
    String text = withoutChance(Files.readString(report));
    assertThat(Programs.printed(program, directory, agent, ""))
        .hasSizeGreaterThan(3)
        .allSatisfy(
            line ->
                assertThat(text)
                    .contains("\"" + withoutChance(line).replaceFirst("reprise: ", "") + "\""));
    Path reports = Files.createDirectory(directory.resolve("reports"));
    assertThat(Programs.printed(program, directory, agent, "report=" + reports)).isEmpty();
  }

  @Test
  void whatTheProgramDeclaresIntendedIsMasked() throws Exception {
    List<Program> programs = List.of(option("IntendedField"), option("IntendedMethod"));
    Programs.compile(programs, directory);
    List<Outcome> outcomes = run(programs, "");
    assertThat(outcomes.get(0).anomalies()).containsExactly("IntendedField.sum WRITE-WRITE");
    assertThat(outcomes.get(0).json()).contains("\"masked\":[{").contains("IntendedField.hits");
    assertThat(outcomes.get(1).verdict()).isEqualTo("validated");
  }

  @Test
  void aLoopOfAClassThatIsRedefinedRunsEachIterationOnce() throws Exception {
    Program program = option("Redefined");
    Programs.compile(List.of(program), directory);
    Path other = AgentJar.ofOthers("Redefined", directory.resolve("options"), directory);

    Outcome outcome = Programs.runAlone(program, directory, agent, "-javaagent:" + other);

    assertThat(outcome.verdict()).as(outcome.json()).isEqualTo("validated");
    assertThat(Files.readAllLines(directory.resolve("log.txt"))).contains("100");
  }

  @Test
  void aLoopOfAClassThatIsRedefinedMeanwhileRunsEachIterationOnce() throws Exception {
    Program program = option("RedefinedBeside");
    Programs.compile(List.of(program), directory);
    Path other = AgentJar.ofOthers("RedefinedBeside", directory.resolve("options"), directory);

    Outcome outcome = Programs.runAlone(program, directory, agent, "-javaagent:" + other);

    assertThat(outcome.anomalies()).as(outcome.json()).containsExactly("pairs[*] WRITE-READ");
    assertThat(Files.readAllLines(directory.resolve("log.txt"))).contains("100");
  }

  @Test
  void stacksShowTheCallsAboveAnAccess() throws Exception {
    List<Program> programs = List.of(race("OtherPackage"));
    Programs.compile(programs, directory);
    assertThat(run(programs, "").get(0).json()).contains("\"stack\":[]");
    assertThat(run(programs, ",stacks").get(0).json())
        .doesNotContain("\"stack\":[]")
        .contains(
            "\"stack\":[\"suite.lib.Memo.square(Memo.java:12)\","
                + "\"OtherPackage.lambda$main$0(OtherPackage.java:");
  }

  @Test
  void checkingEveryAccessFindsTheSameVariables() throws Exception {
    // Without an analysis of the method, the array that an element makes for itself counts.
    List<Program> programs =
        dealt().stream().filter(program -> !program.name().equals("AnyMatch")).toList();
    Programs.compile(programs, directory);
    List<Outcome> outcomes = run(programs, ",precise");
    for (int i = 0; i < programs.size(); i++) {
      Set<String> always = variables(expected(programs.get(i), "anomaly "));
      Set<String> atTimes = variables(expected(programs.get(i), "may "));
      assertThat(variables(outcomes.get(i).anomalies()))
          .as(programs.get(i) + ": " + outcomes.get(i).json())
          .containsAll(always)
          .isSubsetOf(Stream.concat(always.stream(), atTimes.stream()).toList());
    }
  }

  @Test
  void neitherAnAnalysisOfTheWholeProgramNorASliceChangesAnyReport() throws Exception {
    Program prints100 = program("clean/ListAdd");
    List<Program> programs =
        Stream.concat(dealt().stream(), Stream.of(prints100)).distinct().toList();
    Programs.compile(programs, directory);
    List<String> printing = new ArrayList<>(TWO_WORKERS);
    printing.add("-Dreprise.prints=true");
    List<Outcome> plain = Programs.run(programs, directory, agent, "", printing);
    String printed = "100";
    assertThat(Files.readAllLines(directory.resolve("log.txt"))).contains(printed);
    List<Outcome> analyzed = run(programs, ",analyze");
    List<Outcome> sliced = Programs.run(programs, directory, agent, ",slice", printing);
    assertThat(Files.readAllLines(directory.resolve("log.txt"))).doesNotContain(printed);
    for (int i = 0; i < programs.size(); i++) {
      Program program = programs.get(i);
      assertThat(program.complaint(analyzed.get(i), "analyze")).isEmpty();
      assertThat(program.complaint(sliced.get(i), "slice")).isEmpty();
      if (!program.dependsOnTheRun()) {
        List<Object> expected = plain.get(i).findings();
        assertThat(analyzed.get(i).findings()).as(analyzed.get(i).json()).isEqualTo(expected);
        assertThat(sliced.get(i).findings()).as(sliced.get(i).json()).isEqualTo(expected);
      }
    }
  }

  /** What still runs may do more after the verdict: that is not in it. */
  @Test
  void whatStillRunsWhenAVerdictIsTakenPreventsValidation() throws Exception {
    Program program = option("LeftRunning");
    Programs.compile(List.of(program), directory);
    String left = " forked at LeftRunning.java:12 need not have ended when the verdict is taken";
    List<String> printed = Programs.printed(program, directory, agent, "");
    assertThat(printed.get(0)).startsWith("not validated").contains("1 thread" + left);
    assertThat(printed.get(1)).startsWith("not validated").contains("1 thread" + left);
    assertThat(printed.get(2)).startsWith("anomalies").contains("LeftRunning.count");
    assertThat(printed.get(3)).startsWith("validated");
  }

  private List<Outcome> run(List<Program> programs, String options) throws Exception {
    return Programs.run(programs, directory, agent, options, TWO_WORKERS);
  }

  private static List<Program> dealt() throws IOException {
    return DealtPrograms.dealt("OptionsTest").hand(0, HANDS);
  }

  private static Program race(String name) throws IOException {
    return program("races/" + name);
  }

  private static Program program(String name) throws IOException {
    return Programs.all().stream()
        .filter(program -> program.toString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Program option(String name) {
    Path source = Path.of("src", "test", "programs", "options", name + ".java");
    return new Program("options", name, source, false, List.of());
  }

  private static Set<String> expected(Program program, String prefix) {
    return program.expectations().stream()
        .filter(expectation -> expectation.startsWith(prefix))
        .map(expectation -> expectation.substring(prefix.length()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Findings without their kinds. */
  private static Set<String> variables(Set<String> findings) {
    return findings.stream()
        .map(finding -> finding.replaceFirst(" [A-Z-]+$", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** A report but for which of two iterations came first, and which they were. */
  private static String withoutChance(String report) {
    return report
        .replace("READ-WRITE", "WRITE-READ")
        .replaceAll("iteration [0-9]+", "iteration N")
        .replaceAll("id [0-9a-f]{8}", "id");
  }

  private static Set<String> ids(String json) {
    Set<String> ids = new TreeSet<>();
    Matcher id = Pattern.compile("\"id\":\"([0-9a-f]{8})\"").matcher(json);
    while (id.find()) {
      ids.add(id.group(1));
    }
    return ids;
  }
}
