package org.reprise.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.reprise.launch.embedded.EmbeddedCommand;
import org.reprise.ranks.host.ProgramCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of commands that run Java programs on Reprise's own engine. */
public final class EngineOptions {
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
          "Java: a standard send waits until its message is received, as it may on a real machine.")
  private boolean syncSends;

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
        || syncSends
        || mpjArguments
        || ProgramCommand.isJava(words);
  }

  public EmbeddedCommand command(List<String> words, Optional<Long> seed) {
    if (ranks.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "-n must say how many ranks a Java program has");
    }
    if (ranks.get() < 1) {
      throw new ParameterException(spec.commandLine(), "-n must be above zero");
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
