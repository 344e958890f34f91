package org.reprise.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import org.reprise.causality.EventGraph;
import org.reprise.causality.Pairing;
import org.reprise.causality.Races;
import org.reprise.causality.Statistics;
import org.reprise.trace.PrivateFiles;
import org.reprise.trace.Rank;
import org.reprise.trace.RankHeader;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.RunStore;
import org.reprise.trace.UserError;
import org.reprise.trace.Wire;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code reprise distill}: a run that holds the least a replay must force. */
@Command(
    name = "distill",
    mixinStandardHelpOptions = true,
    description = {
      "Makes a run that holds no more than a replay must force.",
      "Of the wildcard receives and probes it keeps those that could have got another message if"
          + " the others got theirs; the rest has no choice. The new run is replayed like any"
          + " other. A run that was recorded without events is replayed once to learn them."
    },
    footerHeading = "%nExample:%n",
    footer = {"  reprise distill program-3", "  reprise replay program-3-distilled"})
final class DistillCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private ChosenRun run;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Call the new run NAME instead of RUN-distilled.")
  private Optional<String> name = Optional.empty();

  DistillCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    RecordedRun recorded = RecordedRun.open(run.in(session));
    requireOneThread(recorded);
    RunDirectory from = recorded.directory();
    RunStore store =
        new RunStore(Optional.ofNullable(from.path().getParent()).orElse(Path.of("/")));
    String wanted = name.orElse(from.name() + "-distilled");
    RunName.check(store, wanted);
    int learned = RunEvents.learn(recorded, Optional.empty(), Optional.empty(), session);
    if (learned != 0) {
      throw new UserError(
          from.name() + " cannot be distilled",
          "its replay left the recorded order, so its events are not known to the end",
          "replay it where it was recorded, with the same program and input");
    }
    EventGraph graph = RunEvents.of(recorded, session).graph();
    Races controlSet = Races.controlSet(graph);
    int[] uncertain = controlSet.uncertain();
    List<Rank> cutOff = CutOff.ranks(recorded);
    if (!cutOff.isEmpty()) {
      session
          .terminal()
          .tell(
              "%s did not come to MPI_Finalize: what was still to be sent is not known, so nothing is left out"
                  .formatted(RaceReport.list(cutOff.stream().map(Rank::number).toList())));
    }
    RunDirectory to = new RunDirectory(store.home().resolve(wanted));
    long free = 0;
    try {
      PrivateFiles.createDirectories(to.path());
      for (Rank rank : recorded.ranksPresent()) {
        free +=
            Distillation.of(
                rank,
                from,
                to,
                graph.events(),
                recorded.description().callNames(),
                event ->
                    !cutOff.isEmpty()
                        || controlSet.contains(event)
                        || !graph.contains(event)
                        || graph.pairing().message(event) == Pairing.NONE
                        || graph.pairing().isAmbiguous(event)
                        || Arrays.stream(uncertain).anyMatch(one -> one == event));
        copy(from.inputsFile(rank), to.inputsFile(rank));
      }
      copy(from.stdinFile(), to.stdinFile());
    } catch (IOException e) {
      throw new UserError(
          "the distilled run cannot be written",
          String.valueOf(e.getMessage()),
          "make room in " + store.home());
    }
    to.describe(RunName.distilled(recorded.description(), wanted));
    long wildcards = Statistics.wildcards(graph);
    long kept = wildcards - free;
    PrintWriter out = session.terminal().out();
    out.println(
        "%s: control set %d of %s, %s of order instead of %s"
            .formatted(
                to.path(),
                controlSet.size(),
                Words.count(
                    wildcards,
                    "receive or probe from any source",
                    "receives and probes from any source"),
                Words.bytes(sum(recorded, to, RankHeader::committed)),
                Words.bytes(sum(recorded, from, RankHeader::committed))));
    if (kept > controlSet.size()) {
      out.println(
          "  %d kept besides: uncertain, or no shorter if left out"
              .formatted(kept - controlSet.size()));
    }
    long records = sum(recorded, to, RankHeader::outcomes);
    if (records != kept) {
      out.println(
          "  a row of the same is one outcome, forced or left free: its replay tells of "
              + Words.count(records, "outcome"));
    }
    return 0;
  }

  private static void requireOneThread(RecordedRun recorded) {
    if (recorded.headers().values().stream().anyMatch(h -> h.has(Wire.Flag.MANY_THREADS))) {
      throw new UserError(
          recorded.directory().name() + " cannot be distilled",
          "several threads of a rank called MPI",
          "replay the run as it is");
    }
  }

  private static long sum(
      RecordedRun recorded, RunDirectory directory, ToLongFunction<RankHeader> count) {
    return recorded.ranksPresent().stream().map(directory::header).mapToLong(count).sum();
  }

  private static void copy(Path from, Path to) throws IOException {
    if (Files.exists(from)) {
      Files.copy(from, to);
    }
  }
}
