package org.reprise.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reprise.exploration.Exploration;
import org.reprise.launch.explore.ExecutionOutcome;
import org.reprise.launch.explore.Explainer;
import org.reprise.launch.explore.Explanation;
import org.reprise.launch.explore.ExplorationReport;
import org.reprise.launch.explore.ExplorationRequest;
import org.reprise.launch.explore.Explorer;
import org.reprise.launch.explore.OutputJudge;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.Permission;
import org.reprise.launch.run.RankConsole;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.launch.verdict.Verdict;
import org.reprise.trace.UserError;
import org.reprise.trace.run.EventsManifest;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunStore;

/** Explorations on every engine: all orders, each once, and a run of each outcome. */
@Timeout(600)
class ExplorerTest {
  private static final int RANKS = 4;

  /** What orders.c does. */
  private static final String JAVA =
      """
      import mpi.*;

      class Orders {
        public static void main(String[] args) throws Exception {
          MPI.Init(args);
          int[] value = {MPI.COMM_WORLD.Rank()};
          int others = MPI.COMM_WORLD.Size() - 1;
          if (value[0] > 0) {
            MPI.COMM_WORLD.Send(value, 0, 1, MPI.INT, 0, 7);
          } else {
            Request[] requests = new Request[others];
            int[] got = new int[others];
            for (int i = 0; i < others; i++) {
              requests[i] = MPI.COMM_WORLD.Irecv(got, i, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            }
            for (Request request : requests) {
              request.Wait();
            }
            System.out.println("last " + got[others - 1]);
            if (got[others - 1] == 1) {
              MPI.COMM_WORLD.Abort(3);
            }
          }
          MPI.Finalize();
        }
      }
      """;

  /** Rank 1 sends when rank 0 has polled in vain. */
  private static final String POLLS =
      """
      import mpi.*;

      class Polls {
        public static void main(String[] args) throws Exception {
          MPI.Init(args);
          int[] value = new int[1];
          if (MPI.COMM_WORLD.Rank() == 0) {
            if (MPI.COMM_WORLD.Iprobe(1, 7) != null) {
              throw new IllegalStateException("nobody has sent");
            }
            MPI.COMM_WORLD.Send(value, 0, 1, MPI.INT, 1, 7);
            MPI.COMM_WORLD.Recv(value, 0, 1, MPI.INT, 1, 7);
          } else {
            MPI.COMM_WORLD.Recv(value, 0, 1, MPI.INT, 0, 7);
            MPI.COMM_WORLD.Send(value, 0, 1, MPI.INT, 0, 7);
          }
          MPI.Finalize();
        }
      }
      """;

  /** What answers.c does. */
  private static final String ANSWERS =
      """
      import mpi.*;

      class Answers {
        public static void main(String[] args) throws Exception {
          MPI.Init(args);
          int[] rank = {MPI.COMM_WORLD.Rank()};
          if (rank[0] > 0) {
            MPI.COMM_WORLD.Send(rank, 0, 1, MPI.INT, 0, 7);
            if (rank[0] == 2) {
              MPI.COMM_WORLD.Send(rank, 0, 1, MPI.INT, 0, 8);
            }
          } else {
            int[] got = new int[3];
            Request[] requests = new Request[2];
            for (int i = 0; i < 2; i++) {
              requests[i] = MPI.COMM_WORLD.Irecv(got, i, 1, MPI.INT, i + 1, 7);
            }
            int seen = MPI.COMM_WORLD.Iprobe(2, 8) == null ? 0 : 1;
            int first = Request.Waitany(requests).index;
            requests[1 - first].Wait();
            MPI.COMM_WORLD.Recv(got, 2, 1, MPI.INT, 2, 8);
            System.out.println("seen " + seen + " first " + first);
          }
          MPI.Finalize();
        }
      }
      """;

  @TempDir Path directory;

  static Stream<MpiUnderTest> mpis() {
    return MpiUnderTest.installed();
  }

  static Stream<Optional<MpiUnderTest>> engines() {
    return Stream.concat(
        MpiUnderTest.installed().map(Optional::of), Stream.of(Optional.<MpiUnderTest>empty()));
  }

  private RunStore store() {
    return new RunStore(directory.resolve("runs"));
  }

  private Engine engine(Optional<MpiUnderTest> mpi, Consumer<String> told) {
    Surroundings here = MpiUnderTest.surroundings(Map.of());
    OutputStream nowhere = OutputStream.nullOutputStream();
    RankConsole console = new RankConsole(nowhere, nowhere, StandardCharsets.UTF_8, false, false);
    EngineContext context = new EngineContext(here, console, told, Permission.OWN);
    return mpi.isPresent() ? MpiUnderTest.engine(here, told) : new EmbeddedEngine(context);
  }

  private List<String> command(Optional<MpiUnderTest> mpi) throws IOException {
    return mpi.isPresent() ? command(mpi.get(), "orders", RANKS) : command("Orders", JAVA, RANKS);
  }

