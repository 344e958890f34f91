package org.reprise.trace.run;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.reprise.trace.Rank;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.NumberedOutcome;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.Outcome;

/**
 * Outcomes as text, one a line, in columns that stay: {@code rank number kind operands}. The words
 * are meant for grep and diff, so they change only with the trace format.
 */
public final class OrderPrinter {
  /** Prints the outcomes of one rank, oldest first. */
  public static void print(RunDirectory run, Rank rank, Appendable out) throws IOException {
    try (OrderReader order = run.openOrder(rank)) {
      while (order.hasNext()) {
        out.append(line(rank, order.next())).append('\n');
      }
    }
  }

  /** {@code 3 17 recv source=2 tag=5}. */
  public static String line(Rank rank, NumberedOutcome outcome) {
    return rank.number() + " " + outcome.number() + " " + text(outcome.outcome());
  }

  /** The outcome alone: {@code recv source=2 tag=5}. */
  public static String text(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Recv(int source, OptionalInt tag) -> "recv source=" + source + tag(tag);
      case Outcome.Probe(int source, OptionalInt tag) -> "probe source=" + source + tag(tag);
      case Outcome.Post(long post, int source, OptionalInt tag) ->
          "post post=" + post + " source=" + source + tag(tag);
      case Outcome.PostEnd(long post, Wire.PostEnd end) ->
          "post-end post=" + post + " " + word(end);
      case Outcome.FailedPolls(long count) -> "failed-polls count=" + count;
      case Outcome.Hit(Wire.Poll poll) -> "hit " + word(poll);
      case Outcome.Found(int source, OptionalInt tag) -> "found source=" + source + tag(tag);
      case Outcome.Index(OptionalInt index) ->
          "index " + (index.isPresent() ? index.getAsInt() : "undefined");
      case Outcome.Indices(boolean defined, List<Integer> indices) ->
          "indices " + (defined ? commas(indices) : "undefined");
      case Outcome.Errors(int code, List<Integer> codes) ->
          "error code=" + code + (codes.isEmpty() ? "" : " statuses=" + commas(codes));
      case Outcome.Check(int hash) -> "check hash=%08x".formatted(hash);
      case Outcome.ThreadSwitch(long thread) -> "thread thread=" + thread;
      case Outcome.Turn(long calls, long thread) -> "turn calls=" + calls + " thread=" + thread;
      case Outcome.Free(long count) -> "free count=" + count;
      case Outcome.Again(long count) -> "again count=" + count;
    };
  }

  private static String tag(OptionalInt tag) {
    return tag.isPresent() ? " tag=" + tag.getAsInt() : "";
  }

  private static String commas(List<Integer> numbers) {
    return numbers.isEmpty()
        ? "none"
        : String.join(",", numbers.stream().map(String::valueOf).toList());
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private OrderPrinter() {}
}
