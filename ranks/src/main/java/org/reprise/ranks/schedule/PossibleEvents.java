package org.reprise.ranks.schedule;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import org.reprise.ranks.engine.Message;
import org.reprise.ranks.engine.PendingReceive;

/**
 * What may happen at one rank. Matches are many where ten thousand ranks have sent to one, so they
 * become events only when somebody looks at them.
 */
final class PossibleEvents extends AbstractList<PossibleEvent> implements RandomAccess {
  /** A receive and the messages that it may take. */
  private record Matches(PendingReceive receive, List<Message> candidates, int begin, int end) {}

  private final List<PossibleEvent> outcomes = new ArrayList<>();
  private final List<Matches> matches = new ArrayList<>();
  private int size;

  /** Whether there are more outcomes than stand here. */
  private boolean cutShort;

  boolean isCutShort() {
    return cutShort;
  }

  void cutShort() {
    cutShort = true;
  }

  /** Outcomes come before matches. */
  void happens(PossibleEvent event) {
    outcomes.add(event);
    size++;
  }

  void matches(PendingReceive receive, List<Message> candidates) {
    if (!candidates.isEmpty()) {
      matches.add(new Matches(receive, candidates, size, size + candidates.size()));
      size += candidates.size();
    }
  }

  @Override
  public PossibleEvent get(int index) {
    if (index < outcomes.size()) {
      return outcomes.get(index);
    }
    int low = 0;
    int high = matches.size() - 1;
    while (low < high) {
      int middle = low + high >>> 1;
      if (index < matches.get(middle).end()) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    Matches found = matches.get(low);
    return PossibleEvent.match(
        found.receive.owner, found.receive, found.candidates.get(index - found.begin));
  }

  @Override
  public int size() {
    return size;
  }
}
