package org.reprise.cli.runs;

import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.cli.option.RunName;
import org.reprise.cli.option.SizeText;
import org.reprise.cli.terminal.ProgressLine;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.process.LoadedBuilds;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RunFile;
import org.reprise.trace.pack.PackManifest;
import org.reprise.trace.pack.RunArchive;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise unpack}: puts a run that somebody packed among this user's. */
@Command(
    name = "unpack",
    mixinStandardHelpOptions = true,
    description = {
      "Puts a run that reprise pack made one file of among your runs.",
      "It is not your own then: before a replay, or an analysis that needs one, runs its command,"
          + " you are asked. Differences between the program here and the one that was recorded are"
          + " listed."
    },
    footerHeading = "%nExample:%n",
    footer = {"  reprise unpack crash.reprise", "  reprise unpack --name theirs - < crash.reprise"})
public final class UnpackCommand implements Callable<Integer> {
  /** Above this nobody sends a run without saying so. */
  private static final long BYTES_MAX = 16L << 30;

  private static final int LIBRARIES_NAMED = 5;

  private final Session session;

  @Parameters(paramLabel = "FILE", description = "The packed run, or - for standard input.")
  private String file;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Call the run NAME instead of what it was called where it was packed.")
  private Optional<String> name = Optional.empty();

  @Option(
      names = "--max-disk",
      paramLabel = "SIZE",
      converter = SizeText.class,
      description = "Refuse a run that takes more, such as 500m or 100g; 16g if not given.")
  private Optional<Long> maxDisk = Optional.empty();

  public UnpackCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    RunStore store = session.store();
    name.ifPresent(wanted -> RunName.check(store, wanted));
    Path archive = Path.of(file.equals("-") ? "standard input" : file);
    try (InputStream in = open(archive);
        RunArchive.Reader reader = RunArchive.open(archive, in)) {
      PackManifest manifest = reader.manifest();
      requireRoom(archive, manifest, store);
      String called = name.orElseGet(() -> RunName.free(store, manifest.name()));
      RunDirectory run = RunName.make(store, called, fresh -> fill(fresh, reader, called));
      store.setLatest(run);
      session
          .terminal()
          .out()
          .println(
              "unpacked "
                  + run.name()
                  + ": "
                  + Words.count(run.ranks().size(), "rank")
                  + ", "
                  + Words.bytes(manifest.bytes()));
      differences(run, manifest).forEach(session.terminal()::tell);
      return 0;
    } catch (IOException e) {
      throw new UserError(
          archive + " cannot be read",
          e instanceof NoSuchFileException ? "no such file" : PrivateFiles.reason(e),
          "check its name and permissions");
    }
  }

  private InputStream open(Path archive) throws IOException {
    return new BufferedInputStream(
        file.equals("-")
            ? new FileInputStream(FileDescriptor.in)
            : RunFile.stream(session.directory().resolve(archive)));
  }

  private void requireRoom(Path archive, PackManifest manifest, RunStore store) throws IOException {
    long most = maxDisk.orElse(BYTES_MAX);
    if (manifest.bytes() > most) {
      throw new UserError(
          archive + " holds more than " + Words.bytes(most),
          Words.bytes(manifest.bytes()) + " when unpacked",
          "if you trust who sent it, allow more with --max-disk");
    }
    PrivateFiles.createDirectories(store.home());
    long room = Files.getFileStore(store.home()).getUsableSpace();
    if (manifest.bytes() > room) {
      throw new UserError(
          "there is no room for the run",
          Words.bytes(manifest.bytes()) + " when unpacked, " + Words.bytes(room) + " free",
          RunDirectory.ROOM_FIX);
    }
  }

  /** Whole and readable, or not at all. */
  private void fill(RunDirectory fresh, RunArchive.Reader reader, String called)
      throws IOException {
    try (ProgressLine progress = new ProgressLine(session.terminal())) {
      long all = reader.manifest().bytes();
      reader.extract(
          fresh.path(),
          bytes -> progress.show("unpacked " + Words.bytes(bytes) + " of " + Words.bytes(all)));
    }
    RunDescription packed = fresh.description();
    fresh.describe(packed.with().name(called).automatic(false).build());
    RecordedRun.open(fresh);
  }

  /** What is other here than where the run was packed. */
  private List<String> differences(RunDirectory run, PackManifest manifest) {
    Optional<String> program =
        run.description()
            .program()
            .flatMap(
                recorded ->
                    difference(
                        "program",
                        new PackManifest.Build(
                            recorded.path(),
                            manifest.program().map(PackManifest.Build::buildId).orElse(""))));
    List<String> libraries =
        manifest.libraries().stream()
            .flatMap(build -> difference("library", build).stream())
            .toList();
    List<String> all = new ArrayList<>();
    program.ifPresent(all::add);
    libraries.stream().limit(LIBRARIES_NAMED).forEach(all::add);
    if (libraries.size() > LIBRARIES_NAMED) {
      all.add("and " + (libraries.size() - LIBRARIES_NAMED) + " libraries more");
    }
    if (manifest.files().stream().anyMatch(one -> one.name().equals(RunArchive.PROGRAM))) {
      all.add("the recorded program is " + run.path().resolve(RunArchive.PROGRAM));
    }
    return all;
  }

  private static Optional<String> difference(String what, PackManifest.Build recorded) {
    Path file = Path.of(recorded.path());
    if (!file.isAbsolute() || !Files.isRegularFile(file)) {
      return Optional.of("the " + what + " " + file + " is not here");
    }
    String here = LoadedBuilds.of(file).map(PackManifest.Build::buildId).orElse("");
    return here.equals(recorded.buildId())
        ? Optional.empty()
        : Optional.of("the " + what + " " + file + " is another build than the recorded one");
  }
}
