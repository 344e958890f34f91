package org.reprise.trace.order;

import java.util.ArrayList;
import java.util.Collections;
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
 * @param calls the outcomes of the first calls, in their order, with the polls that failed before
 *     them and the errors that they returned
 * @param posts what becomes of non-blocking operations, by post number; all others are free
 */
public record RankPlan(List<Outcome> calls, Map<Long, Outcome> posts) {
  /** Nothing is forced. */
  public static final RankPlan FREE = new RankPlan(List.of(), Map.of());

  public RankPlan {
    calls = List.copyOf(calls);
    posts = Map.copyOf(posts);
  }

  /** Everything as it was recorded, and free behind the end. */
  public static RankPlan of(OrderReader order) {
    List<Outcome> calls = new ArrayList<>();
    Map<Long, Outcome> posts = new HashMap<>();
    while (order.hasNext()) {
      Outcome outcome = order.next().outcome();
      switch (outcome) {
        case Outcome.Post(long post, _, _) -> posts.put(post, outcome);
        case Outcome.PostEnd(long post, _) -> posts.put(post, outcome);
        case Outcome.Again(long count) ->
            calls.addAll(Collections.nCopies((int) count, last(calls)));
        case Outcome.Check _, Outcome.ThreadSwitch _, Outcome.Turn _ -> {}
        default -> calls.add(outcome);
      }
    }
    return new RankPlan(calls, posts);
  }

  private static Outcome last(List<Outcome> calls) {
    return calls.reversed().stream().filter(RankPlan::isOfCall).findFirst().orElseThrow();
  }

  /**
   * The first so many outcomes of calls, then this one, and of posts those that the filter keeps.
   * Polls fail as often before the outcome that takes the place of another.
   */
  public RankPlan upTo(long count, Optional<Outcome> then, LongPredicate keeps) {
    then.ifPresent(RankPlan::requireCall);
    List<Outcome> kept = new ArrayList<>();
    long made = 0;
    for (Outcome outcome : calls) {
      boolean isCall = isOfCall(outcome);
      boolean belongs =
          made < count
              || outcome instanceof Outcome.Errors && !kept.isEmpty() && then.isEmpty()
              || outcome instanceof Outcome.FailedPolls && then.isPresent();
      if (made == count && isCall || !belongs) {
        break;
      }
      kept.add(outcome);
      made += isCall ? 1 : 0;
    }
    then.ifPresent(kept::add);
    Map<Long, Outcome> keptPosts = new HashMap<>(posts);
    keptPosts.keySet().removeIf(post -> !keeps.test(post));
    return new RankPlan(kept, keptPosts);
  }

  private static void requireCall(Outcome outcome) {
    if (!isOfCall(outcome)) {
      throw new IllegalArgumentException("not the outcome of a call: " + outcome);
    }
  }

  /** The same, and this behind the calls. */
  public RankPlan with(Outcome outcome) {
    List<Outcome> more = new ArrayList<>(calls);
    more.add(outcome);
    return new RankPlan(more, posts);
  }

  /** The same, and this post becomes that. */
  public RankPlan withPost(long post, Outcome outcome) {
    Map<Long, Outcome> changed = new HashMap<>(posts);
    changed.put(post, outcome);
    return new RankPlan(calls, changed);
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
