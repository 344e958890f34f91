package org.reprise.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.embedded.EmbeddedCommand;
import org.reprise.launch.process.Surroundings;
import org.reprise.ranks.host.ProgramCommand;
import org.reprise.trace.file.Wire;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of commands that run Java programs on Reprise's own engine. */
public final class EngineOptions {
  /** More bytes than this has every message. */
  private static final String ALL_WAIT = "-1";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "-n",
      paramLabel = "RANKS",
      description = "Run a Java program in so many ranks of Reprise's own engine.")
  private Optional<Integer> ranks = Optional.empty();

  @Option(
      names = "--sync-sends",
      description =
          "A standard send waits until its message is received, as it may on another machine: shows"
              + " deadlocks that buffers hide.")
  private boolean syncSends;

  @Option(
      names = "--eager",
      paramLabel = "BYTES",
      description = "MPI: only a standard send of more than BYTES waits until it is received.")
  private Optional<Long> eager = Optional.empty();

  @Option(
      names = {"-cp", "--class-path"},
      paramLabel = "PATH",
      description = "Java: where classes are, directories and jars with a colon between them.")
  private Optional<String> classPath = Optional.empty();

  @Option(
      names = ProgramCommand.MPJ_ARGUMENTS,
      description =
          "Java: Main gets three arguments before its own, as from MPJ Express's launcher: rank, number of ranks, device.")
  private boolean mpjArguments;

  /** Whether the user means the engine: says a number of ranks, or names what only Java can run. */
  public boolean areMeant(List<String> words) {
    return ranks.isPresent()
        || classPath.isPresent()
        || mpjArguments
        || ProgramCommand.isJava(words);
  }

  /** Whether sends are to wait for their receives. */
  public boolean changesSends() {
    return syncSends || eager.isPresent();
  }

  /** What the ranks of an MPI are started from, with the setting for their sends. */
  public Surroundings surroundings(Session session) {
    if (syncSends && eager.isPresent() || eager.orElse(0L) < 0) {
      throw new ParameterException(
          spec.commandLine(), "--eager wants a number of bytes, and is not for --sync-sends");
    }
    Surroundings here = session.surroundings();
    return changesSends()
        ? here.with(Wire.ENV_EAGER, eager.map(String::valueOf).orElse(ALL_WAIT))
        : here;
  }

  public EmbeddedCommand command(List<String> words, Optional<Long> seed) {
    if (ranks.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "-n must say how many ranks a Java program has");
    }
    if (ranks.get() < 1) {
      throw new ParameterException(spec.commandLine(), "-n must be above zero");
    }
    if (eager.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--eager is for MPI programs; sends of a Java one have --sync-sends");
    }
    List<String> program = new ArrayList<>();
    if (mpjArguments) {
      program.add(ProgramCommand.MPJ_ARGUMENTS);
    }
    classPath.ifPresent(path -> program.addAll(List.of("-cp", path)));
    program.addAll(words);
    return new EmbeddedCommand(
        ranks.get(),
        seed.map(OptionalLong::of).orElseGet(OptionalLong::empty),
        syncSends,
        ProgramCommand.parse(program));
  }
}
