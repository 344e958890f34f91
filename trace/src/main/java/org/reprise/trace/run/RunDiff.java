package org.reprise.trace.run;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.Rank;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.order.NumberedOutcome;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.Outcome;

/**
 * Where two runs part, rank by rank. The outcomes of calls are compared in their order, those of
 * posts by post number: when a post is written down depends on when it was looked at, so its place
 * among the others means nothing. What a distilled run leaves free may be anything in the other.
 */
public record RunDiff(List<RankDiff> ranks) {
  public RunDiff {
    ranks = List.copyOf(ranks);
  }

  /** How one rank compares. */
  public sealed interface RankDiff {
    Rank rank();
  }

  /** Every outcome is the same, or left free; there are so many. */
  public record Same(Rank rank, long outcomes) implements RankDiff {}

  /** The first outcome that differs; a side without one had ended there. */
  public record DiffersAt(
      Rank rank, Optional<NumberedOutcome> left, Optional<NumberedOutcome> right)
      implements RankDiff {}

  /** Only one of the runs has this rank. */
  public record OnlyIn(Rank rank, Side side) implements RankDiff {}

  /** Which of the two runs. */
  public enum Side {
    LEFT,
    RIGHT
  }

  public boolean isSame() {
    return ranks.stream().allMatch(rank -> rank instanceof Same);
  }

  /**
   * Compares two runs.
   *
   * @param ignorePolls leave out failed polls: their number differs between any two runs
   */
  public static RunDiff between(RecordedRun left, RecordedRun right, boolean ignorePolls) {
    SortedSet<Rank> ranks = new TreeSet<>(left.headers().keySet());
    ranks.addAll(right.headers().keySet());
    return new RunDiff(ranks.stream().map(rank -> diff(left, right, rank, ignorePolls)).toList());
  }

  private static RankDiff diff(
      RecordedRun left, RecordedRun right, Rank rank, boolean ignorePolls) {
    if (!left.headers().containsKey(rank)) {
      return new OnlyIn(rank, Side.RIGHT);
    }
    if (!right.headers().containsKey(rank)) {
      return new OnlyIn(rank, Side.LEFT);
    }
    try (OrderReader leftOrder = left.directory().openOrder(rank);
        OrderReader rightOrder = right.directory().openOrder(rank)) {
      return new Comparison(
              rank,
              new Calls(leftOrder, left.isDistilled()),
              new Calls(rightOrder, right.isDistilled()),
              ignorePolls)
          .run();
    }
  }

  /** The outcomes of a rank one by one: a row that a distilled run holds as one is taken apart. */
  private static final class Calls {
    private final OrderReader order;
    private final boolean distilled;
    private @Nullable NumberedOutcome row;
    private long ofRow;

    Calls(OrderReader order, boolean distilled) {
      this.order = order;
      this.distilled = distilled;
    }

    Optional<NumberedOutcome> next() {
      while (ofRow == 0) {
        if (!order.hasNext()) {
          return Optional.empty();
        }
        NumberedOutcome next = order.next();
        switch (next.outcome()) {
          case Outcome.Recv _, Outcome.Probe _ -> begin(next, next.outcome(), 1);
          case Outcome.Free(long count) -> begin(next, next.outcome(), count);
          case Outcome.Again(long count) when row != null -> begin(next, row.outcome(), count);
          default -> {
            return Optional.of(next);
          }
        }
      }
      ofRow--;
      return Optional.ofNullable(row);
    }

    private void begin(NumberedOutcome record, Outcome outcome, long count) {
      row = new NumberedOutcome(record.number(), record.offset(), outcome);
      ofRow = count;
    }
  }

  /** Two order files read side by side, with the posts that only one of them has shown so far. */
  private static final class Comparison {
    private final Rank rank;
    private final Calls left;
    private final Calls right;
    private final boolean ignorePolls;
    private final Map<Long, NumberedOutcome> leftPosts = new HashMap<>();
    private final Map<Long, NumberedOutcome> rightPosts = new HashMap<>();
    private @Nullable DiffersAt found;
    private long compared;

    Comparison(Rank rank, Calls left, Calls right, boolean ignorePolls) {
      this.rank = rank;
      this.left = left;
      this.right = right;
      this.ignorePolls = ignorePolls;
    }

