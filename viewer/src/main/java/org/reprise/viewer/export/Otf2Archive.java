package org.reprise.viewer.export;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.reprise.causality.EventTable;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.EventKind;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.picture.RunPicture;

/**
 * A run as an OTF2 archive, for Vampir, Scalasca and others: a location a rank, a region an MPI
 * function, and what was sent, received and done together.
 */
final class Otf2Archive {
  private static final byte WRITE = 0;
  private static final byte POSIX = 1;
  private static final byte UNCOMPRESSED = 1;
  private static final byte MPI = 4;
  private static final byte PROCESS = 1;
  private static final byte CPU_THREAD = 1;
  private static final byte COMM_LOCATIONS = 4;
  private static final byte COMM_GROUP = 5;
  private static final byte ROLE_FUNCTION = 1;
  private static final byte ROLE_COLLECTIVE = 25;
  private static final byte ROLE_MESSAGE = 28;
  private static final long CHUNK_BYTES = 1 << 20;
  private static final long DEFINITION_BYTES = 4 << 20;
  private static final long NANOS = 1_000_000_000L;
  private static final int UNDEFINED = -1;

  /** By the number that OTF2 has for them. */
  private static final List<String> COLLECTIVES =
      List.of(
          "barrier",
          "bcast",
          "gather",
          "gatherv",
          "scatter",
          "scatterv",
          "allgather",
          "allgatherv",
          "alltoall",
          "alltoallv",
          "alltoallw",
          "allreduce",
          "reduce",
          "reduce_scatter",
          "scan",
          "exscan",
          "reduce_scatter_block");

  /** Of what else all ranks of a communicator do together. */
  private static final byte CREATE_HANDLE = 17;

  private final RunPicture picture;
  private final ViewedRun run;
  private final EventTable events;
  private final Otf2Library library;
  private final MemorySegment archive;
  private final Arrivals arrivals;

  /** By name of a call: its region. */
  private final Map<String, Region> regions = new LinkedHashMap<>();

  private final Map<String, Integer> strings = new HashMap<>();
  private final long[] written;
  private long length;

  private record Region(int number, byte role) {}

  private Otf2Archive(RunPicture picture, Otf2Library library, Path directory) {
    this.picture = picture;
    this.library = library;
    run = picture.run();
    events = run.graph().events();
    arrivals = new Arrivals(run);
    written = new long[events.ranks()];
    archive =
        library.make(
            "OTF2_Archive_Open",
            library.text(directory.toString()),
            library.text("traces"),
            WRITE,
            CHUNK_BYTES,
            DEFINITION_BYTES,
            POSIX,
            UNCOMPRESSED);
  }

  /** Writes a run into a directory, which must not be there yet or must be empty. */
  static void write(RunPicture picture, Path directory) {
    try (Arena arena = Arena.ofConfined()) {
      new Otf2Archive(picture, Otf2Library.open(arena), directory).write();
    }
  }

  private void write() {
    library.call(
        "OTF2_Archive_SetFlushCallbacks", archive, library.flushCallbacks(), MemorySegment.NULL);
    library.call("OTF2_Archive_SetSerialCollectiveCallbacks", archive);
    library.call("OTF2_Archive_SetCreator", archive, library.text("reprise"));
    library.call("OTF2_Archive_OpenEvtFiles", archive);
    List<List<TimedCall>> calls = new ArrayList<>();
    for (int rank = 0; rank < events.ranks(); rank++) {
      calls.add(new ArrayList<>());
    }
    TimedCall.each(picture, call -> calls.get(call.rank()).add(call));
    for (int rank = 0; rank < events.ranks(); rank++) {
      MemorySegment writer = library.make("OTF2_Archive_GetEvtWriter", archive, (long) rank);
      for (TimedCall call : calls.get(rank)) {
        write(writer, call);
      }
      library.call("OTF2_Archive_CloseEvtWriter", archive, writer);
    }
    library.call("OTF2_Archive_CloseEvtFiles", archive);
    library.call("OTF2_Archive_OpenDefFiles", archive);
    for (int rank = 0; rank < events.ranks(); rank++) {
      MemorySegment writer = library.make("OTF2_Archive_GetDefWriter", archive, (long) rank);
      library.call("OTF2_Archive_CloseDefWriter", archive, writer);
    }
    library.call("OTF2_Archive_CloseDefFiles", archive);
    define(library.make("OTF2_Archive_GetGlobalDefWriter", archive));
    library.call("OTF2_Archive_Close", archive);
  }

  private void write(MemorySegment writer, TimedCall call) {
    int event = call.event();
    EventKind kind = events.kind(event);
    int region = region(event).number();
    record("OTF2_EvtWriter_Enter", writer, call, call.start(), region);
    if (kind == EventKind.COLLECTIVE) {
      record("OTF2_EvtWriter_MpiCollectiveBegin", writer, call, call.start());
    }
    send(writer, call);
    if (kind == EventKind.POST_RECV) {
      record("OTF2_EvtWriter_MpiIrecvRequest", writer, call, call.start(), (long) event);
    }
    for (int message : arrivals.at(event)) {
      receive(writer, call, message);
    }
    int link = events.link(event);
    if (kind == EventKind.COMPLETE && link >= 0 && events.kind(link) == EventKind.POST_SEND) {
      record("OTF2_EvtWriter_MpiIsendComplete", writer, call, call.end(), (long) link);
    }
    if (kind == EventKind.COLLECTIVE) {
      int root = events.peer(event) < 0 ? UNDEFINED : member(event, events.peer(event));
      record(
          "OTF2_EvtWriter_MpiCollectiveEnd",
          writer,
          call,
          call.end(),
          operation(event),
          comm(event),
          root,
          events.bytes(event),
          events.bytes(event));
    }
    record("OTF2_EvtWriter_Leave", writer, call, call.end(), region);
    length = Math.max(length, call.end());
  }

