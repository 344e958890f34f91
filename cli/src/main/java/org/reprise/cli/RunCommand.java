package org.reprise.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.launch.PlainRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise run}: a run that is shaken and not recorded, to see whether an answer holds. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs an MPI program with random delays, and records nothing.",
      "The delays stand around its MPI calls. The same seed gives the same delays, not the same order: what the machine adds is its own. "
          + "If the answers of several seeds differ, the program depends on message order."
    },
    footerHeading = "%nExample:%n",
    footer = {"  for seed in 1 2 3 4 5; do reprise run --jitter $seed mpirun -n 4 ./program; done"})
final class RunCommand implements Callable<Integer> {
  private final Session session;

  @Option(
      names = "--jitter",
      required = true,
      paramLabel = "SEED",
      description = "A number that chooses the delays.")
  private long jitter;

  @Option(
      names = "--mpicc",
      paramLabel = "PATH",
      description = "The compiler of the program's MPI, where Reprise does not find it itself.")
  private Optional<Path> mpicc = Optional.empty();

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "What to run, from mpirun on; every word from here belongs to it.")
  private List<String> command;

  RunCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return new PlainRun(session.surroundings()).run(command, mpicc, jitter);
  }
}
