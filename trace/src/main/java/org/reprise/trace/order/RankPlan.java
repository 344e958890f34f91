package org.reprise.trace.order;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * What one rank is to do: some decisions are forced, the others are free. Calls that wait for their
 * outcome are forced up to a point and free from there on, since what comes later in a rank's
 * program depends on what came before. Non-blocking receives are forced one by one: one that was
 * posted early may take its message late.
 *
 * @param calls so many outcomes of calls are forced as they were recorded
 * @param next the outcome of the call behind these, if it is forced to something else
 * @param posts what becomes of non-blocking operations, by post number; all others are free
 */
public record RankPlan(long calls, Optional<Outcome> next, Map<Long, Outcome> posts) {
  public RankPlan {
    posts = Map.copyOf(posts);
    next.ifPresent(RankPlan::requireCall);
  }

  private static void requireCall(Outcome outcome) {
    if (!isOfCall(outcome)) {
      throw new IllegalArgumentException("not the outcome of a call: " + outcome);
    }
  }

  /** Everything as it was recorded, and free behind the end. */
  public static RankPlan of(OrderReader order) {
    long calls = 0;
    Map<Long, Outcome> posts = new HashMap<>();
    while (order.hasNext()) {
      Outcome outcome = order.next().outcome();
      switch (outcome) {
        case Outcome.Post(long post, _, _) -> posts.put(post, outcome);
        case Outcome.PostEnd(long post, _) -> posts.put(post, outcome);
        case Outcome.Again(long count) -> calls += count;
        default -> calls += isOfCall(outcome) ? 1 : 0;
      }
    }
    return new RankPlan(calls, Optional.empty(), posts);
  }

  /** The first so many outcomes of calls, then this one; of posts those that the filter keeps. */
  public RankPlan upTo(long count, Optional<Outcome> then, LongPredicate keeps) {
    Map<Long, Outcome> kept = new HashMap<>(posts);
    kept.keySet().removeIf(post -> !keeps.test(post));
    return new RankPlan(count, then, kept);
  }

  /** Whether a record is what a call came to, and counts among a plan's calls. */
  public static boolean isOfCall(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Recv _, Outcome.Probe _, Outcome.Found _ -> true;
      case Outcome.Hit _, Outcome.Index _, Outcome.Indices _ -> true;
      case Outcome.Post _, Outcome.PostEnd _, Outcome.FailedPolls _, Outcome.Errors _ -> false;
      case Outcome.Check _, Outcome.ThreadSwitch _, Outcome.Turn _ -> false;
      case Outcome.Free _, Outcome.Again _ -> false;
    };
  }

  /** The plan's posts in the order of their numbers, which takes the least room. */
  public List<Outcome> orderedPosts() {
    return posts.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .toList();
  }
}
