package org.reprise.trace.events;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.RecordSink;
import org.reprise.trace.file.Wire;

/**
 * Writes an events file as the interposer does. The file gets its header, and thereby becomes
 * valid, when the writer is closed.
 */
public final class EventWriter implements AutoCloseable {
  private static final long SATURATED = 0xffff_ffffL;
  private static final int WORDS = 7;

  private final RecordSink sink;
  private final List<Communicator> communicators = new ArrayList<>();

  /** Communicator of every event that another may still name. */
  private final Map<Long, Integer> comms = new HashMap<>();

  private long count;
  private long end;
  private int thread;

  /** Creates {@code file}, which must not exist; counts in {@code header} are set when closing. */
  public EventWriter(Path file, RankHeader header) {
    if (header.file() != Wire.FileKind.EVENTS) {
      throw new IllegalArgumentException("not the header of an events file: " + header.file());
    }
    sink = new RecordSink(file, header);
  }

  /** Makes a communicator known; events name it by the number returned. */
  public int communicator(Communicator comm) {
    int flags =
        (comm.inter() ? EventFlag.INTER.bit() : 0)
            | (comm.overtaking() ? EventFlag.OVERTAKING.bit() : 0);
    record(
        EventKind.COMM,
        flags,
        0,
        comm.id(),
        comm.id() >>> 32,
        comm.group().size(),
        comm.remote().size());
    members(comm.group());
    members(comm.remote());
    communicators.add(comm);
    return communicators.size() - 1;
  }

  private void members(RankGroup group) {
    for (int run = 0; run < group.runs(); run += EventReader.RUNS_MAX) {
      int runs = Math.min(EventReader.RUNS_MAX, group.runs() - run);
      long[] words = new long[3 * runs];
      for (int i = 0; i < runs; i++) {
        words[3 * i] = group.runFirst(run + i);
        words[3 * i + 1] = group.runCount(run + i);
        words[3 * i + 2] = group.runStride(run + i);
      }
      record(EventKind.MEMBERS, 0, runs, words);
    }
  }

  /** Writes the next event; its number is the place it gets, whatever {@code event} says. */
  public void write(Event event) {
    if (event.thread() != thread) {
      thread = event.thread();
      record(EventKind.THREAD, 0, 0, thread);
    }
    if (event.startNanos() < end || event.startNanos() - end > SATURATED) {
      end = event.startNanos();
      record(EventKind.TIME, 0, 0, end, end >>> 32);
    }
    if (event.bytes() >= SATURATED) {
      record(EventKind.BYTES, 0, 0, event.bytes(), event.bytes() >>> 32);
    }
    int comm = event.kind().isLinked() ? comms.getOrDefault(event.post(), -1) : event.comm();
    if (event.kind().isCollective()) {
      peers(event.peers(), comm);
    } else {
      asked(event.peers());
    }
    long link = event.kind().isLinked() ? count - event.post() : Math.max(0, comm);
    boolean collective = event.kind().isCollective();
    record(
        event.kind(),
        event.flagBits(),
        event.call(),
        event.site(),
        local(event.peer(), comm),
        collective ? event.flow().ordinal() : event.tag(),
        link,
        Math.min(event.bytes(), SATURATED),
        event.startNanos() - end,
        Math.min(event.durationNanos(), SATURATED));
    end = event.startNanos() + Math.min(event.durationNanos(), SATURATED);
    if (event.kind().isPost() || event.kind() == EventKind.MPROBE) {
      comms.put(count, comm);
    } else if (event.kind() == EventKind.COMPLETE) {
      comms.remove(event.post());
    }
    count++;
  }

  private void peers(List<Integer> peers, int comm) {
    for (int from = 0; from < peers.size(); from += EventReader.PEERS_MAX) {
      int to = Math.min(peers.size(), from + EventReader.PEERS_MAX);
      record(
          EventKind.PEERS,
          0,
          to - from,
          peers.subList(from, to).stream().mapToLong(peer -> local(peer, comm)).toArray());
    }
  }

  private void asked(List<Integer> requests) {
    for (int from = 0; from < requests.size(); from += EventReader.ASKED_MAX) {
      int to = Math.min(requests.size(), from + EventReader.ASKED_MAX);
      record(
          EventKind.ASKED,
          0,
          to - from,
          requests.subList(from, to).stream()
              .mapToLong(
                  request ->
                      switch (request) {
                        case EventCursor.NULL_REQUEST -> 0;
                        case EventCursor.UNKNOWN_REQUEST -> EventReader.SATURATED;
                        default -> count - request;
                      })
              .toArray());
    }
  }

  private int local(int world, int comm) {
    return world == EventCursor.ANY || comm < 0
        ? EventCursor.ANY
        : communicators.get(comm).peers().indexOf(world);
  }

  private void record(EventKind kind, int flags, int call, long... words) {
    sink.beginFixed();
    word(kind.ordinal() | flags << 8 | call << 16);
    for (int i = 0; i < WORDS; i++) {
      word(i < words.length ? (int) words[i] : 0);
    }
  }

  private void word(int value) {
    for (int shift = 0; shift < Integer.SIZE; shift += 8) {
      sink.putByte(value >>> shift);
    }
  }

  @Override
  public void close() {
    sink.close();
  }
}