  private void send(MemorySegment writer, TimedCall call) {
    int event = call.event();
    if (!events.kind(event).isSend() || run.graph().pairing().message(event) < 0) {
      return;
    }
    List<Object> fields =
        new ArrayList<>(
            List.of(
                member(event, events.peer(event)),
                comm(event),
                events.tag(event),
                events.bytes(event)));
    boolean posted = events.kind(event) == EventKind.POST_SEND;
    if (posted) {
      fields.add((long) event);
    }
    record(
        posted ? "OTF2_EvtWriter_MpiIsend" : "OTF2_EvtWriter_MpiSend",
        writer,
        call,
        call.start(),
        fields.toArray());
  }

  /** Told with the fields of the send, so that both ends are found to be one message. */
  private void receive(MemorySegment writer, TimedCall call, int message) {
    int send = run.graph().pairing().send(message);
    int receive = run.graph().pairing().receive(message);
    List<Object> fields =
        new ArrayList<>(
            List.of(
                member(send, events.rank(send)), comm(send), events.tag(send), events.bytes(send)));
    boolean posted = events.kind(receive) == EventKind.POST_RECV;
    if (posted) {
      fields.add((long) receive);
    }
    record(
        posted ? "OTF2_EvtWriter_MpiIrecv" : "OTF2_EvtWriter_MpiRecv",
        writer,
        call,
        call.end(),
        fields.toArray());
  }

  private void record(
      String name, MemorySegment writer, TimedCall call, long nanos, Object... fields) {
    List<Object> all = new ArrayList<>(List.of(writer, MemorySegment.NULL, nanos));
    all.addAll(List.of(fields));
    library.call(name, all.toArray());
    written[call.rank()]++;
  }

  private Region region(int event) {
    byte role =
        events.kind(event).isCollective()
            ? ROLE_COLLECTIVE
            : events.kind(event) == EventKind.LOCAL ? ROLE_FUNCTION : ROLE_MESSAGE;
    return regions.computeIfAbsent(run.call(event), _ -> new Region(regions.size(), role));
  }

  private byte operation(int event) {
    String name = run.call(event).substring("MPI_".length()).toLowerCase(Locale.ROOT);
    int known = COLLECTIVES.indexOf(name);
    return known < 0 ? CREATE_HANDLE : (byte) known;
  }

  /**
   * The communicator of an event. Both sides of an intercommunicator count their ranks for
   * themselves, so what goes over one is told with the ranks of the whole run.
   */
  private int comm(int event) {
    int comm = events.comm(event);
    return comm < 0 || events.communicators().get(comm).inter()
        ? events.communicators().size()
        : comm;
  }

  /** The number of a rank of the run in the communicator of an event. */
  private int member(int event, int rank) {
    int comm = comm(event);
    return comm == events.communicators().size()
        ? rank
        : events.communicators().get(comm).group().indexOf(rank);
  }

  private void define(MemorySegment writer) {
    library.call(
        "OTF2_GlobalDefWriter_WriteClockProperties",
        writer,
        NANOS,
        0L,
        length + 1,
        (long) UNDEFINED);
    int none = string(writer, "");
    for (Map.Entry<String, Region> region : regions.entrySet()) {
      int name = string(writer, region.getKey());
      library.call(
          "OTF2_GlobalDefWriter_WriteRegion",
          writer,
          region.getValue().number(),
          name,
          name,
          none,
          region.getValue().role(),
          MPI,
          0,
          none,
          0,
          0);
    }
    library.call(
        "OTF2_GlobalDefWriter_WriteSystemTreeNode",
        writer,
        0,
        string(writer, run.name()),
        string(writer, "run"),
        UNDEFINED);
    for (int rank = 0; rank < events.ranks(); rank++) {
      int name = string(writer, "rank " + rank);
      library.call(
          "OTF2_GlobalDefWriter_WriteLocationGroup", writer, rank, name, PROCESS, 0, UNDEFINED);
      library.call(
          "OTF2_GlobalDefWriter_WriteLocation",
          writer,
          (long) rank,
          name,
          CPU_THREAD,
          written[rank],
          rank);
    }
    communicators(writer);
  }

  private void communicators(MemorySegment writer) {
    long[] all = LongStream.range(0, events.ranks()).toArray();
    group(writer, 0, "ranks", COMM_LOCATIONS, all);
    List<Communicator> communicators = events.communicators();
    for (int comm = 0; comm <= communicators.size(); comm++) {
      boolean whole = comm == communicators.size();
      String name = whole ? "all ranks" : Long.toHexString(communicators.get(comm).id());
      long[] members =
          whole
              ? all
              : Arrays.stream(communicators.get(comm).group().toArray()).asLongStream().toArray();
      group(writer, comm + 1, name, COMM_GROUP, members);
      library.call(
          "OTF2_GlobalDefWriter_WriteComm",
          writer,
          comm,
          string(writer, name),
          comm + 1,
          UNDEFINED,
          0);
    }
  }

  private void group(MemorySegment writer, int number, String name, byte type, long[] members) {
    library.call(
        "OTF2_GlobalDefWriter_WriteGroup",
        writer,
        number,
        string(writer, name),
        type,
        MPI,
        0,
        members.length,
        library.numbers(members));
  }

  /** The number of a text, which is written once. */
  private int string(MemorySegment writer, String text) {
    Integer known = strings.get(text);
    if (known != null) {
      return known;
    }
    int number = strings.size();
    strings.put(text, number);
    library.call("OTF2_GlobalDefWriter_WriteString", writer, number, library.text(text));
    return number;
  }
}