    RankDiff run() {
      boolean more = true;
      while (more && found == null) {
        Optional<NumberedOutcome> leftCall = nextCall(left, Side.LEFT);
        Optional<NumberedOutcome> rightCall = nextCall(right, Side.RIGHT);
        more = leftCall.isPresent() || rightCall.isPresent();
        if (found == null && !same(leftCall, rightCall)) {
          found = new DiffersAt(rank, leftCall, rightCall);
        }
        compared += more ? 1 : 0;
      }
      if (found == null) {
        found = unpairedPost();
      }
      if (found == null && !ignorePolls && !same(lastPolls(left.order), lastPolls(right.order))) {
        found = new DiffersAt(rank, lastPolls(left.order), lastPolls(right.order));
      }
      return found == null ? new Same(rank, compared) : found;
    }

    /** Polls that failed after the last outcome have no record: the header counts them. */
    private static Optional<NumberedOutcome> lastPolls(OrderReader order) {
      RankHeader header = order.header();
      long failed = header.get(HeaderField.FAILED_POLLS);
      Outcome polls = new Outcome.FailedPolls(failed);
      return failed == 0
          ? Optional.empty()
          : Optional.of(new NumberedOutcome(header.outcomes(), header.committed(), polls));
    }

    private static boolean same(Optional<NumberedOutcome> left, Optional<NumberedOutcome> right) {
      return left.map(NumberedOutcome::outcome).equals(right.map(NumberedOutcome::outcome))
          || isFree(left) && isChoice(right)
          || isChoice(left) && isFree(right);
    }

    private static boolean isFree(Optional<NumberedOutcome> outcome) {
      return outcome.filter(one -> one.outcome() instanceof Outcome.Free).isPresent();
    }

    private static boolean isChoice(Optional<NumberedOutcome> outcome) {
      return outcome
          .map(NumberedOutcome::outcome)
          .filter(
              one ->
                  one instanceof Outcome.Recv
                      || one instanceof Outcome.Probe
                      || one instanceof Outcome.Free)
          .isPresent();
    }

    /** The next outcome of a call; posts before it are compared with the other side's. */
    private Optional<NumberedOutcome> nextCall(Calls calls, Side side) {
      while (found == null) {
        Optional<NumberedOutcome> next = calls.next();
        if (next.isEmpty()) {
          break;
        }
        switch (next.get().outcome()) {
          case Outcome.Post post -> pair(post.post(), next.get(), side);
          case Outcome.PostEnd end -> pair(end.post(), next.get(), side);
          case Outcome.FailedPolls _ when ignorePolls -> {}
          // In a distilled run they stand before the row that they were in.
          case Outcome.Check _ when left.distilled || right.distilled -> {}
          default -> {
            return next;
          }
        }
      }
      return Optional.empty();
    }

    private void pair(long post, NumberedOutcome outcome, Side side) {
      Map<Long, NumberedOutcome> own = side == Side.LEFT ? leftPosts : rightPosts;
      Map<Long, NumberedOutcome> other = side == Side.LEFT ? rightPosts : leftPosts;
      NumberedOutcome twin = other.remove(post);
      if (twin == null) {
        own.put(post, outcome);
        return;
      }
      compared++;
      if (!twin.outcome().equals(outcome.outcome())) {
        found =
            side == Side.LEFT
                ? new DiffersAt(rank, Optional.of(outcome), Optional.of(twin))
                : new DiffersAt(rank, Optional.of(twin), Optional.of(outcome));
      }
    }

    private @Nullable DiffersAt unpairedPost() {
      Optional<NumberedOutcome> leftOnly = first(leftPosts, right.distilled);
      Optional<NumberedOutcome> rightOnly = first(rightPosts, left.distilled);
      return leftOnly.isEmpty() && rightOnly.isEmpty()
          ? null
          : new DiffersAt(rank, leftOnly, leftOnly.isPresent() ? Optional.empty() : rightOnly);
    }

    /** A distilled run leaves out what a receive took that need not be forced. */
    private static Optional<NumberedOutcome> first(
        Map<Long, NumberedOutcome> posts, boolean otherIsDistilled) {
      return posts.values().stream()
          .filter(post -> !(otherIsDistilled && post.outcome() instanceof Outcome.Post))
          .min(Comparator.comparingLong(NumberedOutcome::number));
    }
  }
}
