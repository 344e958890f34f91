package org.reprise.launch.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RunFile;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** The directory of a run that is about to be recorded, and what to do where that cannot be. */
public final class NewRun {
  public static RunDirectory create(RunStore store, String program) {
    try {
      return store.create(program);
    } catch (UserError failure) {
      // In a place where runs may not be kept, the user meant another one.
      throw store.isWritable() ? new NotRecordable(failure) : failure;
    }
  }

  public static void begin(RunDirectory run, RunDescription begun) {
    try {
      run.describe(begun);
    } catch (UserError failure) {
      throw new NotRecordable(failure);
    }
  }

  /** What the run can do without: a failure is said, and the program goes on. */
  public static void tolerate(List<String> trouble, Runnable step) {
    try {
      step.run();
    } catch (UserError failure) {
      trouble.add(FinishedRun.sentence(failure));
    }
  }

  /** Half of the standard input would be taken for all of it. */
  public static void forgetInput(RunDirectory run, String reason, List<String> trouble) {
    trouble.add("standard input could not be kept (" + reason + "): give it again to the replay");
    try {
      Files.deleteIfExists(run.stdinFile());
    } catch (IOException e) {
      trouble.add("cannot remove " + run.stdinFile() + ": " + PrivateFiles.reason(e));
    }
  }

  public static void removeQuietly(RunDirectory run) {
    try {
      PrivateFiles.removeTree(run.path());
    } catch (IOException e) {
      System.getLogger(NewRun.class.getName())
          .log(System.Logger.Level.WARNING, "cannot remove " + run.path(), e);
    }
  }

  /** The new run is to be replayed without the old one. */
  public static void keepInput(RecordedRun base, RunDirectory run) {
    Path input = base.directory().stdinFile();
    if (base.description().stdinKept() && RunFile.isThere(input)) {
      try (InputStream from = RunFile.stream(input);
          OutputStream to = Files.newOutputStream(PrivateFiles.createFile(run.stdinFile()))) {
        from.transferTo(to);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private NewRun() {}
}
