package org.reprise.trace.waits;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.RecordBytes;
import org.reprise.trace.file.RunFile;
import org.reprise.trace.file.Wire;

/**
 * What one rank has sent and taken so far, the receives that it has begun, and the requests that it
 * waits for: {@code rank-<r>.waits}. Communicators are named by half of their identity, peers by
 * their ranks in them; -1 is any source or any tag.
 *
 * @param open receives that were begun and not completed
 * @param requests those that the current call was given, if it waits for requests
 */
public record RankWaits(
    Map<Integer, Comm> comms,
    Map<Channel, Long> sent,
    Map<Channel, Long> taken,
    List<Receive> open,
    List<Request> requests) {
  public RankWaits {
    comms = Map.copyOf(comms);
    sent = Map.copyOf(sent);
    taken = Map.copyOf(taken);
    open = List.copyOf(open);
    requests = List.copyOf(requests);
  }

  /**
   * A communicator.
   *
   * @param collectives how many this rank has begun on it
   * @param lastCall the call that began the last one; -1 if there is none
   * @param members their ranks in MPI_COMM_WORLD
   * @param remote those of the remote group of an intercommunicator, else empty
   */
  public record Comm(long collectives, int lastCall, List<Integer> members, List<Integer> remote) {
    public Comm {
      members = List.copyOf(members);
      remote = List.copyOf(remote);
    }

    /** The ranks that a message on it goes to or comes from. */
    public List<Integer> peers() {
      return remote.isEmpty() ? members : remote;
    }
  }

  /** Messages to or from one rank with one tag. */
  public record Channel(int comm, int peer, int tag) {}

  /** A receive, by the number of its post. */
  public record Receive(int comm, int peer, int tag, long post) {}

  /**
   * A request that is waited for.
   *
   * @param number of a receive its post; of a send which of its channel it is, from 1, times 2,
   *     plus 1 if it is synchronous; of a collective its number on the communicator
   */
  public record Request(Wire.Wait what, int comm, int peer, int tag, long number) {}

  /** Reads the file; empty while the rank still writes it, or has not begun. */
  public static Optional<RankWaits> readWhenWhole(Path file) {
    if (!RunFile.isThere(file)) {
      return Optional.empty();
    }
    try (RecordBytes bytes = RecordBytes.open(file, Wire.FileKind.WAITS)) {
      return bytes.header().state() == Wire.State.FINALIZED
          ? Optional.of(new Reading(bytes).all())
          : Optional.empty();
    } catch (TraceError e) {
      return Optional.empty(); // It has no header yet.
    }
  }

  private static final class Reading {
    private final RecordBytes bytes;
    private final Map<Integer, Comm> comms = new HashMap<>();
    private final Map<Channel, Long> sent = new HashMap<>();
    private final Map<Channel, Long> taken = new HashMap<>();
    private final List<Receive> open = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();

    Reading(RecordBytes bytes) {
      this.bytes = bytes;
    }

    RankWaits all() {
      while (!bytes.atEnd()) {
        bytes.beginRecord();
        int first = bytes.nextByte();
        Wire.WatchKind kind =
            Wire.constant(Wire.WatchKind.class, first & 0x0f)
                .orElseThrow(() -> bytes.damaged("a record of kind " + (first & 0x0f)));
        long operand = bytes.firstOperand(first);
        switch (kind) {
          case END -> throw bytes.damaged("a record of kind 0 among the committed ones");
          case COMM -> comm();
          case SENT -> sent.merge(channel(), bytes.operand(), Long::sum);
          case TAKEN -> taken.merge(channel(), bytes.operand(), Long::sum);
          case OPEN -> {
            Channel asked = channel();
            open.add(new Receive(asked.comm(), asked.peer(), asked.tag(), bytes.operand()));
          }
          case REQUEST -> {
            Wire.Wait what =
                Wire.constant(Wire.Wait.class, operand)
                    .orElseThrow(() -> bytes.damaged("a wait of kind " + operand));
            Channel asked = channel();
            requests.add(
                new Request(what, asked.comm(), asked.peer(), asked.tag(), bytes.operand()));
          }
        }
      }
      return new RankWaits(comms, sent, taken, open, requests);
    }

    private Channel channel() {
      return new Channel((int) bytes.operand(), orAny("peer"), orAny("tag"));
    }

    private int orAny(String what) {
      return bytes.toInt(bytes.operand(), what) - 1;
    }

    private void comm() {
      int id = (int) bytes.operand();
      long collectives = bytes.operand();
      int lastCall = bytes.toInt(bytes.operand(), "call") - 1;
      comms.put(id, new Comm(collectives, lastCall, members(), members()));
    }

    private List<Integer> members() {
      long count = bytes.operand();
      if (count > bytes.remaining()) {
        throw bytes.damaged("a group of " + count + " ranks");
      }
      List<Integer> members = new ArrayList<>();
      for (long i = 0; i < count; i++) {
        members.add((int) bytes.operand());
      }
      return members;
    }
  }
}
