package org.reprise.cli.terminal;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import org.reprise.analysis.RunEvents;
import org.reprise.launch.Engine;
import org.reprise.launch.always.AlwaysOn;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.Permission;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunStore;

/**
 * What a command knows of the shell it was typed into: terminal, environment, directory, clock.
 *
 * @param shell the shell's environment, shims of {@link AlwaysOn} on its PATH included
 */
public record Session(Terminal terminal, Map<String, String> shell, Path directory, ZoneId zone) {
  private static final DateTimeFormatter WHEN =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  public static Session ofProcess() {
    Map<String, String> environment = System.getenv();
    String terminals = System.getProperty("reprise.terminal", "");
    return new Session(
        Terminal.ofProcess(environment, terminals),
        environment,
        Path.of("").toAbsolutePath(),
        ZoneId.systemDefault());
  }

  /** The environment of what Reprise looks for and starts. */
  public Map<String, String> environment() {
    return AlwaysOn.of(shell).without(shell);
  }

  /** The user's runs. */
  public RunStore store() {
    return RunStore.of(shell);
  }

  /** Where commands are started from. */
  public Surroundings surroundings() {
    return new Surroundings(environment(), directory, StandardInput.current());
  }

  /**
   * An engine for this command.
   *
   * @param noPrefix whether ranks of this process print lines without their number
   */
  public Engine engine(MpiFamily family, boolean noPrefix, Permission permission) {
    return Engine.of(family, context(noPrefix, permission));
  }

  /** What an engine, or a debugger in place of one, must know of this command. */
  public EngineContext context(boolean noPrefix, Permission permission) {
    return new EngineContext(
        surroundings(), terminal.rankConsole(noPrefix), terminal::tell, permission);
  }

  /** A path as the user meant it, from wherever it is used; a bare name is looked up on PATH. */
  public Path resolve(Path path) {
    return path.getParent() == null ? path : directory.resolve(path).normalize();
  }

  /** A moment on the user's clock. */
  public String when(Instant moment) {
    return WHEN.format(moment.atZone(zone));
  }

  /** The events that a run has, with their places in the source. */
  public RunEvents events(RecordedRun run) {
    return RunEvents.of(run, surroundings(), terminal::tell);
  }
}
