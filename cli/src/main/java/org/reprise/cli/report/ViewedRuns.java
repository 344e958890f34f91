package org.reprise.cli.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.reprise.analysis.Claims;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Progress;
import org.reprise.causality.races.Races;
import org.reprise.cli.terminal.AnalysisProgress;
import org.reprise.cli.terminal.EndingText;
import org.reprise.cli.terminal.Session;
import org.reprise.findings.Report;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.EventsManifest;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.text.Words;
import org.reprise.viewer.RankClocks;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.export.Excerpt;
import org.reprise.viewer.export.ExportFormat;
import org.reprise.viewer.page.FindingArticles;
import org.reprise.viewer.page.SelfContainedPage;

/** Recorded runs made ready to be looked at: as a page, or in the formats of others. */
public final class ViewedRuns {
  private final Session session;

  public ViewedRuns(Session session) {
    this.session = session;
  }

  /** A run with its graph and races. */
  public ViewedRun of(RecordedRun recorded) {
    RunEvents events = session.events(recorded);
    try (AnalysisProgress progress =
        new AnalysisProgress(session.terminal(), Progress.Pass.RACES)) {
      EventGraph graph = events.graph(progress);
      return of(recorded, events, graph, events.races(graph), events.controlSet(graph));
    }
  }

  private static ViewedRun of(
      RecordedRun recorded, RunEvents events, EventGraph graph, Races races, Races controlSet) {
    Claims claims = Claims.of(recorded, events, graph);
    return new ViewedRun(
        recorded.directory().name(),
        recorded.description().command(),
        EndingText.sentence(recorded.description().ending()),
        graph,
        races,
        controlSet,
        recorded.description().callNames(),
        (rank, site, call) -> events.stack(new Rank(rank), site, call).places(),
        clocks(recorded, events, graph),
        cutShort(recorded),
        claims.notes(Claims.Claim.CONTROL_SET),
        SourceRoots.of(
            Path.of(recorded.description().directory()), recorded.description().command()),
        !recorded.description().mpi().family().ranksShareAProcess()
            && recorded.description().hosts().size() <= 1);
  }

  private static RankClocks clocks(RecordedRun recorded, RunEvents events, EventGraph graph) {
    long[] origins = new long[graph.events().ranks()];
    String[] hosts = new String[origins.length];
    Arrays.fill(hosts, "");
    for (Rank rank : events.ranks()) {
      try (EventReader reader = recorded.directory().openEvents(rank)) {
        origins[rank.number()] = reader.header().get(HeaderField.START_NANOS);
        hosts[rank.number()] = reader.header().host();
      }
    }
    return RankClocks.of(graph, origins, List.of(hosts));
  }

  private static Set<Integer> cutShort(RecordedRun recorded) {
    Set<Integer> ranks = new HashSet<>();
    recorded
        .headers()
        .forEach(
            (rank, header) -> {
              if (header.state() != Wire.State.FINALIZED) {
                ranks.add(rank.number());
              }
            });
    EventsManifest.of(recorded)
        .ifPresent(
            manifest ->
                manifest.ranks().stream()
                    .filter(
                        of -> of.end() != EventsManifest.End.WHOLE || !manifest.origin().isWhole())
                    .forEach(of -> ranks.add(of.rank().number())));
    return ranks;
  }

  /**
   * Writes a run in a format, to a file or to standard output. Of a run that is too large for it,
   * the beginning is written, and that is said.
   */
  public void write(RecordedRun recorded, ExportFormat format, Optional<Path> file) {
    ViewedRun viewed = fitting(recorded, format);
    if (format.isDirectory()) {
      format.write(viewed, file.orElseThrow());
      return;
    }
    try (OutputStream out = open(file)) {
      format.write(viewed, out);
    } catch (IOException e) {
      throw new UserError(
          "the run cannot be written",
          file.map(Path::toString).orElse("standard output") + ": " + e.getMessage(),
          "name another file with -o");
    }
  }

  /** The page of a run in one file, with a report of its races on it. */
  public String page(RecordedRun recorded, Report report, int limit) {
    ViewedRun viewed = fitting(recorded, ExportFormat.HTML);
    return SelfContainedPage.withReport(viewed, FindingArticles.of(report, limit, viewed.roots()));
  }

  private ViewedRun fitting(RecordedRun recorded, ExportFormat format) {
    ViewedRun viewed = of(recorded);
    EventTable events = viewed.graph().events();
    if (events.size() > format.eventsMax()) {
      int[] counts = Excerpt.counts(viewed.graph(), format.eventsMax());
      RunEvents known = session.events(recorded);
      int kept = Arrays.stream(counts).sum();
      String left =
          "only the first %s of %s are in it: what had to happen before them, and nothing later"
              .formatted(Words.count(kept, "event"), Words.count(events.size(), "event"));
      session.terminal().tell(format + " holds " + format.eventsMax() + " events at most: " + left);
      EventGraph first = known.graphOfFirst(counts);
      return of(recorded, known, first, Races.of(first), Races.controlSet(first)).withNote(left);
    }
    return viewed;
  }

  private OutputStream open(Optional<Path> file) throws IOException {
    return file.isPresent()
        ? new BufferedOutputStream(Files.newOutputStream(file.get()))
        : new BufferedOutputStream(session.terminal().programOut()) {
          @Override
          public void close() throws IOException {
            flush(); // it stays open: messages may follow
          }
        };
  }
}
