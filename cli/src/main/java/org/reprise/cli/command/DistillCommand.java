package org.reprise.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import org.reprise.causality.EventGraph;
import org.reprise.causality.Pairing;
import org.reprise.causality.Progress;
import org.reprise.causality.Races;
import org.reprise.causality.Statistics;
import org.reprise.cli.analysis.AnalysisProgress;
import org.reprise.cli.analysis.Claims;
import org.reprise.cli.analysis.Distillation;
import org.reprise.cli.analysis.RunEvents;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.option.RunName;
import org.reprise.cli.terminal.Session;
import org.reprise.cli.terminal.Words;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.RunFile;
import org.reprise.trace.file.Wire;
import org.reprise.trace.inputs.InputsReader;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunSeal;
import org.reprise.trace.run.RunStore;
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
public final class DistillCommand implements Callable<Integer> {
  /** Where one of these fails, what looks as if it had no choice may have one in a replay. */
  private static final Set<Claims.Precondition> KEEP_ALL_WITHOUT =
      EnumSet.of(
          Claims.Precondition.EVENTS_WHOLE,
          Claims.Precondition.SAME_PROGRAM,
          Claims.Precondition.RANKS_RECORDED,
          Claims.Precondition.RANKS_ENDED,
          Claims.Precondition.CALLS_RECORDED,
          Claims.Precondition.SENDS_RECORDED,
          Claims.Precondition.RECORDED_TO_THE_END);

  private final Session session;

  @Mixin private ChosenRun run;

  @Mixin private LearnOptions learning;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Call the new run NAME instead of RUN-distilled.")
  private Optional<String> name = Optional.empty();

  public DistillCommand(Session session) {
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
    int learned = RunEvents.learn(recorded, Optional.empty(), Optional.empty(), learning, session);
    if (learned != 0) {
      throw new UserError(
          from.name() + " cannot be distilled",
          "its replay left the recorded order, so its events are not known to the end",
          "replay it where it was recorded, with the same program and input");
    }
    RunEvents events = RunEvents.of(recorded, session);
    EventGraph graph;
    Races controlSet;
    try (AnalysisProgress progress =
        new AnalysisProgress(session.terminal(), Progress.Pass.FORCING)) {
      graph = events.graph(progress);
      controlSet = Races.controlSet(graph);
    }
    Claims claims = Claims.of(recorded, events, graph);
    requireKnownSenders(recorded, claims);
    boolean keepAll = KEEP_ALL_WITHOUT.stream().anyMatch(one -> !claims.hold(one));
    Optional<String> doubt = claims.withheld(Claims.Claim.CONTROL_SET);
    if (keepAll) {
      session.terminal().tell("nothing is left out, because " + doubt.orElse(""));
    }
    long[] free = {0};
    RunDirectory to =
        RunName.make(
            store,
            wanted,
            fresh -> {
              free[0] = write(recorded, fresh, graph, controlSet, keepAll);
              describe(recorded, fresh, wanted);
            });
    long wildcards = Statistics.wildcards(graph);
    long kept = wildcards - free[0];
    PrintWriter out = session.terminal().out();
    out.println(
        "%s: control set %s%d of %s, %s of order instead of %s"
            .formatted(
                to.path(),
                doubt.isEmpty() ? "" : "at least ",
                controlSet.size(),
                Words.count(
                    wildcards,
                    "receive or probe from any source",
                    "receives and probes from any source"),
                Words.bytes(sum(recorded, to, RankHeader::committed)),
                Words.bytes(sum(recorded, from, RankHeader::committed))));
    if (!keepAll) {
      doubt.ifPresent(why -> out.println("  more may have to be forced, because " + why));
    }
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

  /** Outcomes are told apart by events, and there are none of such receives. */
  private static void requireKnownSenders(RecordedRun recorded, Claims claims) {
    if (!claims.hold(Claims.Precondition.SENDERS_RECORDED)) {
      throw new UserError(
          recorded.directory().name() + " cannot be distilled",
          "processes outside the job took part, and are not recorded",
          "replay the run as it is");
    }
  }

  /**
   * Writes the files of the new run; how many receives and probes from any source are left free.
   */
  private static long write(
      RecordedRun recorded, RunDirectory to, EventGraph graph, Races controlSet, boolean keepAll)
      throws IOException {
    RunDirectory from = recorded.directory();
    long free = 0;
    for (Rank rank : recorded.ranksPresent()) {
      free +=
          Distillation.of(
              rank,
              recorded,
              to,
              graph.events(),
              event ->
                  keepAll
                      || controlSet.contains(event)
                      || !graph.contains(event)
                      || graph.pairing().message(event) == Pairing.NONE
                      || graph.pairing().isAmbiguous(event)
                      || controlSet.isUncertain(event));
      Optional<InputsReader> inputs = from.openInputs(rank);
      if (inputs.isPresent()) {
        try (InputsReader open = inputs.get()) {
          RunFile.copy(
              from.inputsFile(rank),
              to.inputsFile(rank),
              Wire.HEADER_BYTES + open.header().committed());
        }
      }
    }
    if (recorded.description().stdinKept() && RunFile.isThere(from.stdinFile())) {
      RunFile.copy(from.stdinFile(), to.stdinFile(), RunFile.size(from.stdinFile()));
    }
    return free;
  }

  /** It is the user's own run if the one it was made of is. */
  private void describe(RecordedRun recorded, RunDirectory to, String wanted) throws IOException {
    RunDescription description = RunName.distilled(recorded.description(), wanted);
    to.describe(description);
    RunSeal seal = RunSeal.of(session.environment());
    if (seal.doubt(recorded.directory(), recorded.description()).isEmpty()) {
      seal.put(to, description);
    }
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
}
