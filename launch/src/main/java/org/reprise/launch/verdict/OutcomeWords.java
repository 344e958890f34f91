package org.reprise.launch.verdict;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.reprise.trace.Counted;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.Outcome;

/** A recorded outcome as part of a sentence. */
final class OutcomeWords {
  static String of(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Recv(int source, OptionalInt tag) ->
          "a blocking receive took a message of " + message(source, tag);
      case Outcome.Probe(int source, OptionalInt tag) ->
          "a blocking probe saw a message of " + message(source, tag);
      case Outcome.Post(long post, int source, OptionalInt tag) ->
          "non-blocking receive " + post + " took a message of " + message(source, tag);
      case Outcome.PostEnd(long post, Wire.PostEnd end) ->
          "non-blocking receive "
              + post
              + switch (end) {
                case CANCELLED -> " was cancelled";
                case NEVER -> " took no message";
              };
      case Outcome.FailedPolls(long count) -> Counted.of(count, "poll") + " failed";
      case Outcome.Hit(Wire.Poll poll) -> poll.call() + " succeeded";
      case Outcome.Found(int source, OptionalInt tag) ->
          "MPI_Iprobe or MPI_Improbe saw a message of " + message(source, tag);
      case Outcome.Index(OptionalInt index) ->
          "MPI_Waitany or MPI_Testany "
              + (index.isPresent()
                  ? "completed request " + index.getAsInt()
                  : "had no active request");
      case Outcome.Indices(boolean defined, List<Integer> indices) ->
          "MPI_Waitsome or MPI_Testsome "
              + (defined ? "completed requests " + list(indices) : "had no active request");
      case Outcome.Errors(int code, var _) -> "the call before failed with code " + code;
      case Outcome.Check(int hash) -> "the order hash ended in %08x".formatted(hash);
      case Outcome.Free(long count) -> Counted.of(count, "receive") + " that had no choice";
      case Outcome.Again(long count) -> "the same " + Counted.of(count, "time") + " more";
      case Outcome.ThreadSwitch(long thread) -> "thread " + thread + " went on";
      case Outcome.Turn(long calls, long thread) ->
          "thread " + thread + " came after " + Counted.of(calls, "call");
    };
  }

  private static String message(int source, OptionalInt tag) {
    return "source " + source + (tag.isPresent() ? ", tag " + tag.getAsInt() : "");
  }

  private static String list(List<Integer> indices) {
    return indices.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private OutcomeWords() {}
}
