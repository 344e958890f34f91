package org.reprise.exploration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.reprise.causality.EventTable;
import org.reprise.causality.races.Races;

/**
 * Brings a program to an order that somebody prescribes, receive by receive. Of an execution it
 * takes the first choice that is to be another one, in an order in which choices can be taken; the
 * run that has it, with all that does not need the old outcome, is the next execution. So what was
 * chosen stays, and each run brings at least one choice more to what it is to be.
 *
 * <p>A choice is put to the guide once, and again only if a message has become possible for it that
 * was not before: there are finitely many of these, so it comes to an end.
 */
public final class Steering {
  /** Who says what a receive takes. */
  public interface Guide {
    /**
     * Chooses a message for a receive or probe.
     *
     * @param messages those that it could take, at least two; the first is the one that it took
     * @return one of them
     */
    int choose(Execution execution, int receive, List<Integer> messages);
  }

  private final Set<Decision> fixed;

  /** By decision: the ranks whose messages the guide has seen for it. */
  private final Map<Decision, Set<Integer>> put = new HashMap<>();

  /**
   * A steering.
   *
   * @param fixed decisions that are not put to the guide
   */
  public Steering(Set<Decision> fixed) {
    this.fixed = Set.copyOf(fixed);
  }

  /** What is to be run next; empty if the execution is as it is to be. */
  public Optional<Flip> next(Execution execution, Guide guide) {
    Map<Integer, List<Integer>> others = new HashMap<>();
    Races.visit(
        execution.graph(),
        (receive, messages) -> others.put(receive, Arrays.stream(messages).boxed().toList()));
    EventTable events = execution.graph().events();
    for (Decision decision : execution.choices()) {
      int receive = execution.event(decision).orElse(EventTable.NONE);
      if (fixed.contains(decision) || !others.containsKey(receive)) {
        continue;
      }
      List<Integer> messages = new ArrayList<>();
      messages.add(execution.graph().pairing().message(receive));
      messages.addAll(others.get(receive));
      Set<Integer> sources = new HashSet<>();
      messages.forEach(each -> sources.add(source(execution, events, each)));
      if (put.computeIfAbsent(decision, _ -> new HashSet<>()).addAll(sources)) {
        int chosen = guide.choose(execution, receive, List.copyOf(messages));
        if (chosen != messages.getFirst()) {
          Flip flip = execution.flip(receive, chosen);
          forgetAllBut(flip);
          return Optional.of(flip);
        }
      }
    }
    return Optional.empty();
  }

  private static int source(Execution execution, EventTable events, int message) {
    return events.rank(execution.graph().pairing().send(message));
  }

  /** What follows the changed outcome is another part of the program, and chosen anew. */
  private void forgetAllBut(Flip flip) {
    Set<Decision> kept = new HashSet<>();
    flip.forced().forEach(each -> kept.add(each.decision()));
    put.keySet().retainAll(kept);
  }
}
