package org.reprise.exploration;

import java.util.List;

/** Every choice as an execution had it, where that is possible. */
public record OldOrder(Execution old) implements Steering.Guide {
  @Override
  public int choose(Execution execution, int receive, List<Integer> messages) {
    return execution
        .decision(receive)
        .flatMap(old::outcome)
        .flatMap(
            then ->
                messages.stream()
                    .filter(each -> Execution.sameSource(execution.outcome(receive, each), then))
                    .findFirst())
        .orElse(messages.getFirst());
  }
}