  private List<String> command(MpiUnderTest mpi, String program, int ranks) {
    return Stream.concat(
            mpi.launcher().stream(),
            Stream.of("-n", String.valueOf(ranks), mpi.compile(program, directory).toString()))
        .toList();
  }

  private List<String> command(String name, String text, int ranks) throws IOException {
    Path source = Files.writeString(directory.resolve(name + ".java"), text);
    return List.of("reprise", "record", "-n", String.valueOf(ranks), source.toString());
  }

  /** On an MPI two runs go on at once, each in a directory of its own. */
  private ExplorationRequest request(
      Optional<MpiUnderTest> mpi, List<String> command, OptionalLong max, String... terms) {
    return request(mpi, command, 0, max, terms);
  }

  private ExplorationRequest request(
      Optional<MpiUnderTest> mpi,
      List<String> command,
      int pollFailures,
      OptionalLong max,
      String... terms) {
    return new ExplorationRequest(
        command,
        List.of(terms),
        "orders",
        Optional.empty(),
        max,
        Optional.empty(),
        OptionalInt.empty(),
        pollFailures,
        1,
        false,
        Exploration.Preference.NEW,
        mpi.isPresent() ? 2 : 1,
        mpi.map(_ -> directory.resolve("here")),
        Duration.ofSeconds(20),
        50,
        OutputJudge.of(Optional.empty(), Optional.empty()));
  }

  /**
   * It fails if the last message is rank 1's, so if the first two are those of 2 and 3 as they
   * were: with only one of them there is an order that passes.
   */
  private void isExplained(Optional<MpiUnderTest> mpi, RecordedRun failing) {
    Explainer.Request request =
        new Explainer.Request(
            failing,
            Optional.empty(),
            50,
            Optional.empty(),
            Optional.empty(),
            Duration.ofSeconds(20),
            OutputJudge.of(Optional.empty(), Optional.empty()));
    try (Explainer explainer =
        new Explainer(store(), told -> engine(mpi, told), request, _ -> {})) {
      Explanation explanation = explainer.explain();
      assertThat(explanation.shown()).isTrue();
      assertThat(explanation.passing()).isPresent();
      assertThat(explanation.beginning()).hasSize(2);
      assertThat(explanation.cause()).hasSize(2);
      assertThat(explanation.runs()).isLessThanOrEqualTo(6);
    }
  }

  /** A poll that failed is no outcome of a plan, but might have succeeded all the same. */
  @Test
  void pollsThatOnlyFailAreNamed() throws Exception {
    Explorer explorer = new Explorer(store(), told -> engine(Optional.empty(), told), _ -> {});
    ExplorationReport all =
        explorer.explore(
            request(Optional.empty(), command("Polls", POLLS, 2), OptionalLong.empty()));
    assertThat(all.complete()).isTrue();
    assertThat(all.doubts()).anySatisfy(doubt -> assertThat(doubt).startsWith("polls "));
  }

  /** Who is first at a window's counter is not recorded, so other orders of that are not tried. */
  @ParameterizedTest
  @MethodSource("mpis")
  void aProgramThatCallsWhatIsNotRecordedIsNotExploredCompletely(MpiUnderTest mpi)
      throws Exception {
    Files.createDirectory(directory.resolve("here"));
    Explorer explorer = new Explorer(store(), told -> engine(Optional.of(mpi), told), _ -> {});
    ExplorationReport all =
        explorer.explore(
            request(Optional.of(mpi), command(mpi, "window_counter", 2), OptionalLong.empty()));
    assertThat(all.open()).isZero();
    assertThat(all.complete()).isFalse();
    assertThat(all.doubts())
        .anySatisfy(doubt -> assertThat(doubt).contains("not recorded").contains("Fetch_and_op"));
  }

  /** All but the first lie in memory; what is kept is written as any run is. */
  @Test
  void executionsOfTheEmbeddedEngineAreOnDiskOnlyIfTheyAreKept() throws Exception {
    List<Integer> onDisk = new ArrayList<>();
    Explorer explorer =
        new Explorer(
            store(),
            told -> engine(Optional.empty(), told),
            _ -> onDisk.add(runsOfSearches().size()));
    ExplorationReport all =
        explorer.explore(
            request(Optional.empty(), command(Optional.empty()), OptionalLong.empty()));
    assertThat(onDisk).hasSize(6).containsOnly(0);
    assertThat(store().list()).as("one for each outcome").hasSize(3);
    List<RecordedRun> withoutParent = new ArrayList<>();
    for (ExplorationReport.Counted counted : all.outcomes()) {
      RecordedRun kept = RecordedRun.open(counted.run().orElseThrow());
      kept.verify();
      assertThat(EventsManifest.of(kept).orElseThrow().isWhole()).isTrue();
      if (kept.description().parent().isEmpty()) {
        withoutParent.add(kept);
      }
    }
    assertThat(withoutParent)
        .as("the first execution, unless another took its place")
        .hasSizeLessThan(2);
  }

