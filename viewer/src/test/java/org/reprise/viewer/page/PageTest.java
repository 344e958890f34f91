package org.reprise.viewer.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.viewer.SampleTrace;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.answer.Comparison;

/**
 * The page: its types, its model and layout, and all of it in a real browser. The tools for that
 * come from npm, by {@code scripts/page-tools install}.
 */
@Timeout(600)
class PageTest {
  private static final Path MODULE = Path.of(System.getProperty("reprise.root"), "viewer");

  @TempDir Path directory;

  @BeforeEach
  void tools() {
    assumeTrue(
        Files.exists(MODULE.resolve("node_modules/typescript/bin/tsc")),
        "the tools that check the page are missing: scripts/page-tools install");
  }

  private String run(Map<String, String> environment, String... words) throws Exception {
    Path output = directory.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(MODULE.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(8, TimeUnit.MINUTES)).as("%s ends", words[0]).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String text = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as("%s%n%s", String.join(" ", words), text).isZero();
    return text;
  }

  private static String[] nodeTests(String suffix) throws IOException {
    List<String> words = new ArrayList<>(List.of("node", "--test"));
    try (Stream<Path> files = Files.list(MODULE.resolve("src/test/page"))) {
      files.map(Path::toString).filter(name -> name.endsWith(suffix)).sorted().forEach(words::add);
    }
    return words.toArray(String[]::new);
  }

  @Test
  void everyTypeOfThePageHolds() throws Exception {
    run(Map.of(), "node", "node_modules/typescript/bin/tsc", "-p", ".");
  }

  @Test
  void modelAndLayoutDoWhatTheirTestsClaim() throws Exception {
    assertThat(run(Map.of(), nodeTests(".test.js"))).contains("# fail 0");
  }

  @Test
  void thePageWorksInABrowser() throws Exception {
    String[] source = new String[60];
    Arrays.fill(source, "");
    source[33] = "    MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, PART, MPI_COMM_WORLD, &s);";
    Files.write(directory.resolve("gather.c"), List.of(source));
    ViewedRun gather = SampleTrace.gathering(5).in(directory).run("gather");
    Path file = Files.writeString(directory.resolve("gather.html"), SelfContainedPage.of(gather));
    String anomalies = AnomaliesPage.of(AnomaliesPageTest.REPORT, 10, List.of(directory));
    Path checked = Files.writeString(directory.resolve("check.html"), anomalies);
    SampleTrace twin = SampleTrace.gathering(5).in(directory).receive(0, 3, 7, 34);
    Comparison comparison = new Comparison(gather, twin.run("twin"));
    ViewedRun large = SampleTrace.stencil(8, 100).in(directory).run("stencil");
    ViewedRun crowd = SampleTrace.gathering(300).in(directory).run("crowd");
    ViewedRun crash = SampleTrace.gathering(5).in(directory).killed(0).run("crash");
    try (ViewServer server = ViewServer.start(gather, 0);
        ViewServer grouped = ViewServer.start(crowd, 0);
        ViewServer torn = ViewServer.start(crash, 0);
        ViewServer many = ViewServer.start(large, 0);
        ViewServer both = ViewServer.start(comparison, 0)) {
      assertThat(
              run(
                  Map.of(
                      "REPRISE_VIEW", server.address().toString(),
                      "REPRISE_LARGE", many.address().toString(),
                      "REPRISE_CROWD", grouped.address().toString(),
                      "REPRISE_CRASH", torn.address().toString(),
                      "REPRISE_COMPARE", both.address().toString(),
                      "REPRISE_FILE", file.toUri().toString(),
                      "REPRISE_ANOMALIES", checked.toUri().toString()),
                  nodeTests(".check.js")))
          .contains("# fail 0");
    }
  }
}
