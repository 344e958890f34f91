package org.reprise.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.FollowRequest;
import org.reprise.launch.run.Followed;
import org.reprise.launch.run.Permission;
import org.reprise.launch.run.RankConsole;
import org.reprise.launch.run.RecordRequest;
import org.reprise.launch.run.Recording;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.launch.run.RunConditions;
import org.reprise.launch.verdict.Verdict;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.OrderWriter;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.PlanDirectory;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** Plans on every engine: some outcomes are forced, the others free, and all of them recorded. */
@Timeout(600)
class FollowTest {
  private static final RunDescription.Change CHANGE =
      new RunDescription.Change(
          "rank 0 takes another message",
          List.of(new RunDescription.Choice(new Rank(0), 1, Optional.empty(), new Rank(2))));

  private static final int RANKS = 3;
  private static final Rank ROOT = new Rank(0);

  /** What choices.c does, as far as both languages have it. */
  private static final String JAVA =
      """
      import mpi.*;

      class Choices {
        public static void main(String[] args) throws Exception {
          MPI.Init(args);
          int[] value = {MPI.COMM_WORLD.Rank()};
          int others = MPI.COMM_WORLD.Size() - 1;
          if (value[0] > 0) {
            for (int tag = 0; tag < 4; tag++) {
              MPI.COMM_WORLD.Send(value, 0, 1, MPI.INT, 0, tag);
            }
          } else {
            for (int i = 0; i < others; i++) {
              MPI.COMM_WORLD.Recv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, 0);
            }
            for (int i = 0; i < others; i++) {
              Status seen = MPI.COMM_WORLD.Probe(MPI.ANY_SOURCE, 1);
              MPI.COMM_WORLD.Recv(value, 0, 1, MPI.INT, seen.source, 1);
            }
            Request[] requests = new Request[others];
            for (int i = 0; i < others; i++) {
              requests[i] = MPI.COMM_WORLD.Irecv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 2);
            }
            for (int i = 0; i < others; i++) {
              Request.Waitany(requests);
            }
            for (int left = others; left > 0; ) {
              Status seen = MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, 3);
              if (seen != null) {
                MPI.COMM_WORLD.Recv(value, 0, 1, MPI.INT, seen.source, 3);
                left--;
              }
            }
          }
          MPI.Finalize();
        }
      }
      """;

  @TempDir Path directory;

  /** An engine, and a program for it with every kind of choice. */
  private record Case(String name, Engine engine, List<String> command) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Optional<MpiUnderTest>> engines() {
    return Stream.concat(
        MpiUnderTest.installed().map(Optional::of), Stream.of(Optional.<MpiUnderTest>empty()));
  }

  private Case on(Optional<MpiUnderTest> mpi) throws IOException {
    Surroundings here = MpiUnderTest.surroundings(Map.of());
    if (mpi.isPresent()) {
      Path program = mpi.get().compile("choices", directory);
      return new Case(
          mpi.get().toString(),
          MpiUnderTest.engine(here, _ -> {}),
          mpi.get().command(RANKS, program));
    }
    Path source = Files.writeString(directory.resolve("Choices.java"), JAVA);
    OutputStream nowhere = OutputStream.nullOutputStream();
    RankConsole console = new RankConsole(nowhere, nowhere, StandardCharsets.UTF_8, false, false);
    return new Case(
        "embedded",
        new EmbeddedEngine(new EngineContext(here, console, _ -> {}, Permission.OWN)),
        List.of("reprise", "record", "-n", String.valueOf(RANKS), source.toString()));
  }

  private RunStore store() {
    return new RunStore(directory.resolve("runs"));
  }

  private RecordedRun record(Case on) {
    Recording recording =
        on.engine()
            .record(
                store(),
                new RecordRequest(on.command(), Optional.empty(), OptionalLong.of(5), true),
                Recording::exitStatus);
    assertThat(recording.exitStatus()).isZero();
    return RecordedRun.open(recording.run());
  }

  private static List<Outcome> outcomes(RecordedRun run) {
    List<Outcome> outcomes = new ArrayList<>();
    try (OrderReader order = run.directory().openOrder(ROOT)) {
      order.forEachRemaining(next -> outcomes.add(next.outcome()));
    }
    return outcomes;
  }

  /** What calls came to, in their order. */
  private static List<Outcome> calls(RecordedRun run) {
    return outcomes(run).stream().filter(outcome -> !(outcome instanceof Outcome.Post)).toList();
  }

  /**
   * What non-blocking receives took. A record of one may stand before or behind that of a call: it
   * is written when the recorder notices that the receive is complete, which may be early.
   */
  private static Map<Long, Outcome> posts(RecordedRun run) {
    return outcomes(run).stream()
        .filter(Outcome.Post.class::isInstance)
        .map(Outcome.Post.class::cast)
        .collect(Collectors.toMap(post -> post.post(), post -> post));
  }

  private static List<Outcome> withoutPolls(List<Outcome> outcomes) {
    return outcomes.stream().filter(outcome -> !(outcome instanceof Outcome.FailedPolls)).toList();
  }

  private static Map<Rank, RankPlan> whole(RecordedRun run) {
    Map<Rank, RankPlan> plan = new HashMap<>();
    for (Rank rank : run.ranksPresent()) {
      try (OrderReader order = run.directory().openOrder(rank)) {
        plan.put(rank, RankPlan.of(order));
      }
    }
    return plan;
  }

