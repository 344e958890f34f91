package org.reprise.cli.option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.reprise.launch.process.Scratch;
import org.reprise.launch.run.Recording;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;
import org.reprise.trace.text.ShellWords;
import picocli.CommandLine;

/**
 * The name a user gives to a run. The recorder names a run after its program; it is renamed once it
 * has ended, so that a recording that is killed is still found where recordings are.
 */
public final class RunName {
  private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9_+][A-Za-z0-9._+-]{0,199}");

  /** What stands for a run that is not called so. */
  private static final Set<String> TAKEN = Set.of("latest", "failed");

  /** Refuses a name before the program has run for an hour. */
  public static void check(RunStore store, String name) {
    if (!USABLE.matcher(name).matches() || TAKEN.contains(name)) {
      throw new UserError(
          "a run cannot have this name",
          ShellWords.quote(name),
          "letters, digits and the signs . _ + - make a name, 200 at most; \"latest\" and \"failed\" are"
              + " taken",
          CommandLine.ExitCode.USAGE);
    }
    if (Files.exists(store.home().resolve(name), LinkOption.NOFOLLOW_LINKS)) {
      throw taken(store, name);
    }
  }

  /** Gives a run its name, in its files as well as on the disk. */
  public static Recording give(RunStore store, Recording recording, String name) {
    RunDirectory run = new RunDirectory(store.home().resolve(name));
    if (run.equals(recording.run())) {
      return recording;
    }
    RunDescription recorded = recording.description();
    RunDescription description = named(recorded, name, recorded.distilledFrom());
    try {
      if (Files.exists(run.path(), LinkOption.NOFOLLOW_LINKS)) {
        throw new FileAlreadyExistsException(run.path().toString());
      }
      Files.move(recording.run().path(), run.path());
    } catch (FileAlreadyExistsException e) {
      throw new UserError(
          "there is a run " + name + " by now, so this one stays " + recording.run().name(),
          e.getFile(),
          "nothing is lost: reprise show " + ShellWords.quote(recording.run().path().toString()));
    } catch (IOException e) {
      throw new UserError(
          "the run cannot be called " + name + " and stays " + recording.run().name(),
          String.valueOf(e.getMessage()),
          "check the permissions of " + store.home());
    }
    run.describe(description);
    if (recording.summary().isPresent()) {
      store.setLatest(run);
    }
    return new Recording(
        run,
        description,
        recording.summary(),
        recording.exitStatus(),
        recording.atRest(),
        recording.end(),
        recording.warnings());
  }

  /** This name if no run has it, else with the next number that is free. */
  public static String free(RunStore store, String name) {
    if (!Files.exists(store.home().resolve(name), LinkOption.NOFOLLOW_LINKS)) {
      return name;
    }
    String stem = name.replaceFirst("-[0-9]{1,9}$", "");
    int number = 1;
    while (Files.exists(store.home().resolve(stem + "-" + number), LinkOption.NOFOLLOW_LINKS)) {
      number++;
    }
    return stem + "-" + number;
  }

  private static UserError taken(RunStore store, String name) {
    return new UserError(
        "there is a run of this name already",
        name + " in " + store.home(),
        "take another name, or remove it first: reprise rm "
            + ShellWords.quote(store.home().resolve(name).toString()));
  }

  /** Writes the files of a new run. */
  public interface Maker {
    void write(RunDirectory fresh) throws IOException;
  }

  /**
   * Makes a run of this name, whole or not at all: it is written elsewhere and gets its name when
   * it is complete.
   */
  public static RunDirectory make(RunStore store, String name, Maker maker) {
    RunDirectory run = new RunDirectory(store.home().resolve(name));
    try {
      try (Scratch scratch = Scratch.create(store.home(), ".new-")) {
        Path workshop = PrivateFiles.createDirectories(scratch.path().resolve(name));
        maker.write(new RunDirectory(workshop));
        if (Files.exists(run.path(), LinkOption.NOFOLLOW_LINKS)) {
          throw taken(store, name);
        }
        Files.move(workshop, run.path());
      }
    } catch (IOException | UncheckedIOException e) {
      throw new UserError(
          "the run " + name + " cannot be written",
          String.valueOf(e.getMessage()),
          "make room in " + store.home());
    }
    return run;
  }

  /** The run that is distilled from another one. */
  public static RunDescription distilled(RunDescription run, String name) {
    return named(run, name, Optional.of(run.name()));
  }

  private static RunDescription named(
      RunDescription run, String name, Optional<String> distilledFrom) {
    return run.with().name(name).distilledFrom(distilledFrom).build();
  }

  private RunName() {}
}
