package org.reprise.trace.order;

import java.util.List;
import java.util.OptionalInt;
import org.reprise.trace.file.Wire;

/**
 * What a nondeterministic call turned out to do: the unit of an order file. Forcing every outcome
 * makes the run happen again. Sources are ranks in the communicator of the call, tags are present
 * only where the call left them open.
 */
public sealed interface Outcome {
  /** A blocking receive from any source took a message of this source. */
  record Recv(int source, OptionalInt tag) implements Outcome {}

  /** A blocking Probe or Mprobe saw a message of this source. */
  record Probe(int source, OptionalInt tag) implements Outcome {}

  /** The non-blocking receive with this post number took a message of this source. */
  record Post(long post, int source, OptionalInt tag) implements Outcome {}

  /** The post ended without a message. */
  record PostEnd(long post, Wire.PostEnd end) implements Outcome {}

  /** So many polls failed since the last outcome of a call. */
  record FailedPolls(long count) implements Outcome {}

  /** A poll succeeded that had no choice of source. */
  record Hit(Wire.Poll poll) implements Outcome {}

  /** An Iprobe or Improbe succeeded and saw a message of this source. */
  record Found(int source, OptionalInt tag) implements Outcome {}

  /** A Waitany or successful Testany completed this request; empty is MPI_UNDEFINED. */
  record Index(OptionalInt index) implements Outcome {}

  /** A Waitsome or successful Testsome completed these, in this order. */
  record Indices(boolean defined, List<Integer> indices) implements Outcome {
    public Indices {
      indices = List.copyOf(indices);
      if (!defined && !indices.isEmpty()) {
        throw new IllegalArgumentException("MPI_UNDEFINED has no indices: " + indices);
      }
    }
  }

  /** The call before returned this code and left these MPI_ERROR fields. */
  record Errors(int code, List<Integer> codes) implements Outcome {
    public Errors {
      codes = List.copyOf(codes);
    }
  }

  /** The low 32 bits of the order hash at this point. */
  record Check(int hash) implements Outcome {}

  /** The outcomes of calls that follow belong to this thread. */
  record ThreadSwitch(long thread) implements Outcome {}

  /** After so many more calls of the thread before, this thread entered MPI. */
  record Turn(long calls, long thread) implements Outcome {}

  /** So many blocking wildcard receives or probes need not be forced: they have no choice. */
  record Free(long count) implements Outcome {}

  /** The outcome of a call before this one happened so many more times in a row. */
  record Again(long count) implements Outcome {}

  /** The kind of the record that holds this outcome. */
  default Wire.Kind kind() {
    return switch (this) {
      case Recv(_, var tag) -> tag.isPresent() ? Wire.Kind.RECV_TAG : Wire.Kind.RECV;
      case Probe(_, var tag) -> tag.isPresent() ? Wire.Kind.PROBE_TAG : Wire.Kind.PROBE;
      case Post(_, _, var tag) -> tag.isPresent() ? Wire.Kind.POST_TAG : Wire.Kind.POST;
      case PostEnd _ -> Wire.Kind.POST_END;
      case FailedPolls _ -> Wire.Kind.POLLS;
      case Hit _ -> Wire.Kind.HIT;
      case Found(_, var tag) -> tag.isPresent() ? Wire.Kind.FOUND_TAG : Wire.Kind.FOUND;
      case Index _ -> Wire.Kind.INDEX;
      case Indices _ -> Wire.Kind.INDICES;
      case Errors _ -> Wire.Kind.ERROR;
      case Check _, ThreadSwitch _, Turn _, Free _, Again _ -> Wire.Kind.MORE;
    };
  }
}
