package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.EventGraph;
import org.reprise.causality.Progress;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.Rank;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** What was found out about a run is kept beside it, and only believed where it is our own. */
class KeptAnalysisTest {
  @TempDir Path directory;

  private RunDirectory run = new RunDirectory(Path.of("."));

  @BeforeEach
  void record() throws IOException {
    run = SampleRuns.racing(new Shell(directory.resolve("runs")).store());
  }

  private Surroundings user(String name) {
    return new Surroundings(
        Map.of("XDG_STATE_HOME", directory.resolve(name).toString()),
        directory,
        new StandardInput.Inherited());
  }

  /** Analyses the run, and says whether its events had to be read for it. */
  private boolean reads(String user) {
    List<Progress.Pass> passes = new ArrayList<>();
    RunEvents events = RunEvents.of(RecordedRun.open(run), user(user), _ -> {}, 1);
    EventGraph graph = events.graph((pass, _, _) -> passes.add(pass));
    assertThat(graph.events().size()).isEqualTo(8);
    assertThat(graph.past(graph.events().event(0, 1))).containsExactly(2, 1, 1);
    assertThat(events.races(graph).receives().toArray()).containsExactly(0);
    assertThat(events.controlSet(graph).receives().toArray()).containsExactly(0);
    return !passes.isEmpty();
  }

  private List<Path> kept() throws IOException {
    try (Stream<Path> files = Files.list(run.path())) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("kept-"))
          .sorted()
          .toList();
    }
  }

  @Test
  void theSecondAnalysisStartsFromWhatTheFirstKept() throws IOException {
    assertThat(reads("ada")).isTrue();
    assertThat(kept())
        .extracting(file -> file.getFileName().toString())
        .containsExactly("kept-control-set", "kept-graph", "kept-races");
    assertThat(reads("ada")).isFalse();
  }

  @Test
  void itIsRemovedWithTheRun() throws IOException {
    reads("ada");
    assertThat(kept()).isNotEmpty();
    new RunStore(run.path().resolveSibling("")).remove(run);
    assertThat(run.path()).doesNotExist();
  }

  @Test
  void itIsDroppedWhenTheEventsChanged() throws IOException {
    reads("ada");
    Files.setLastModifiedTime(run.eventsFile(new Rank(0)), FileTime.fromMillis(1_000_000));
    assertThat(reads("ada")).isTrue();
    assertThat(reads("ada")).isFalse();
  }

  @Test
  void whatSomebodyElseKeptIsNotBelieved() throws IOException {
    reads("eve");
    assertThat(reads("ada")).isTrue();
    assertThat(reads("ada")).isFalse();
    assertThat(reads("eve")).as("now it is ada's").isTrue();
  }

  /** One byte after the other is damaged: each time everything is found out again. */
  @Test
  void whatIsDamagedIsAsGoodAsNothing() throws IOException {
    reads("ada");
    for (Path file : kept()) {
      byte[] whole = Files.readAllBytes(file);
      for (int at = 0; at < whole.length; at += Math.max(1, whole.length / 40)) {
        byte[] damaged = whole.clone();
        damaged[at] ^= 0x41;
        Files.write(file, damaged);
        reads("ada");
        Files.write(file, Arrays.copyOf(whole, at));
        reads("ada");
      }
    }
  }
}
