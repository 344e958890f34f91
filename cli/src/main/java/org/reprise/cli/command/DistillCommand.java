package org.reprise.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import org.reprise.analysis.Claims;
import org.reprise.analysis.Distillation;
import org.reprise.analysis.RunRaces;
import org.reprise.causality.Progress;
import org.reprise.causality.races.Statistics;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.option.RunName;
import org.reprise.cli.terminal.AnalysisProgress;
import org.reprise.cli.terminal.Session;
import org.reprise.trace.UserError;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunSeal;
import org.reprise.trace.run.RunStore;
import org.reprise.trace.text.Words;
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
    Distillation.requireOneThread(recorded);
    RunDirectory from = recorded.directory();
    RunStore store =
        new RunStore(Optional.ofNullable(from.path().getParent()).orElse(Path.of("/")));
    String wanted = name.orElse(from.name() + "-distilled");
    RunName.check(store, wanted);
    int learned = learning.learn(recorded, session);
    if (learned != 0) {
      throw new UserError(
          from.name() + " cannot be distilled",
          "its replay left the recorded order, so its events are not known to the end",
          "replay it where it was recorded, with the same program and input");
    }
    RunRaces races;
    try (AnalysisProgress progress =
        new AnalysisProgress(session.terminal(), Progress.Pass.FORCING)) {
      races = RunRaces.of(recorded, session.events(recorded), progress);
    }
    Distillation distillation = Distillation.of(races);
    Optional<String> doubt = races.claims().withheld(Claims.Claim.CONTROL_SET);
    if (distillation.keepsAll()) {
      session.terminal().tell("nothing is left out, because " + doubt.orElse(""));
    }
    long[] free = {0};
    RunDirectory to =
        RunName.make(
            store,
            wanted,
            fresh -> {
              free[0] = distillation.write(fresh);
              describe(recorded, fresh, wanted);
            });
    long wildcards = Statistics.wildcards(races.graph());
    long kept = wildcards - free[0];
    int forced = races.controlSet().size();
    PrintWriter out = session.terminal().out();
    out.println(
        "%s: control set %s%d of %s, %s of order instead of %s"
            .formatted(
                to.path(),
                doubt.isEmpty() ? "" : "at least ",
                forced,
                Words.count(
                    wildcards,
                    "receive or probe from any source",
                    "receives and probes from any source"),
                Words.bytes(sum(recorded, to, RankHeader::committed)),
                Words.bytes(sum(recorded, from, RankHeader::committed))));
    if (!distillation.keepsAll()) {
      doubt.ifPresent(why -> out.println("  more may have to be forced, because " + why));
    }
    if (kept > forced) {
      out.println(
          "  %d kept besides: uncertain, or no shorter if left out".formatted(kept - forced));
    }
    long records = sum(recorded, to, RankHeader::outcomes);
    if (records != kept) {
      out.println(
          "  equal outcomes in a row are stored as one: its replay reports "
              + Words.count(records, "outcome"));
    }
    return 0;
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

  private static long sum(
      RecordedRun recorded, RunDirectory directory, ToLongFunction<RankHeader> count) {
    return recorded.ranksPresent().stream().map(directory::header).mapToLong(count).sum();
  }
}
