package org.reprise.bench;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.Rank;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.events.CallSitesWriter;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventWriter;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.OrderWriter;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.EventsManifest;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** Writes a generated trace as a run with events, so that the commands can be measured on it. */
final class GeneratedRun {
  private static final int SITES = 16;

  private GeneratedRun() {}

  static RunDirectory write(Path into, GeneratedRank.Shape shape, int ranks, long events) {
    RunStore store = new RunStore(into.toAbsolutePath());
    String name = shape.name().toLowerCase(Locale.ROOT);
    RunDirectory run = store.create(name);
    for (int rank = 0; rank < ranks; rank++) {
      writeRank(run, new GeneratedRank(shape, rank, ranks, events));
    }
    Instant now = Instant.now();
    run.describe(
        new RunDescription(
            "generated",
            Wire.VERSION,
            run.name(),
            List.of("mpirun", "-n", String.valueOf(ranks), name),
            into.toString(),
            Optional.empty(),
            new RunDescription.Mpi(MpiFamily.OPEN_MPI, "none", "mpicc"),
            ranks,
            List.of("nowhere"),
            new TreeMap<>(),
            false,
            OptionalLong.empty(),
            false,
            OptionalLong.empty(),
            GeneratedRank.CALLS,
            now,
            Optional.of(now),
            new Ending.Exited(0),
            List.of(),
            new RunDescription.RecorderProcess(0, "nowhere", now),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false));
    RecordedRun recorded = RecordedRun.open(run);
    EventsManifest.of(recorded, run, EventsManifest.Origin.RECORDED, Optional.empty(), List.of())
        .keep(run);
    return run;
  }

  private static void writeRank(RunDirectory run, GeneratedRank cursor) {
    Rank rank = new Rank(cursor.rank());
    try (EventWriter events =
            new EventWriter(run.eventsFile(rank), header(Wire.FileKind.EVENTS, cursor));
        OrderWriter order =
            new OrderWriter(run.orderFile(rank), header(Wire.FileKind.ORDER, cursor));
        CallSitesWriter sites =
            new CallSitesWriter(run.sitesFile(rank), header(Wire.FileKind.SITES, cursor))) {
      for (int site = 1; site <= SITES; site++) {
        sites.number(new CallSite(List.of(new CallSite.Line("step", "generated.c", site))));
      }
      events.communicator(cursor.communicator(0));
      long posts = 0;
      while (cursor.advance()) {
        events.write(Event.at(cursor));
        outcome(cursor, posts).ifPresent(order::write);
        posts += cursor.kind().isPost() ? 1 : 0;
      }
    }
  }

  /** What the recorder writes down of an event, if anything. */
  private static Optional<Outcome> outcome(EventCursor event, long posts) {
    OptionalInt tag = OptionalInt.empty();
    boolean wild = event.is(EventFlag.ANY_SOURCE);
    return switch (event.kind()) {
      case RECV -> wild ? Optional.of(new Outcome.Recv(event.peer(), tag)) : Optional.empty();
      case PROBE -> Optional.of(new Outcome.Found(event.peer(), tag));
      case POLLS -> Optional.of(new Outcome.FailedPolls(event.bytes()));
      case COMPLETE ->
          event.is(EventFlag.POLL)
              ? Optional.of(new Outcome.Post(posts - 1, event.peer(), tag))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static RankHeader header(Wire.FileKind kind, GeneratedRank cursor) {
    return RankHeader.create(kind, Wire.Mode.RECORD, new Rank(cursor.rank()), cursor.ranks())
        .with(HeaderField.STATE, Wire.State.FINALIZED.ordinal())
        .with(HeaderField.FLAGS, 1L << Wire.Flag.EXIT_SEEN.ordinal());
  }
}
