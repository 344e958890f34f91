package org.reprise.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.Rank;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.events.CallSitesWriter;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventWriter;
import org.reprise.trace.events.RankGroup;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.inputs.Input;
import org.reprise.trace.inputs.InputsWriter;
import org.reprise.trace.order.OrderWriter;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.EventsManifest;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** Runs that are the same each time they are written: for looking at what commands print. */
public final class SampleRuns {
  private static final List<String> CALLS =
      List.of(
          "Init",
          "Finalize",
          "Recv",
          "Send",
          "Iprobe",
          "Fetch_and_op",
          "Accumulate",
          "Win_fence",
          "File_write_shared",
          "Comm_connect");
  private static final int RECV = 2;
  private static final int SEND = 3;
  private static final int IPROBE = 4;

  /** Three ranks; rank 0 took messages from any source, polled, and read clocks. */
  static RunDirectory bank(RunStore store) throws IOException {
    RunDirectory run = store.create("bank");
    int[] sources = {1, 2, 2, 1};
    try (OrderWriter order = new OrderWriter(run.orderFile(new Rank(0)), receiver())) {
      for (int source : sources) {
        order.write(new Outcome.Recv(source, OptionalInt.empty()));
      }
      order.write(new Outcome.FailedPolls(17));
      order.write(new Outcome.Found(2, OptionalInt.of(5)));
    }
    for (int rank = 1; rank < 3; rank++) {
      RankHeader header = header(Wire.FileKind.ORDER, rank, 3).withCallCount(SEND, 2);
      new OrderWriter(run.orderFile(new Rank(rank)), header).close();
    }
    try (InputsWriter inputs =
        new InputsWriter(run.inputsFile(new Rank(0)), header(Wire.FileKind.INPUTS, 0, 3))) {
      inputs.write(new Input.Clock(1, 1_500_000_000L));
      inputs.write(new Input.Time(1_700_000_000L));
      inputs.write(new Input.Bytes(new Input.HexBytes("c0ffee")));
      inputs.write(new Input.Pid(4711));
    }
    finish(store, run, "2025-01-01T10:00:00Z", 3, new Ending.Exited(0), "./bank", "a b");
    return run;
  }

  /**
   * Three ranks with events: rank 0 takes two messages from any source, which race, then one more
   * of rank 1, which has no choice left.
   */
  static RunDirectory racing(RunStore store) throws IOException {
    RunDirectory run = store.create("race");
    try (OrderWriter order = new OrderWriter(run.orderFile(new Rank(0)), receiver())) {
      for (int source : new int[] {1, 2, 1}) {
        order.write(new Outcome.Recv(source, OptionalInt.empty()));
      }
    }
    for (int rank = 1; rank < 3; rank++) {
      new OrderWriter(run.orderFile(new Rank(rank)), header(Wire.FileKind.ORDER, rank, 3)).close();
    }
    events(run, 0, 3, receive(0, 1, true), receive(1, 2, true), send(2, 1), receive(3, 1, true));
    events(run, 1, 3, send(0, 0), receive(1, 0, false), send(2, 0));
    events(run, 2, 3, send(0, 0));
    finish(store, run, "2025-01-04T09:30:00Z", 3, new Ending.Exited(0), "./race");
    keepEvents(run, EventsManifest.Origin.RECORDED);
    return run;
  }

  /** Says that the events of a run are those of its recording, or of a replay that ended so. */
  public static void keepEvents(RunDirectory run, EventsManifest.Origin origin) {
    RecordedRun recorded = RecordedRun.open(run);
    EventsManifest.of(
            recorded,
            run,
            origin,
            recorded.description().program().map(RunDescription.Program::sha256),
            List.of())
        .keep(run);
  }

  /** Two ranks with events: rank 0 takes the one message that there is, from any source. */
  public static RunDirectory orderly(RunStore store) throws IOException {
    return two(store, "orderly", receive(0, 1, true));
  }

  /** The same, but rank 0 polls for the message. */
  public static RunDirectory polling(RunStore store) throws IOException {
    Event found = event(0, EventKind.PROBE, Set.of(EventFlag.POLL), IPROBE, 1);
    return two(store, "polling", found, receive(1, 1, true));
  }

  /** The same as orderly, but rank 0 looked at a clock. */
  public static RunDirectory timed(RunStore store) throws IOException {
    RunDirectory run = orderly(store);
    Files.delete(run.inputsFile(new Rank(0)));
    try (InputsWriter inputs =
        new InputsWriter(run.inputsFile(new Rank(0)), header(Wire.FileKind.INPUTS, 0, 2))) {
      inputs.write(new Input.Time(1_700_000_000L));
    }
    return run;
  }

  private static RunDirectory two(RunStore store, String name, Event... receiver)
      throws IOException {
    RunDirectory run = store.create(name);
    for (int rank = 0; rank < 2; rank++) {
      try (OrderWriter order =
          new OrderWriter(run.orderFile(new Rank(rank)), header(Wire.FileKind.ORDER, rank, 2))) {
        if (rank == 0) {
          order.write(new Outcome.Recv(1, OptionalInt.empty()));
        }
      }
      new InputsWriter(run.inputsFile(new Rank(rank)), header(Wire.FileKind.INPUTS, rank, 2))
          .close();
    }
    events(run, 0, 2, receiver);
    events(run, 1, 2, send(0, 0));
    finish(store, run, "2025-01-06T09:30:00Z", 2, new Ending.Exited(0), "./" + name);
    keepEvents(run, EventsManifest.Origin.RECORDED);
    return run;
  }

