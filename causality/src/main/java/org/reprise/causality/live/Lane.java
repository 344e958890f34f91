package org.reprise.causality.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Messages of one sender, receiver, communicator and tag that nobody is known to have taken yet,
 * and receives and probes that wait for one to be read.
 */
final class Lane {
  final ArrayDeque<Message> messages = new ArrayDeque<>(2);
  private final List<Receive> waiting = new ArrayList<>(1);

  void await(Receive receive) {
    waiting.add(receive);
  }

  /** Those that waited, by posting. */
  List<Receive> waiters() {
    if (waiting.isEmpty()) {
      return List.of();
    }
    List<Receive> all = new ArrayList<>(waiting);
    all.sort(Comparator.comparingInt(receive -> receive.number));
    waiting.clear();
    return all;
  }

  boolean isEmpty() {
    return messages.isEmpty() && waiting.isEmpty();
  }
}