  /** Rank 0 takes another first message, and is free from there on. */
  private static Map<Rank, RankPlan> otherFirst(RecordedRun run) {
    Map<Rank, RankPlan> plan = whole(run);
    plan.put(ROOT, new RankPlan(List.of(otherThan(first(run))), Map.of()));
    return plan;
  }

  private static int first(RecordedRun run) {
    return ((Outcome.Recv) outcomes(run).getFirst()).source();
  }

  private static Outcome otherThan(int source) {
    return new Outcome.Recv(RANKS - source, OptionalInt.empty());
  }

  private Followed follow(Case on, RecordedRun base, Map<Rank, RankPlan> plan) {
    FollowRequest request =
        new FollowRequest(
            base,
            plan,
            Optional.of(CHANGE),
            "followed",
            Optional.empty(),
            OptionalLong.empty(),
            Duration.ofSeconds(5),
            OptionalInt.empty(),
            true,
            RunConditions.USUAL);
    return on.engine().follow(store(), request, Recording::exitStatus);
  }

  private static Verdict replayed(Case on, RunDirectory run) {
    ReplayRequest request =
        new ReplayRequest(
            run,
            Optional.empty(),
            Optional.empty(),
            OptionalLong.of(9),
            Duration.ofSeconds(30),
            Optional.empty(),
            OptionalInt.empty(),
            true);
    return on.engine().replay(request).verdict();
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aPlanOfTheWholeRunIsRecordedAsThatRun(Optional<MpiUnderTest> mpi) throws Exception {
    Case on = on(mpi);
    RecordedRun base = record(on);
    Followed followed = follow(on, base, whole(base));
    assertThat(followed.recording().description().parent()).contains(base.directory().name());
    assertThat(followed.recording().run().description().change()).contains(CHANGE);
    assertThat(followed.use()).isEqualTo(new Followed.PlanUse.Whole());
    assertThat(followed.stalled()).isFalse();
    RecordedRun again = RecordedRun.open(followed.recording().run());
    assertThat(calls(again)).isEqualTo(calls(base));
    assertThat(posts(again)).isEqualTo(posts(base));
    assertThat(again.header(ROOT).orderHash()).isEqualTo(base.header(ROOT).orderHash());
    assertThat(again.header(ROOT).get(HeaderField.POSTS))
        .isEqualTo(base.header(ROOT).get(HeaderField.POSTS));
    assertThat(replayed(on, again.directory())).isInstanceOf(Verdict.SameOrder.class);
  }

  @ParameterizedTest
  @MethodSource("engines")
  void oneOutcomeIsChangedAndTheRestIsFree(Optional<MpiUnderTest> mpi) throws Exception {
    Case on = on(mpi);
    RecordedRun base = record(on);
    Followed followed = follow(on, base, otherFirst(base));
    assertThat(followed.use()).isEqualTo(new Followed.PlanUse.Whole());
    assertThat(followed.recording().exitStatus()).isZero();
    RecordedRun other = RecordedRun.open(followed.recording().run());
    assertThat(outcomes(other).getFirst()).isEqualTo(otherThan(first(base)));
    assertThat(withoutPolls(outcomes(other))).hasSameSizeAs(withoutPolls(outcomes(base)));
    assertThat(replayed(on, other.directory())).isInstanceOf(Verdict.SameOrder.class);
    try (Stream<Path> files = Files.list(other.directory().path())) {
      assertThat(files).as("the plan is gone").noneMatch(file -> file.toString().contains("plan-"));
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void anOutcomeThatTheProgramHasNoCallForIsNamed(Optional<MpiUnderTest> mpi) throws Exception {
    Case on = on(mpi);
    RecordedRun base = record(on);
    Map<Rank, RankPlan> plan = whole(base);
    Outcome index = new Outcome.Index(OptionalInt.of(1));
    plan.put(ROOT, new RankPlan(List.of(outcomes(base).getFirst(), index), Map.of()));
    Followed followed = follow(on, base, plan);
    assertThat(followed.use())
        .isInstanceOfSatisfying(
            Followed.PlanUse.Left.class,
            left -> {
              assertThat(left.rank()).isEqualTo(ROOT);
              assertThat(left.where().what()).isEqualTo(Wire.DivergenceKind.OTHER_CALL);
            });
    RecordedRun kept = RecordedRun.open(followed.recording().run());
    assertThat(replayed(on, kept.directory()))
        .as("it is a run like any other")
        .isInstanceOf(Verdict.SameOrder.class);
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aMessageThatNeverComesStallsTheRunAndNotThePlan(Optional<MpiUnderTest> mpi)
      throws Exception {
    Case on = on(mpi);
    RecordedRun base = record(on);
    Map<Rank, RankPlan> plan = whole(base);
    plan.put(ROOT, new RankPlan(List.of(new Outcome.Recv(0, OptionalInt.empty())), Map.of()));
    Followed followed = follow(on, base, plan);
    assertThat(followed.stalled()).as("rank 0 sends itself nothing").isTrue();
  }

  @Test
  void aPlanForSeveralThreadsIsRefused() throws Exception {
    Case on = on(Optional.empty());
    RecordedRun base = record(on);
    Path order = base.directory().orderFile(ROOT);
    RankHeader header =
        base.header(ROOT).with(HeaderField.FLAGS, 1L << Wire.Flag.MANY_THREADS.ordinal());
    Files.delete(order);
    new OrderWriter(order, header).close();
    RecordedRun threads = RecordedRun.open(base.directory());
    assertThatThrownBy(
            () ->
                PlanDirectory.write(
                    threads, whole(threads), Files.createDirectory(directory.resolve("plan"))))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("several threads");
  }
}
