package org.reprise.cli.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.TrustOptions;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.run.Replay;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.launch.verdict.VerdictText;
import org.reprise.trace.run.RunDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code reprise replay}: runs a recorded command again, in the recorded order. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    customSynopsis =
        "reprise replay [-hV] [--jitter=SEED] [--mpicc=PATH] [--no-prefix]%n"
            + "               [--rank-output=DIR] [--stall-limit=SECONDS] [--trust]%n"
            + "               [RUN] [-- COMMAND...]",
    description = {
      "Runs a recorded program again, in the recorded order.",
      "Every receive takes the message it took then. The last lines say whether all ranks kept the recorded order. If they did, the exit status is "
          + "the program's own; if not, it is 67 and the report says where they diverged."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise replay",
      "  reprise replay program-3 --rank-output out",
      "  reprise replay program-3 -- mpirun -n 4 valgrind ./program input.dat"
    })
public final class ReplayCommand implements Callable<Integer> {
  /** picocli drops the word "--"; here it must be seen, since a RUN may or may not stand before. */
  public static final String NO_DELIMITER = "\0";

  private final Session session;

  @Spec private CommandSpec spec;

  @Mixin private ChosenRun run;

  @Mixin private TrustOptions trust;

  @Option(
      names = "--jitter",
      paramLabel = "SEED",
      description = "Delay ranks at random around MPI calls: the order must hold all the same.")
  private Optional<Long> jitter = Optional.empty();

  @Option(
      names = "--mpicc",
      paramLabel = "PATH",
      description = "The compiler of the program's MPI, where Reprise does not find it itself.")
  private Optional<Path> mpicc = Optional.empty();

  @Option(
      names = "--rank-output",
      paramLabel = "DIR",
      description = "Write what each rank prints to a file of its own in this directory.")
  private Optional<Path> rankOutput = Optional.empty();

  @Option(
      names = "--no-prefix",
      description = "Java: print lines without the rank, which they begin with on a terminal.")
  private boolean noPrefix;

  @Option(
      names = "--stall-limit",
      paramLabel = "SECONDS",
      description = "End the replay when no rank could go on for so long; 30 if not given.")
  private Optional<Long> stallLimit = Optional.empty();

  @Option(
      names = "--",
      hidden = true,
      arity = "1..*",
      paramLabel = "COMMAND",
      parameterConsumer = Rest.class,
      description = "A command to run in place of the recorded one.")
  private List<String> command = new ArrayList<>();

  public ReplayCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Duration limit = stallLimit.map(Duration::ofSeconds).orElse(ReplayRequest.STALL_LIMIT);
    if (limit.isNegative() || limit.isZero()) {
      throw new ParameterException(spec.commandLine(), "--stall-limit must be above zero");
    }
    refuseUnknownOption();
    RunDirectory directory = run.in(session);
    Optional<List<String>> other = command.isEmpty() ? Optional.empty() : Optional.of(command);
    ReplayRequest request =
        new ReplayRequest(
            directory,
            other,
            mpicc.map(session::resolve),
            jitter.map(OptionalLong::of).orElseGet(OptionalLong::empty),
            limit,
            rankOutput.map(session.directory()::resolve));
    Replay replay =
        session
            .engine(directory.description().mpi().family(), noPrefix, trust.permission(session))
            .replay(request);
    VerdictText.lines(replay.verdict()).forEach(session.terminal()::tell);
    return replay.exitStatus();
  }

  /** An option that is not known would be taken for "--" and a command behind it. */
  private void refuseUnknownOption() {
    List<String> words = spec.commandLine().getParseResult().originalArgs();
    int delimiter = words.indexOf("--");
    if (!command.isEmpty()
        && (delimiter < 0 || !words.subList(delimiter + 1, words.size()).equals(command))) {
      throw new ParameterException(
          spec.commandLine(), "Unknown option: '--" + command.getFirst() + "'");
    }
  }

  /** Takes every word that is left. */
  static final class Rest implements IParameterConsumer {
    @Override
    @SuppressWarnings("JdkObsolete") // the type is picocli's
    public void consumeParameters(Stack<String> words, ArgSpec argument, CommandSpec command) {
      List<String> rest = new ArrayList<>();
      while (!words.isEmpty()) {
        rest.add(words.pop());
      }
      if (rest.isEmpty()) {
        throw new ParameterException(command.commandLine(), "No command given after --");
      }
      argument.setValue(rest);
    }
  }
}
