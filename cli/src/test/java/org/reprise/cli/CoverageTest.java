package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/COVERAGE.md says of every MPI function what Reprise does with it, and says what is true. */
class CoverageTest {
  private static final Path ROOT = Path.of(System.getProperty("reprise.root"));

  /** The word of COVERAGE.md for each class of interposer/calls.def. */
  private static final Map<String, String> WORDS =
      Map.of(
          "RECORDED", "recorded",
          "SENT", "deterministic",
          "COMMUNICATOR", "deterministic",
          "CREATES", "deterministic",
          "CREATES_LATER", "deterministic",
          "LIFE", "deterministic",
          "DETERMINISTIC", "deterministic",
          "LOCAL", "deterministic",
          "PASSED", "passed through",
          "REFUSED", "refused");

  private static final Pattern ROW =
      Pattern.compile(
          "^\\| (recorded|deterministic|passed through|refused) \\| (.*) \\|$", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("`(MPI_[A-Za-z0-9_*]+)`");
  private static final Pattern CALL =
      Pattern.compile("^CALL\\((\\w+), (\\w+?)(?:_4)?,", Pattern.MULTILINE);
  private static final Pattern DECLARATION =
      Pattern.compile("\\b(?:int|double|MPI_\\w+)\\s+\\*?(MPI_[A-Z]\\w*)\\s*\\(");
  private static final Pattern DEFINED_FUNCTION =
      Pattern.compile("#define\\s+(MPI_[A-Z][a-z]\\w*)\\(");

  @Test
  void everyWrappedCallStandsUnderTheWordOfItsClass() throws Exception {
    Map<String, String> expected = new TreeMap<>();
    Matcher call = CALL.matcher(Files.readString(ROOT.resolve("interposer/calls.def")));
    while (call.find()) {
      String word = WORDS.get(call.group(2));
      assertThat(word).as("the word for class %s of calls.def", call.group(2)).isNotNull();
      expected.put("MPI_" + call.group(1), String.valueOf(word));
    }
    assertThat(expected).as("calls read from calls.def").hasSizeGreaterThan(200);
    assertThat(coverage()).containsAllEntriesOf(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mpicc.openmpi", "mpicc.mpich"})
  void everyFunctionOfAnInstalledMpiStandsThere(String compiler) throws Exception {
    Optional<Path> headers = includeDirectory(compiler);
    assumeTrue(headers.isPresent(), compiler + " is not installed");
    Set<String> declared = declaredIn(headers.orElseThrow());
    assertThat(declared).as("functions declared in %s", headers).hasSizeGreaterThan(300);
    Set<String> names = coverage().keySet();
    List<Pattern> families =
        names.stream()
            .filter(name -> name.contains("*"))
            .map(name -> Pattern.compile(name.replace("*", "\\w+")))
            .toList();
    Set<String> missing = new TreeSet<>(declared);
    missing.removeAll(names);
    missing.removeIf(name -> families.stream().anyMatch(family -> family.matcher(name).matches()));
    assertThat(missing).as("functions of %s that COVERAGE.md does not name", compiler).isEmpty();
  }

  /** Functions, and families of them with a star in their name, to the word of their row. */
  private static Map<String, String> coverage() throws IOException {
    Map<String, String> coverage = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/COVERAGE.md")));
    while (row.find()) {
      Matcher name = NAME.matcher(row.group(2));
      while (name.find()) {
        String before = coverage.put(name.group(1), row.group(1));
        assertThat(before).as("the other word of %s, which stands twice", name.group(1)).isNull();
      }
    }
    return coverage;
  }

  /** Open MPI has one header; MPICH's includes others that lie beside it. */
  private static Set<String> declaredIn(Path directory) throws IOException {
    Set<String> names = new TreeSet<>();
    for (String header : List.of("mpi.h", "mpi_proto.h", "mpio.h")) {
      Path file = directory.resolve(header);
      if (!Files.exists(file)) {
        continue;
      }
      String text =
          Files.readString(file, StandardCharsets.ISO_8859_1).replaceAll("(?s)/\\*.*?\\*/", "");
      DECLARATION.matcher(text).results().forEach(match -> names.add(match.group(1)));
      DEFINED_FUNCTION.matcher(text).results().forEach(match -> names.add(match.group(1)));
    }
    // Types of callbacks, and callbacks that the library brings.
    names.removeIf(name -> name.endsWith("_function") || name.matches("MPI_.*_(fn|FN)"));
    return names;
  }

  /** Where the compiler looks for mpi.h; empty if there is no such compiler. */
  private static Optional<Path> includeDirectory(String compiler) throws Exception {
    Process process;
    try {
      String show = compiler.endsWith("openmpi") ? "--showme:compile" : "-show";
      process = new ProcessBuilder(compiler, show).redirectErrorStream(true).start();
    } catch (IOException e) {
      return Optional.empty();
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s", output).isZero();
    return Pattern.compile("-I(\\S+)")
        .matcher(output)
        .results()
        .map(match -> Path.of(match.group(1)))
        .filter(directory -> Files.exists(directory.resolve("mpi.h")))
        .findFirst();
  }
}
