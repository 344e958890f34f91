package org.reprise.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The demo on Reprise's own engine, which needs no MPI: seeds, replays, and every order there is.
 */
public final class JavaDemo {
  private static final int SEEDS = 3;
  private static final int REPLAYS = 2;

  private final DemoStage stage;
  private final Path root;

  public JavaDemo(DemoStage stage, Path root) {
    this.stage = stage;
    this.root = root;
  }

  /** Whether it showed what it promises. */
  public boolean show() throws IOException {
    for (String program : List.of("ReceiveRace.java", "LostUpdate.java")) {
      Files.copy(
          root.resolve("examples/java").resolve(program), stage.directory().resolve(program));
    }
    String reprise = root.resolve("reprise").toString();
    String ranks = String.valueOf(DemoStage.RANKS);
    stage.step("Java programs run in one JVM, without an MPI. A seed decides the order.");
    for (int seed = 1; seed <= SEEDS; seed++) {
      stage
          .run(
              List.of(
                  reprise, "run", "-n", ranks, "--seed", String.valueOf(seed), "ReceiveRace.java"))
          .requireSuccess("ReceiveRace does not run");
    }
    stage.step("Without a seed the ranks run in parallel, and a run is recorded and replayed.");
    String recorded =
        stage
            .run(List.of(reprise, "record", "--name", "java", "-n", ranks, "ReceiveRace.java"))
            .answer();
    int same = 0;
    for (int i = 0; i < REPLAYS; i++) {
      DemoStage.Result replay = stage.run(List.of(reprise, "replay", "java"));
      same += replay.status() == 0 && replay.answer().equals(recorded) ? 1 : 0;
    }
    stage.step(
        "Of a small program every order can be tried: LostUpdate loses money in few of them.");
    DemoStage.Result all = stage.run(List.of(reprise, "enumerate", "-n", "3", "LostUpdate.java"));
    boolean found = all.output().startsWith("35 executions, 2 outcomes");
    stage.conclude(
        same == REPLAYS && found,
        same == REPLAYS && found
            ? "All replays gave the recorded " + recorded + "; 3 of 35 orders lose money."
            : "This is not what it should have shown.");
    return same == REPLAYS && found;
  }
}
