package org.reprise.cli.option;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.Engine;
import org.reprise.launch.embedded.EmbeddedCommand;
import org.reprise.launch.process.LaunchCommand;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.Permission;
import org.reprise.trace.MpiFamily;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What {@code record} and {@code run} have in common: the command, and on what it is to run. */
public final class RunOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private EngineOptions engine;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description =
          "Java: one rank at a time, every choice drawn from this number: the same run anywhere.")
  private Optional<Long> seed = Optional.empty();

  @Option(
      names = "--no-prefix",
      description = "Java: print lines without the rank, which they begin with on a terminal.")
  private boolean noPrefix;

  @Option(
      names = "--jitter",
      paramLabel = "SEED",
      description = "Delay ranks at random around MPI calls, so that rarer orders come up.")
  private Optional<Long> jitter = Optional.empty();

  @Option(
      names = "--mpicc",
      paramLabel = "PATH",
      description = "The compiler of the program's MPI, where Reprise does not find it itself.")
  private Optional<Path> mpicc = Optional.empty();

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "What to run, from mpirun or the Java program on; every word is its own.")
  private List<String> command;

  public Optional<Path> mpicc() {
    return mpicc;
  }

  public OptionalLong jitter() {
    return jitter.map(OptionalLong::of).orElseGet(OptionalLong::empty);
  }

  /** What the command is to run on. */
  public Engine engine(Session session) {
    return Engine.of(
        embedded().isPresent() ? MpiFamily.EMBEDDED : MpiFamily.OTHER,
        new EngineContext(
            engine.surroundings(session),
            session.terminal().rankConsole(noPrefix),
            session.terminal()::tell,
            Permission.OWN));
  }

  /** The same where nobody sees what the program prints, and trouble is reported. */
  public Engine engine(Session session, Consumer<String> told) {
    return engine(session, told, session.surroundings().input());
  }

  /** The same with another standard input. */
  public Engine engine(Session session, Consumer<String> told, StandardInput input) {
    return Engine.of(
        embedded().isPresent() ? MpiFamily.EMBEDDED : MpiFamily.OTHER,
        new EngineContext(
            engine.surroundings(session).withInput(input),
            session.terminal().rankConsole(true),
            told,
            Permission.OWN));
  }

  /** What runs of the command are called. */
  public String programName(Session session) {
    return embedded()
        .map(java -> java.program().name())
        .orElseGet(() -> LaunchCommand.parse(command, session.surroundings()).programName());
  }

  /**
   * The words by which one would type the command.
   *
   * @param verb what is done with it, if Reprise itself is to run it
   */
  public List<String> command(String verb) {
    return embedded().map(java -> java.words(verb)).orElse(command);
  }

  /** Refuses a plain run of an MPI program, for which nobody needs Reprise. */
  public void requireEffect() {
    if (embedded().isEmpty() && jitter.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "an MPI program needs --jitter, or no Reprise at all");
    }
    if (embedded().isEmpty() && engine.changesSends()) {
      throw new ParameterException(
          spec.commandLine(),
          "--sync-sends and --eager of an MPI program are for reprise record and explore");
    }
  }

  /** What to run on the embedded engine; empty if the command is for an MPI. */
  private Optional<EmbeddedCommand> embedded() {
    if (!engine.areMeant(command)) {
      if (seed.isPresent() || noPrefix) {
        throw new ParameterException(
            spec.commandLine(), "--seed and --no-prefix are for Java programs, with -n");
      }
      return Optional.empty();
    }
    if (mpicc.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--mpicc is not for Java programs, which need no MPI");
    }
    if (seed.isPresent() && jitter.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--jitter has no effect where --seed lets one rank run at a time");
    }
    return Optional.of(engine.command(command, seed));
  }
}
