package org.reprise.cli.runs;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.cli.option.Format;
import org.reprise.cli.option.SizeText;
import org.reprise.cli.terminal.Json;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.always.AlwaysOn;
import org.reprise.trace.run.Quota;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunDisk;
import org.reprise.trace.text.ShellWords;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JsonGenerator;

/** {@code reprise always}: whether every MPI program is recorded, without being asked to. */
@Command(
    name = "always",
    mixinStandardHelpOptions = true,
    description = {
      "Records every MPI program that you start, or no longer.",
      "From reprise always on on, a directory with scripts named mpirun, mpiexec, srun records what"
          + " the real ones start. It must stand first on your PATH, and nothing else is changed."
          + " Nothing is said of the recording; a program that cannot be recorded runs as it is."
          + " The oldest runs are removed when there are too many; reprise keep keeps one."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise always on",
      "  reprise always on --max-runs 500 --max-disk 10g",
      "  reprise always status",
      "  reprise always off"
    })
public final class AlwaysCommand implements Callable<Integer> {
  /** What to do. */
  enum What {
    on,
    off,
    status
  }

  private final Session session;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "on|off|status",
      description = "Begin to record everything, end that, or say whether it is so.")
  private What what;

  @Option(
      names = "--max-runs",
      paramLabel = "N",
      description = "With on: keep N automatic runs; 100 if not given.")
  private Optional<Integer> maxRuns = Optional.empty();

  @Option(
      names = "--max-disk",
      paramLabel = "SIZE",
      converter = SizeText.class,
      description = "With on: what they may take together, such as 500m or 10g; 2g if not given.")
  private Optional<Long> maxDisk = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "How to print: ${COMPLETION-CANDIDATES}.")
  private Format format = Format.TEXT;

  public AlwaysCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (what != What.on && (maxRuns.isPresent() || maxDisk.isPresent()) || maxRuns.orElse(1) < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--max-runs and --max-disk go with reprise always on, and --max-runs is above zero");
    }
    AlwaysOn always = AlwaysOn.of(session.shell());
    switch (what) {
      case on -> {
        Quota before = always.quota();
        Quota quota =
            new Quota(maxRuns.orElse(before.runsMax()), maxDisk.orElse(before.bytesMax()));
        always.turnOn(reprise(), quota, session.shell());
      }
      case off -> always.turnOff();
      case status -> {}
    }
    switch (format) {
      case JSON -> Json.print(session.terminal().out(), json -> print(json, always));
      case TEXT -> print(always);
    }
    return 0;
  }

  /** The command that the user typed this one with, as a file. */
  private static Path reprise() {
    return Path.of(System.getProperty("reprise.root", ".")).resolve("reprise").toAbsolutePath();
  }

  private boolean isEffective(AlwaysOn always) {
    return always.isEffective(session.shell().getOrDefault("PATH", ""));
  }

  private void print(AlwaysOn always) {
    if (!always.isOn()) {
      tell("off: nothing is recorded without being asked to");
      if (isEffective(always)) {
        tell(always.shims() + " is still on your PATH, and passes everything on");
      }
    } else {
      tell("on: what " + String.join(", ", always.launchers()) + " start is recorded");
      tell(
          "at most "
              + Words.count(always.quota().runsMax(), "run")
              + " and "
              + Words.bytes(always.quota().bytesMax())
              + " are kept; the oldest go first, and failed ones later");
      if (!isEffective(always)) {
        tell("in this shell it is not so yet: add this line to its startup file, and type it here");
        tell("  export PATH=" + ShellWords.quote(always.shims().toString()) + ":\"$PATH\"");
      }
    }
    List<RunDirectory> runs = automatic();
    if (!runs.isEmpty()) {
      tell(
          Words.count(runs.size(), "automatic run")
              + ", "
              + runs.stream().filter(RunDirectory::hasFailed).count()
              + " of them failed, take "
              + Words.bytes(bytes(runs))
              + " in "
              + session.store().home());
    }
  }

  private void tell(String line) {
    session.terminal().out().println(line);
  }

  private List<RunDirectory> automatic() {
    return session.store().list().stream()
        .filter(run -> run.descriptionIfReadable().filter(RunDescription::automatic).isPresent())
        .toList();
  }

  private static long bytes(List<RunDirectory> runs) {
    return runs.stream().mapToLong(RunDisk::bytes).sum();
  }

  private void print(JsonGenerator json, AlwaysOn always) {
    List<RunDirectory> runs = automatic();
    json.writeStartObject();
    json.writeBooleanProperty("on", always.isOn());
    json.writeBooleanProperty("firstOnPath", isEffective(always));
    json.writeStringProperty("shims", always.shims().toString());
    Json.strings(json, "launchers", always.launchers());
    json.writeNumberProperty("runsMax", always.quota().runsMax());
    json.writeNumberProperty("bytesMax", always.quota().bytesMax());
    json.writeNumberProperty("runs", runs.size());
    json.writeNumberProperty("failed", runs.stream().filter(RunDirectory::hasFailed).count());
    json.writeNumberProperty("bytes", bytes(runs));
    json.writeEndObject();
  }
}