  private static void events(RunDirectory run, int rank, int ranks, Event... events) {
    try (EventWriter writer =
            new EventWriter(
                run.eventsFile(new Rank(rank)), header(Wire.FileKind.EVENTS, rank, ranks));
        CallSitesWriter sites =
            new CallSitesWriter(
                run.sitesFile(new Rank(rank)), header(Wire.FileKind.SITES, rank, ranks))) {
      writer.communicator(Communicator.of(7, RankGroup.run(0, ranks, 1)));
      for (Event event : events) {
        sites.number(
            new CallSite(
                List.of(new CallSite.Line("step" + event.site(), "race.c", event.site()))));
        writer.write(event);
      }
    }
  }

  private static Event receive(int number, int source, boolean any) {
    return event(
        number, EventKind.RECV, any ? Set.of(EventFlag.ANY_SOURCE) : Set.of(), RECV, source);
  }

  private static Event send(int number, int destination) {
    return event(number, EventKind.SEND, Set.of(), SEND, destination);
  }

  private static Event event(int number, EventKind kind, Set<EventFlag> flags, int call, int peer) {
    return new Event(
        number,
        kind,
        flags,
        call,
        number + 1,
        peer,
        5,
        CollectiveFlow.NONE,
        0,
        EventCursor.NO_EVENT,
        8,
        1000L * number,
        500,
        0,
        List.of());
  }

  /** Many ranks, of which one was killed. */
  static RunDirectory heat(RunStore store) throws IOException {
    RunDirectory run = store.create("heat");
    for (int rank = 0; rank < 12; rank++) {
      RankHeader header = header(Wire.FileKind.ORDER, rank, 12).withCallCount(SEND, rank);
      RankHeader killed =
          header.with(HeaderField.STATE, Wire.State.RUNNING.ordinal()).with(HeaderField.FLAGS, 0);
      new OrderWriter(run.orderFile(new Rank(rank)), rank == 7 ? killed : header).close();
    }
    finish(store, run, "2025-01-02T09:30:00Z", 12, new Ending.Killed(11), "./heat");
    return run;
  }

  /** A run whose recorder is this process, and has not finished. */
  static RunDirectory recordedBy(RunStore store, RunDescription.RecorderProcess recorder)
      throws IOException {
    RunDirectory run = store.create("live");
    Instant start = Instant.parse("2025-01-03T08:00:00Z");
    describe(store, run, start, 0, new Ending.Unfinished(), recorder, List.of("mpirun", "./live"));
    return run;
  }

  /** Three ranks, of which two had begun when they and their recorder were killed. */
  static RunDirectory killedRecorder(RunStore store) throws IOException {
    RunDirectory run = store.create("lost");
    for (int rank = 0; rank < 2; rank++) {
      RankHeader killed =
          header(Wire.FileKind.ORDER, rank, 3)
              .with(HeaderField.STATE, Wire.State.RUNNING.ordinal())
              .with(HeaderField.FLAGS, 0);
      new OrderWriter(run.orderFile(new Rank(rank)), killed).close();
    }
    Instant start = Instant.parse("2025-01-05T08:00:00Z");
    RunDescription.RecorderProcess gone = new RunDescription.RecorderProcess(17, "node1", start);
    List<String> command = List.of("mpirun", "-n", "3", "./lost");
    describe(store, run, start, 0, new Ending.Unfinished(), gone, command);
    return run;
  }

  private static RankHeader receiver() {
    return header(Wire.FileKind.ORDER, 0, 3)
        .with(HeaderField.RECEIVES, 5)
        .with(HeaderField.POLLS_FAILED_TOTAL, 17)
        .withCallCount(RECV, 5)
        .withCallCount(IPROBE, 18);
  }

  private static RankHeader header(Wire.FileKind kind, int rank, int ranks) {
    return RankHeader.create(kind, Wire.Mode.RECORD, new Rank(rank), ranks)
        .with(HeaderField.STATE, Wire.State.FINALIZED.ordinal())
        .with(HeaderField.FLAGS, 1L << Wire.Flag.EXIT_SEEN.ordinal());
  }

  /** Writes run.json as of a recording that ended 2.5 seconds after it started. */
  private static void finish(
      RunStore store, RunDirectory run, String started, int ranks, Ending ending, String... words)
      throws IOException {
    Instant start = Instant.parse(started);
    List<String> command = new ArrayList<>(List.of("mpirun", "-n", String.valueOf(ranks)));
    command.addAll(List.of(words));
    RunDescription.RecorderProcess gone = new RunDescription.RecorderProcess(17, "node1", start);
    describe(store, run, start, ranks, ending, gone, command);
  }

  private static void describe(
      RunStore store,
      RunDirectory run,
      Instant start,
      int ranks,
      Ending ending,
      RunDescription.RecorderProcess recorder,
      List<String> command)
      throws IOException {
    boolean ended = !(ending instanceof Ending.Unfinished);
    String program = "/home/ada/code/" + run.name();
    run.describe(
        new RunDescription(
            "0.1.0",
            Wire.VERSION,
            run.name(),
            command,
            "/home/ada/code",
            Optional.of(new RunDescription.Program(program, "00ff", 12345)),
            new RunDescription.Mpi(MpiFamily.OPEN_MPI, "Open MPI 4.1.4", "/usr/bin/mpicc"),
            ranks,
            List.of("node1"),
            new TreeMap<>(Map.of("PATH", "/usr/bin")),
            true,
            OptionalLong.empty(),
            false,
            OptionalLong.empty(),
            CALLS,
            start,
            ended ? Optional.of(start.plusMillis(2500)) : Optional.empty(),
            ending,
            List.of(),
            recorder,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false));
    Files.setLastModifiedTime(run.descriptionFile(), FileTime.from(start));
    store.setLatest(run);
  }

  private SampleRuns() {}
}
