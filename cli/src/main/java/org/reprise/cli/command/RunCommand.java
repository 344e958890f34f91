package org.reprise.cli.command;

import java.util.concurrent.Callable;
import org.reprise.cli.option.RunOptions;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.run.RunRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code reprise run}: a run that is not recorded, to see whether an answer holds. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a program, with random delays if asked, and records nothing.",
      "Ranks are delayed around MPI calls. The same --jitter gives the same delays, not the same order: the machine adds its own. "
          + "If the answers of several seeds differ, the program depends on message order. "
          + "A Java program (-n) runs on Reprise's own engine, in the same order every time with --seed."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  for seed in 1 2 3; do reprise run --jitter $seed mpirun -n 4 ./program; done",
      "  reprise run -n 4 --seed 7 Program.java"
    })
public final class RunCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private RunOptions options;

  public RunCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    options.requireEffect();
    return options
        .engine(session)
        .run(new RunRequest(options.command("run"), options.mpicc(), options.jitter()));
  }
}
