package org.reprise.cli.held;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.reprise.cli.terminal.Session;
import org.reprise.debugger.jdi.JavaRanks;
import org.reprise.launch.embedded.EmbeddedReplayer;
import org.reprise.launch.embedded.HeldProgram;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.Permission;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code reprise held-ranks}: what {@code reprise debug} starts, and nobody else: the JVM in which
 * a Java program is replayed whose ranks are held.
 */
@Command(
    name = HeldRanksCommand.NAME,
    hidden = true,
    description = "Replays a Java program whose ranks reprise debug holds.")
public final class HeldRanksCommand implements Callable<Integer> {
  static final String NAME = "held-ranks";
  private static final String MAIN = "org.reprise.cli.Reprise";

  /** Options of this JVM that are for analyses, or cannot be given twice. */
  private static final List<String> NOT_PASSED_ON =
      List.of("-agentlib:", "-agentpath:", "-javaagent:", "-XX:NewRatio=", "-XX:AOTCache");

  private final Session session;

  @Parameters(index = "0", description = "The directory of the run.")
  private Path run;

  @Parameters(index = "1", description = "The directory that gets the files of the ranks.")
  private Path scratch;

  @Parameters(index = "2", description = "The directory of the debugger.")
  private Path control;

  @Parameters(index = "3", description = "Where the program was recorded.")
  private String directory;

  @Parameters(index = "4..*", description = "The recorded command, which was permitted.")
  private List<String> command;

  public HeldRanksCommand(Session session) {
    this.session = session;
  }

  /** The parts of a debugger for the ranks of such a JVM. */
  public static JavaRanks.Parts parts(HeldProgram program, Consumer<String> printed) {
    RecordedRun recorded = program.recorded();
    return new JavaRanks.Parts(
        program,
        (options, scratch, control) -> words(recorded, options, scratch, control),
        failed(recorded),
        printed);
  }

  /** Those that an exception, or an abort of their own, ended. */
  private static Set<Integer> failed(RecordedRun recorded) {
    Set<Integer> failed = new TreeSet<>();
    recorded
        .description()
        .rankEnds()
        .forEach(
            end -> {
              if (end.state() == Wire.State.ABORTED) {
                failed.add(end.rank().number());
              }
            });
    return failed;
  }

  private static List<String> words(
      RecordedRun recorded, List<String> options, Path scratch, Path control) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (NOT_PASSED_ON.stream().noneMatch(option::startsWith)) {
        words.add(option);
      }
    }
    words.addAll(options);
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN, NAME, "--"));
    words.add(recorded.directory().path().toString());
    words.add(scratch.toString());
    words.add(control.toString());
    words.add(recorded.description().directory());
    words.addAll(recorded.description().command());
    return words;
  }

  @Override
  public Integer call() {
    RunDirectory opened = new RunDirectory(run);
    var described = opened.description();
    if (!described.command().equals(command) || !described.directory().equals(directory)) {
      throw new TraceError(
          opened.descriptionFile() + " has changed while it was debugged",
          String.join(" ", described.command()),
          "start reprise debug again");
    }
    EngineContext context = session.context(false, Permission.OWN);
    return new EmbeddedReplayer(context).replayHeld(opened, scratch, control);
  }
}
