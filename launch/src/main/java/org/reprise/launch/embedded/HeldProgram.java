package org.reprise.launch.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.reprise.launch.mpi.HeldReplay;
import org.reprise.launch.process.PreparedCommand;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.run.EngineContext;
import org.reprise.ranks.hold.HeldRanks;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.journal.SourceLine;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/**
 * A Java program of a recorded run, ready to be replayed under a debugger as often as one likes:
 * each time in a JVM of its own, whose ranks are held, and which can be looked into.
 */
public final class HeldProgram {
  /** Classes that no user wants to step into, as patterns of their names. */
  public static final List<String> NOT_THE_PROGRAMS = SourceLine.NOT_THE_PROGRAMS;

  /** The class with a static array {@code threads}, of the threads of the ranks. */
  public static final String THREADS_OF = HeldRanks.class.getName();

  private static final int LEVELS_ABOVE = 6;

  private final RecordedRun recorded;
  private final Surroundings surroundings;

  private HeldProgram(RecordedRun recorded, Surroundings surroundings) {
    this.recorded = recorded;
    this.surroundings = surroundings;
  }

  /** Finds the run whole and permitted; what is other than when it was recorded is said. */
  public static HeldProgram of(RunDirectory run, EngineContext context) {
    RecordedRun recorded = RecordedRun.open(run);
    recorded.verify();
    EmbeddedCommand command = EmbeddedReplayer.command(recorded, Optional.empty());
    context.permission().toExecute(recorded, recorded.description().command());
    Path from = Path.of(recorded.description().directory());
    List<String> notes = new ArrayList<>();
    try (HostedProgram program = HostedProgram.open(command.program(), from)) {
      new EmbeddedReplayer(context).addNotes(notes, recorded, command, program);
    }
    notes.forEach(context.told());
    return new HeldProgram(recorded, context.surroundings());
  }

  public RecordedRun recorded() {
    return recorded;
  }

  /** Whether a class of this name is one of the program's own. */
  public static boolean isOfProgram(String type) {
    return SourceLine.isThePrograms(type);
  }

  /**
   * A source file of the program, if it is where sources are: beside the program or above it, in
   * the directory that the run was recorded in, under {@code src} of these.
   *
   * @param path as a class file says it, with the directories of its package
   */
  public Path source(String path) {
    return sourceRoots().stream()
        .map(root -> root.resolve(path))
        .filter(Files::isRegularFile)
        .findFirst()
        .orElse(Path.of(path));
  }

  private List<Path> sourceRoots() {
    Path directory = Path.of(recorded.description().directory());
    List<Path> roots = new ArrayList<>();
    Path program =
        recorded
            .description()
            .program()
            .map(known -> Path.of(known.path()))
            .orElse(directory.resolve("program"));
    Path above = program.getParent();
    for (int i = 0; i < LEVELS_ABOVE && above != null; i++) {
      roots.add(above);
      above = above.getParent();
    }
    roots.add(directory);
    for (Path root : List.copyOf(roots)) {
      roots.add(root.resolve("src"));
      roots.add(root.resolve("src/main/java"));
    }
    return roots;
  }

  /**
   * Starts a replay.
   *
   * @param words the command that calls {@link EmbeddedReplayer#replayHeld} with a directory for
   *     the files of the ranks
   * @param printed gets what the ranks print, line by line
   */
  public HeldReplay start(Function<Path, List<String>> words, Consumer<String> printed) {
    return HeldReplay.start(
        scratch -> new PreparedCommand(words.apply(scratch), surroundings.environment()),
        surroundings,
        recorded,
        printed);
  }
}
