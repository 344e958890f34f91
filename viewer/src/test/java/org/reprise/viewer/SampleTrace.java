package org.reprise.viewer;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.reprise.causality.EventGraph;
import org.reprise.causality.races.Races;
import org.reprise.trace.Location;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventList;
import org.reprise.trace.events.RankGroup;

/** A run that is written down call by call, with times as they could have been. */
public final class SampleTrace {
  public static final List<String> CALLS =
      List.of("Init", "Finalize", "Send", "Recv", "Irecv", "Wait", "Iprobe", "Allreduce");

  private static final long CALL_NANOS = 2_000;
  private static final long FLIGHT_NANOS = 6_000;

  private final List<List<Event>> events = new ArrayList<>();
  private final long[] now;

  /** By source, target and tag: when the messages under way were sent. */
  private final Map<String, ArrayDeque<Long>> sent = new HashMap<>();

  private final double[] speed;
  private final Set<Integer> killed = new HashSet<>();
  private Path directory = Path.of("/nowhere");

  public SampleTrace(int ranks) {
    now = new long[ranks];
    speed = new double[ranks];
    Arrays.fill(speed, 1);
    for (int rank = 0; rank < ranks; rank++) {
      events.add(new ArrayList<>());
      local(rank, 0);
    }
  }

  /** Where the sources lie that places name. */
  public SampleTrace in(Path where) {
    directory = where;
    return this;
  }

  /** A rank ends where it is, without MPI_Finalize. */
  public SampleTrace killed(int rank) {
    killed.add(rank);
    return this;
  }

  /** The clock of a rank runs faster than those of others. */
  public SampleTrace faster(int rank, double times) {
    speed[rank] = times;
    return this;
  }

  public SampleTrace compute(int rank, long nanos) {
    now[rank] += nanos;
    return this;
  }

  public SampleTrace send(int rank, int to, int tag, int line) {
    sent.computeIfAbsent(rank + ">" + to + "/" + tag, _ -> new ArrayDeque<>()).add(now[rank]);
    return add(rank, EventKind.SEND, 2, line, to, tag, -1, now[rank] + CALL_NANOS);
  }

  public SampleTrace receive(int rank, int from, int tag, int line, EventFlag... flags) {
    return add(rank, EventKind.RECV, 3, line, from, tag, -1, arrival(rank, from, tag), flags);
  }

  /** Posts a receive and returns its number. */
  public int post(int rank, int from, int tag, int line, EventFlag... flags) {
    boolean any = Arrays.asList(flags).contains(EventFlag.ANY_SOURCE);
    int peer = any ? -1 : from;
    add(rank, EventKind.POST_RECV, 4, line, peer, tag, -1, now[rank] + CALL_NANOS, flags);
    return events.get(rank).size() - 1;
  }

  public SampleTrace complete(int rank, int post, int from, int tag, int line) {
    return add(rank, EventKind.COMPLETE, 5, line, from, tag, post, arrival(rank, from, tag));
  }

  public SampleTrace failedPolls(int rank, int times, long nanos) {
    List<Event> own = events.get(rank);
    own.add(
        event(
            own.size(),
            EventKind.POLLS,
            6,
            40,
            -1,
            -1,
            CollectiveFlow.NONE,
            -1,
            times,
            now[rank],
            nanos));
    now[rank] += nanos;
    return this;
  }

  private long arrival(int rank, int from, int tag) {
    Long when = sent.getOrDefault(from + ">" + rank + "/" + tag, new ArrayDeque<>()).poll();
    return Math.max(now[rank] + CALL_NANOS, (when == null ? now[rank] : when) + FLIGHT_NANOS);
  }

  /** All ranks take part and wait for all. */
  public SampleTrace all() {
    long last = Arrays.stream(now).max().orElse(0) + FLIGHT_NANOS;
    for (int rank = 0; rank < now.length; rank++) {
      List<Event> own = events.get(rank);
      own.add(
          event(
              own.size(),
              EventKind.COLLECTIVE,
              7,
              50,
              -1,
              -1,
              CollectiveFlow.ALL,
              -1,
              8,
              now[rank],
              last - now[rank]));
      now[rank] = last;
    }
    return this;
  }

  private void local(int rank, int call) {
    add(rank, EventKind.LOCAL, call, 10, -1, -1, -1, now[rank] + CALL_NANOS);
  }

  private SampleTrace add(
      int rank,
      EventKind kind,
      int call,
      int line,
      int peer,
      int tag,
      long post,
      long end,
      EventFlag... flags) {
    List<Event> own = events.get(rank);
    own.add(
        event(
            own.size(),
            kind,
            call,
            line,
            peer,
            tag,
            CollectiveFlow.NONE,
            post,
            8,
            now[rank],
            end - now[rank],
            flags));
    now[rank] = end;
    return this;
  }