  /** Run directories that searches have made and neither given away nor removed. */
  private List<Path> runsOfSearches() {
    Path searches = store().home().resolve(".explorations");
    try (Stream<Path> all = Files.walk(searches)) {
      return all.filter(path -> path.toString().matches(".*/job-\\d+/runs/[^/]+"))
          .filter(path -> !Files.isSymbolicLink(path))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Half a search within a bound and half a search without one is neither. */
  @Test
  void aSearchGoesOnWithTheOptionsItWasBegunWith() throws Exception {
    Explorer explorer = new Explorer(store(), told -> engine(Optional.empty(), told), _ -> {});
    List<String> command = command(Optional.empty());
    ExplorationRequest begun =
        request(Optional.empty(), command, OptionalLong.of(1), "--bound", "1");
    String name = explorer.explore(begun).unfinished().orElseThrow().name();
    ExplorationRequest other = request(Optional.empty(), command, OptionalLong.empty());
    assertThatThrownBy(() -> explorer.resume(other, name))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the options that it was begun with");
    assertThat(explorer.resume(begun, name).unfinished().orElseThrow().terms())
        .containsExactly("--bound", "1");
  }

  /** No receive has a choice; the search is stopped half way and goes on. */
  @ParameterizedTest
  @MethodSource("engines")
  void answersOfPollsAndChoicesOfRequestsAreExploredIfAsked(Optional<MpiUnderTest> mpi)
      throws Exception {
    List<String> command =
        mpi.isPresent() ? command(mpi.get(), "answers", 3) : command("Answers", ANSWERS, 3);
    Files.createDirectory(directory.resolve("here"));
    Explorer explorer = new Explorer(store(), told -> engine(mpi, told), _ -> {});
    ExplorationReport half =
        explorer.explore(request(mpi, command, 1, OptionalLong.of(2), "--polls", "1"));
    assertThat(half.complete()).isFalse();
    ExplorationReport all =
        explorer.resume(
            request(mpi, command, 1, OptionalLong.empty(), "--polls", "1"),
            half.unfinished().orElseThrow().name());
    assertThat(all.complete()).as("complete: %s", all.doubts()).isTrue();
    assertThat(all.doubts()).noneMatch(doubt -> doubt.contains("answered as it happened"));
    assertThat(all.executions()).isEqualTo(4);
    assertThat(all.redundant()).isZero();
    assertThat(all.outcomes())
        .extracting(counted -> counted.outcome().text())
        .containsExactlyInAnyOrder(
            "seen 0 first 0", "seen 0 first 1", "seen 1 first 0", "seen 1 first 1");
  }

  /** The search is stopped half way and goes on, so that both halves are seen. */
  @ParameterizedTest
  @MethodSource("engines")
  void allOrdersAreRunOnceAndEachOutcomeReplays(Optional<MpiUnderTest> mpi) throws Exception {
    List<String> command = command(mpi);
    Files.createDirectory(directory.resolve("here"));
    Explorer explorer = new Explorer(store(), told -> engine(mpi, told), _ -> {});
    ExplorationReport half = explorer.explore(request(mpi, command, OptionalLong.of(3)));
    assertThat(half.complete()).isFalse();
    assertThat(half.executions()).isEqualTo(3);
    String name = half.unfinished().orElseThrow().name();
    assertThat(Explorer.unfinished(store())).containsExactly(name);
    ExplorationReport all = explorer.resume(request(mpi, command, OptionalLong.empty()), name);
    assertThat(all.open()).as("plans left").isZero();
    assertThat(all.notFollowed()).isZero();
    assertThat(all.classes()).as("orders of three messages").isEqualTo(6);
    assertThat(all.redundant()).isZero();
    assertThat(all.complete()).as("complete, though runs were aborted: %s", all.doubts()).isTrue();
    assertThat(Explorer.unfinished(store())).as("nothing is left to go on with").isEmpty();
    assertThat(all.outcomes())
        .extracting(counted -> counted.outcome().words() + ": " + counted.outcome().text())
        .anySatisfy(text -> assertThat(text).startsWith("aborted with 3"))
        .contains("passed: last 2", "passed: last 3");
    assertThat(all.outcomes()).extracting(ExplorationReport.Counted::count).containsOnly(2L);
    ExplorationReport.Counted failing = all.outcomes().getFirst();
    assertThat(failing.outcome().kind()).isEqualTo(ExecutionOutcome.Kind.ABORT);
    ReplayRequest again =
        new ReplayRequest(
            failing.run().orElseThrow(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            Duration.ofSeconds(30),
            Optional.empty(),
            OptionalInt.empty(),
            true);
    try (Engine engine = engine(mpi, _ -> {})) {
      assertThat(engine.replay(again).verdict()).isInstanceOf(Verdict.SameOrder.class);
    }
    isExplained(mpi, RecordedRun.open(failing.run().orElseThrow()));
  }
}
