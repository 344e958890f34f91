package org.reprise.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.reprise.cli.checkup.MpiTools;
import org.reprise.trace.text.Words;

/** The demo with an MPI: plain runs differ, replays do not. */
public final class MpiDemo {
  private static final int PLAIN_RUNS = 4;
  private static final int PLAIN_RUNS_MAX = 20;
  private static final int REPLAYS = 4;

  private final DemoStage stage;
  private final Path root;
  private final MpiTools mpi;

  public MpiDemo(DemoStage stage, Path root, MpiTools mpi) {
    this.stage = stage;
    this.root = root;
    this.mpi = mpi;
  }

  /** Whether every replay gave the recorded answer. */
  public boolean show() throws IOException {
    Path source = root.resolve("examples/c/order_sum.c");
    stage.say(
        "order_sum adds up numbers from 3 workers in the order in which they arrive. The sum has");
    stage.say("rounding errors, so another order gives another answer. First it is compiled.");
    Path program = stage.directory().resolve("order_sum");
    stage
        .run(
            List.of(
                mpi.mpicc().toString(), "-O1", "-g", "-o", program.toString(), source.toString()))
        .requireSuccess("order_sum does not compile");

    List<String> command =
        List.of(
            mpi.mpirun().orElseThrow().toString(),
            "-n",
            String.valueOf(DemoStage.RANKS),
            "./order_sum");
    stage.step("Plain runs: each of them may add up in another order.");
    Set<String> plain = new LinkedHashSet<>();
    for (int i = 0; i < PLAIN_RUNS || (plain.size() == 1 && i < PLAIN_RUNS_MAX); i++) {
      plain.add(stage.run(command).answer());
    }
    stage.say(Words.count(plain.size(), "different answer") + ".");

    String reprise = root.resolve("reprise").toString();
    stage.step("One run is recorded: which message each receive took, nothing else.");
    String recorded =
        stage.run(DemoStage.words(List.of(reprise, "record", "--name", "demo"), command)).answer();

    stage.step(
        "It is replayed " + REPLAYS + " times, with random delays that would change the order.");
    int same = 0;
    for (int seed = 1; seed <= REPLAYS; seed++) {
      DemoStage.Result replay =
          stage.run(List.of(reprise, "replay", "demo", "--jitter", String.valueOf(seed)));
      same += replay.status() == 0 && replay.answer().equals(recorded) ? 1 : 0;
    }
    stage.conclude(
        same == REPLAYS,
        same < REPLAYS
            ? "Only " + same + " of " + REPLAYS + " replays gave the recorded " + recorded + "."
            : "All "
                + REPLAYS
                + " replays gave the recorded "
                + recorded
                + "; plain runs gave "
                + Words.count(plain.size(), "answer")
                + ".");
    return same == REPLAYS;
  }
}
