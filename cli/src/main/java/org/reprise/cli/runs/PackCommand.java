package org.reprise.cli.runs;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.terminal.ProgressLine;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.process.LoadedBuilds;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.pack.PackManifest;
import org.reprise.trace.pack.RunArchive;
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code reprise pack}: makes one file of a run, to send to somebody. */
@Command(
    name = "pack",
    mixinStandardHelpOptions = true,
    description = {
      "Makes one file of a run, to send to a colleague.",
      "It holds the order of messages, what the program read from clocks, random sources and its"
          + " standard input, events where there are any, the environment that the run was recorded"
          + " in, and which builds of the program and its libraries ran."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise pack program-7",
      "  reprise pack --with-program -o crash.reprise failed",
      "  reprise pack -o - | ssh elsewhere reprise unpack -"
    })
public final class PackCommand implements Callable<Integer> {
  private static final String SUFFIX = ".reprise";

  private final Session session;

  @Mixin private ChosenRun chosen;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "The file to write, or - for standard output; else the run's name .reprise.")
  private Optional<String> output = Optional.empty();

  @Option(
      names = {"-f", "--force"},
      description = "Replace the file if it is there.")
  private boolean force;

  @Option(
      names = "--with-program",
      description = "Pack the program's executable, too; its libraries are only named.")
  private boolean withProgram;

  @Option(names = "--no-events", description = "Leave events out: a replay finds them again.")
  private boolean noEvents;

  public PackCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    RunDirectory run = chosen.in(session);
    RunDescription description = run.description();
    LiveRecorder.of(run)
        .ifPresent(
            pid -> {
              throw new UserError(
                  run.name() + " is still being recorded",
                  "process " + pid + " writes it",
                  "wait until it ends, or end that process");
            });
    Optional<Path> program = description.program().map(known -> Path.of(known.path()));
    PackManifest manifest = manifest(run, description, program);
    if (output.equals(Optional.of("-"))) {
      toStandardOutput(run, manifest, program);
    } else {
      toFile(session.directory().resolve(name(run)).normalize(), run, manifest, program);
    }
    return 0;
  }

  private String name(RunDirectory run) {
    return output.orElse(run.name() + SUFFIX);
  }

  private PackManifest manifest(
      RunDirectory run, RunDescription description, Optional<Path> program) {
    Optional<Path> there = program.filter(Files::isRegularFile);
    List<PackManifest.File> files = new ArrayList<>(RunArchive.files(run, !noEvents));
    if (withProgram) {
      try {
        Path file =
            there.orElseThrow(
                () ->
                    new UserError(
                        "the program of " + run.name() + " is not there to be packed",
                        program.map(Path::toString).orElse("the run does not say which it was"),
                        "leave out --with-program"));
        files.add(new PackManifest.File(RunArchive.PROGRAM, Files.size(file)));
      } catch (IOException e) {
        throw cannotWrite(run, e);
      }
    }
    Surroundings recorded =
        session
            .surroundings()
            .with("LD_LIBRARY_PATH", description.environment().getOrDefault("LD_LIBRARY_PATH", ""));
    return new PackManifest(
        description.repriseVersion(),
        run.name(),
        there.flatMap(LoadedBuilds::of),
        there.map(file -> LoadedBuilds.ofLibraries(file, recorded)).orElse(List.of()),
        files);
  }

  private void toStandardOutput(RunDirectory run, PackManifest manifest, Optional<Path> program) {
    if (session.terminal().outIsTerminal()) {
      throw new UserError(
          "a packed run is nothing to look at",
          "standard output is a terminal",
          "redirect it: reprise pack -o - > run.reprise");
    }
    try {
      // Closed by nobody: it is the process's.
      OutputStream out = new BufferedOutputStream(session.terminal().programOut());
      write(run, manifest, program, out);
      out.flush();
    } catch (IOException e) {
      throw cannotWrite(run, e);
    }
  }

  private void toFile(Path file, RunDirectory run, PackManifest manifest, Optional<Path> program) {
    if (!force && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new UserError(
          "there is a file of this name already",
          file.toString(),
          "give another one with -o FILE, or replace it with -f");
    }
    Path fresh = file.resolveSibling("." + file.getFileName() + ".new");
    try {
      try (OutputStream out =
          new BufferedOutputStream(Files.newOutputStream(PrivateFiles.createFile(fresh)))) {
        write(run, manifest, program, out);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      session
          .terminal()
          .out()
          .println(
              "packed "
                  + run.name()
                  + " as "
                  + file.getFileName()
                  + ": "
                  + Words.count(manifest.files().size(), "file")
                  + ", "
                  + Words.bytes(Files.size(file))
                  + (run.description().stdinKept() ? ", its standard input among them" : ""));
    } catch (IOException e) {
      throw cannotWrite(run, e);
    } finally {
      PrivateFiles.removeQuietly(fresh);
    }
  }

  private void write(
      RunDirectory run, PackManifest manifest, Optional<Path> program, OutputStream out)
      throws IOException {
    try (ProgressLine progress = new ProgressLine(session.terminal())) {
      RunArchive.write(
          run,
          manifest,
          program,
          out,
          bytes ->
              progress.show(
                  "packed " + Words.bytes(bytes) + " of " + Words.bytes(manifest.bytes())));
    }
  }

  private static UserError cannotWrite(RunDirectory run, IOException reason) {
    return new UserError(
        run.name() + " cannot be packed",
        PrivateFiles.reason(reason),
        "make room, or write it elsewhere with -o FILE");
  }
}