  private static Event event(
      int number,
      EventKind kind,
      int call,
      int line,
      int peer,
      int tag,
      CollectiveFlow flow,
      long post,
      long bytes,
      long start,
      long nanos,
      EventFlag... flags) {
    Set<EventFlag> all = EnumSet.noneOf(EventFlag.class);
    Collections.addAll(all, flags);
    boolean comm = kind != EventKind.LOCAL && kind != EventKind.POLLS;
    return new Event(
        number,
        kind,
        all,
        call,
        line,
        peer,
        tag,
        flow,
        comm ? 0 : -1,
        post < 0 ? EventCursor.NO_EVENT : post,
        bytes,
        start,
        nanos,
        0,
        List.of());
  }

  public ViewedRun run(String name) {
    int ranks = now.length;
    for (int rank = 0; rank < ranks; rank++) {
      if (!killed.contains(rank)) {
        local(rank, 1);
      }
    }
    Communicator world = Communicator.of(1, RankGroup.run(0, ranks, 1));
    List<EventList> lists = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      double times = speed[rank];
      List<Event> own = events.get(rank).stream().map(event -> on(event, times)).toList();
      lists.add(new EventList(rank, ranks, List.of(world), own));
    }
    EventGraph graph = EventGraph.of(ranks, lists);
    return of(name, graph, directory, killed);
  }

  /** An event by a clock of another speed. */
  private static Event on(Event event, double times) {
    long start = (long) (event.startNanos() * times);
    long end = (long) ((event.startNanos() + event.durationNanos()) * times);
    return new Event(
        event.number(),
        event.kind(),
        event.flags(),
        event.call(),
        event.site(),
        event.peer(),
        event.tag(),
        event.flow(),
        event.comm(),
        event.post(),
        event.bytes(),
        start,
        end - start,
        event.thread(),
        event.peers());
  }

  public static ViewedRun of(String name, EventGraph graph, Path directory) {
    return of(name, graph, directory, Set.of());
  }

  private static ViewedRun of(String name, EventGraph graph, Path directory, Set<Integer> killed) {
    int ranks = graph.events().ranks();
    return new ViewedRun(
        name,
        List.of("mpirun", "-n", String.valueOf(ranks), "./" + name),
        killed.isEmpty() ? "exited with status 0" : "was killed by signal 11 (SEGV)",
        graph,
        Races.of(graph),
        Races.controlSet(graph),
        CALLS,
        (_, site, _) -> List.of(Location.of("step", name + ".c", site)),
        RankClocks.of(graph, new long[ranks], Collections.nCopies(ranks, "here")),
        killed,
        List.of(),
        List.of(directory),
        true);
  }

  /** Rank 0 takes two messages of each other rank as they come, and all reduce at the end. */
  public static SampleTrace gathering(int ranks) {
    SampleTrace trace = new SampleTrace(ranks);
    for (int round = 0; round < 2; round++) {
      for (int rank = 1; rank < ranks; rank++) {
        trace.compute(rank, 30_000L + 17_000L * ((rank * 7 + round * 3) % 5)).send(rank, 0, 5, 21);
      }
      for (int i = 1; i < ranks; i++) {
        int from = 1 + (i + round) % (ranks - 1);
        trace.receive(0, from, 5, 34, EventFlag.ANY_SOURCE).compute(0, 6_000);
      }
    }
    trace.failedPolls(1, 12, 24_000);
    int post = trace.post(1, 0, 9, 41);
    trace.compute(0, 20_000).send(0, 1, 9, 44).complete(1, post, 0, 9, 46);
    return trace.all();
  }

  /** Each rank exchanges with its neighbours, round after round. */
  public static SampleTrace stencil(int ranks, int rounds) {
    SampleTrace trace = new SampleTrace(ranks);
    for (int round = 0; round < rounds; round++) {
      int[] posts = new int[ranks];
      for (int rank = 0; rank < ranks; rank++) {
        posts[rank] = trace.post(rank, (rank + ranks - 1) % ranks, 1, 12);
        trace
            .compute(rank, 20_000L + 9_000L * ((rank * 5 + round * 3) % 7))
            .send(rank, (rank + 1) % ranks, 1, 14);
      }
      for (int rank = 0; rank < ranks; rank++) {
        trace.complete(rank, posts[rank], (rank + ranks - 1) % ranks, 1, 16);
      }
      if (round % 10 == 9) {
        trace.all();
      }
    }
    return trace;
  }
}
