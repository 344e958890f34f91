package org.reprise.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.reprise.launch.RecordRequest;
import org.reprise.launch.Recorder;
import org.reprise.launch.Recording;
import org.reprise.trace.RunStore;
import org.reprise.trace.RunSummary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise record}: runs a program and keeps what its replay needs. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    description = {
      "Runs an MPI program and records the order of its messages.",
      "The program's output and exit status are its own; what Reprise has to say is one line on "
          + "standard error at the end, and a line for each thing the recording does not hold."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise record mpirun -n 4 ./program input.dat",
      "  reprise record --jitter 7 -o runs -- mpirun -n 4 ./program"
    })
final class RecordCommand implements Callable<Integer> {
  private final Session session;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Keep the run in this directory instead of the one for all runs.")
  private Optional<Path> output = Optional.empty();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Call the run NAME instead of after its program.")
  private Optional<String> name = Optional.empty();

  @Option(
      names = "--jitter",
      paramLabel = "SEED",
      description = "Delay ranks at random around MPI calls, so that rarer orders come up.")
  private Optional<Long> jitter = Optional.empty();

  @Option(
      names = "--no-inputs",
      description = "Do not record what the program reads from clocks and random sources.")
  private boolean noInputs;

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

  RecordCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    RunStore store = output.map(RunStore::new).orElseGet(session::store);
    RecordRequest request = new RecordRequest(command, mpicc, seed(jitter), !noInputs);
    name.ifPresent(wanted -> RunName.check(store, wanted));
    Recording recording = new Recorder(store, session.surroundings()).record(request);
    if (name.isPresent()) {
      recording = RunName.give(store, recording, name.get());
    }
    recording.warnings().forEach(session.terminal()::tell);
    session.terminal().tell(inOneLine(recording));
    return recording.exitStatus();
  }

  static OptionalLong seed(Optional<Long> jitter) {
    return jitter.map(OptionalLong::of).orElseGet(OptionalLong::empty);
  }

  private static String inOneLine(Recording recording) {
    String numbers = recording.summary().map(RecordCommand::numbers).orElse("no rank left a trace");
    return "recorded "
        + recording.run().path()
        + ": "
        + numbers
        + "; the command "
        + Words.sentence(recording.description().ending());
  }

  private static String numbers(RunSummary summary) {
    return String.join(
        ", ",
        Words.count(summary.ranks().size(), "rank"),
        Words.count(summary.receives(), "receive"),
        summary.wildcardReceives() + " of them with a wildcard",
        Words.bytes(summary.bytes()));
  }
}
