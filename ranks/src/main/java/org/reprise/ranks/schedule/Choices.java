package org.reprise.ranks.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.CommContext;
import org.reprise.ranks.engine.Decision;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Mailbox;
import org.reprise.ranks.engine.Matching;
import org.reprise.ranks.engine.Message;
import org.reprise.ranks.engine.Pending;
import org.reprise.ranks.engine.PendingReceive;
import org.reprise.ranks.engine.PendingSend;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.engine.Waiter;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.MpiCall;

/**
 * What may happen at one rank that is in a call, while no rank can run by itself. A receive from
 * any source gets a message only when somebody needs that: its own rank waits for it, a later
 * receive or probe that is asked for stands behind it, or a synchronous send waits to be received.
 * What nobody needs is nobody's choice.
 */
final class Choices {
  /** From this many on, the messages of a mailbox are not scanned for each choice. */
  private static final int MANY_MESSAGES = 32;

  /** Of so many operations every subset is an outcome of its own. */
  private static final int SUBSETS_OF_MAX = 10;

  /** Beyond that, so many receives may get their messages together. */
  private static final int MATCHES_TOGETHER_MAX = 32;

  /** So many outcomes of a call are told apart. */
  private static final int OUTCOMES_MAX = 1 << 14;

  private final JobRank rank;
  private final Mailbox mailbox;
  private final @Nullable Wait wait;
  private final boolean asksScheduler;
  private final boolean mayFail;
  private final PossibleEvents events;

  private Choices(
      JobRank rank,
      @Nullable Wait wait,
      boolean asksScheduler,
      boolean mayFail,
      PossibleEvents events) {
    this.asksScheduler = asksScheduler;
    this.events = events;
    this.rank = rank;
    this.mailbox = rank.mailbox;
    this.wait = wait;
    this.mayFail = mayFail;
  }

  /**
   * Adds the events, in an order that depends on nothing but what the ranks have done.
   *
   * @param wait what its call waits for; null if the rank has ended and left receives behind
   * @param asksScheduler whether the call comes to what the scheduler says, not only goes on when
   *     it can
   * @param mayFail whether a poll may fail
   */
  static void add(
      JobRank rank,
      @Nullable Wait wait,
      boolean asksScheduler,
      boolean mayFail,
      PossibleEvents events) {
    Choices choices = new Choices(rank, wait, asksScheduler, mayFail, events);
    if (asksScheduler) {
      choices.outcomes();
    }
    choices.matches();
  }

  private void outcome(Decision decision, List<Matching.Pair> matches) {
    if (events.size() == OUTCOMES_MAX) {
      events.cutShort();
      return;
    }
    events.happens(PossibleEvent.outcome(rank, decision, List.copyOf(matches)));
  }

  private void outcomes() {
    switch (wait) {
      case Wait.ForMessage probe -> {
        for (Message message :
            Matching.candidates(
                mailbox, probe.comm.context, probe.source, probe.tag, null, List.of())) {
          outcome(new Decision(null, message), List.of());
        }
        if (probe.call == MpiCall.IPROBE) {
          failure();
        }
      }
      case Wait.ForOperations completion -> completions(completion);
      case Wait.ForRound _ -> {}
      case null -> {}
    }
  }

  private void failure() {
    if (mayFail) {
      outcome(Decision.FAILS, List.of());
    }
  }

  private void completions(Wait.ForOperations completion) {
    if (completion.call == MpiCall.CANCEL) {
      cancel(completion);
      return;
    }
    @Nullable Pending[] operations = completion.operations;
    switch (completion.mode) {
      case TEST, TEST_ALL ->
          choose(operations, inOrderOfPosting(operations), false, new ArrayList<>(), List.of());
      case WAIT_ANY, TEST_ANY -> {
        for (int i = 0; i < operations.length; i++) {
          int index = i;
          completed(
              operations[i],
              List.of(),
              matches -> outcome(new Decision(List.of(index), null), matches));
        }
      }
      case WAIT_SOME, TEST_SOME -> some(operations);
      case WAIT, WAIT_ALL -> {}
    }
    if (!completion.mode.waits()) {
      failure();
    }
  }

  private void some(@Nullable Pending[] operations) {
    List<Integer> active = inOrderOfPosting(operations);
    int done = 0;
    int wanting = 0;
    for (int index : active) {
      Pending operation = operations[index];
      if (operation != null && operation.done) {
        done++;
      } else if (operation instanceof PendingReceive receive && receive.posted) {
        wanting++;
      }
    }
    if (done + Math.min(wanting, mailbox.messages()) <= SUBSETS_OF_MAX) {
      choose(operations, active, true, new ArrayList<>(), List.of());
      return;
    }
    // Nobody can go through all of 2 to the n. Where one is drawn: each alone, and all together.
    events.cutShort();
    for (int index : active) {
      choose(operations, List.of(index), false, new ArrayList<>(), List.of());
    }
    asManyAsCan(operations, active);
  }

  private void asManyAsCan(@Nullable Pending[] operations, List<Integer> active) {
    List<Integer> indices = new ArrayList<>();
    List<Matching.Pair> matches = new ArrayList<>();
    for (int index : active) {
      Pending operation = operations[index];
      List<List<Matching.Pair>> ways = new ArrayList<>();
      if (matches.size() < MATCHES_TOGETHER_MAX) {
        completed(operation, List.copyOf(matches), ways::add);
      } else if (operation != null && operation.done) {
        ways.add(matches);
      }
      if (!ways.isEmpty()) {
        indices.add(index);
        matches = ways.getFirst();
      }
    }
    if (indices.size() > 1) {
      outcome(new Decision(indices.stream().sorted().toList(), null), matches);
    }
  }

  /** It is cancelled, or it got a message before. */
  private void cancel(Wait.ForOperations completion) {
    outcome(new Decision(List.of(), null), List.of());
    completed(
        completion.operations[0],
        List.of(),
        matches -> outcome(new Decision(List.of(0), null), matches));
  }

  /** Every way for an operation to be complete, given what is thought of as matched. */
  private void completed(
      @Nullable Pending operation, List<Matching.Pair> before, Consumer<List<Matching.Pair>> way) {
    if (operation == null) {
      return;
    }
    if (operation.done) {
      way.accept(before);
    } else if (operation instanceof PendingReceive receive && receive.posted) {
      for (Message message :
          Matching.candidates(
              mailbox, receive.comm.context, receive.source, receive.tag, receive, before)) {
        List<Matching.Pair> matches = new ArrayList<>(before);
        matches.add(new Matching.Pair(receive, message));
        way.accept(matches);
      }
    }
  }

  /** Receives get messages in the order of their posting, wherever they stand in the array. */
  private static List<Integer> inOrderOfPosting(@Nullable Pending[] operations) {
    List<Integer> active = new ArrayList<>();
    for (int i = 0; i < operations.length; i++) {
      if (operations[i] != null) {
        active.add(i);
      }
    }
    active.sort(
        Comparator.comparingLong(
            i -> operations[i] instanceof PendingReceive receive ? receive.place : 0));
    return active;
  }

  /**
   * Goes through the operations, each complete in every way it can be.
   *
   * @param orNot whether an operation may also be left out
   */
  private void choose(
      @Nullable Pending[] operations,
      List<Integer> left,
      boolean orNot,
      List<Integer> indices,
      List<Matching.Pair> before) {
    if (events.isCutShort() && events.size() == OUTCOMES_MAX) {
      return;
    }
    if (left.isEmpty()) {
      if (!indices.isEmpty()) {
        outcome(new Decision(indices.stream().sorted().toList(), null), before);
      }
      return;
    }
    int index = left.getFirst();
    List<Integer> rest = left.subList(1, left.size());
    completed(
        operations[index],
        before,
        matches -> {
          indices.add(index);
          choose(operations, rest, orNot, indices, matches);
          indices.removeLast();
        });
    if (orNot) {
      choose(operations, rest, true, indices, before);
    }
  }

  /** What somebody asks for, from a place in the order of posting on. */
  private record Asked(CommContext context, int source, int tag, long place) {
    static Asked by(PendingReceive receive) {
      return new Asked(receive.comm.context, receive.source, receive.tag, receive.place);
    }

    boolean standsBehind(PendingReceive receive) {
      return receive.place < place
          && receive.comm.context == context
          && (receive.source == Fabric.ANY_SOURCE
              || source == Fabric.ANY_SOURCE
              || receive.source == source)
          && (receive.tag == Fabric.ANY_TAG || tag == Fabric.ANY_TAG || receive.tag == tag);
    }
  }

  /** Receives that get a message without anything being reported yet. */
  private void matches() {
    PendingReceive first = mailbox.firstFromAnySource();
    if (first == null && !(rank.machine.cancels && mailbox.hasNamed())) {
      return;
    }
    if (first != null
        && mailbox.messages() >= MANY_MESSAGES
        && mailbox.isUniform()
        && waitsForReceive()) {
      // All others stand behind the first and accept nothing that it does not.
      events.matches(first, mailbox.heads(first.comm.context, first.tag));
      return;
    }
    List<Asked> asked = asked();
    List<PendingReceive> wanted = new ArrayList<>();
    // From the last posted to the first: a receive that is wanted makes those before it wanted. One
    // that names its source has nothing to choose, but may stand between the two.
    for (PendingReceive receive : mailbox.receivesLastFirst()) {
      boolean behind = asked.stream().anyMatch(one -> one.standsBehind(receive));
      if (behind || isAskedFor(receive) || isAwaited(receive)) {
        asked.add(Asked.by(receive));
        if (receive.isLate) {
          wanted.addFirst(receive);
        }
      }
    }
    for (PendingReceive receive : wanted) {
      events.matches(receive, Matching.candidates(mailbox, receive));
    }
  }

  /** Whether the rank cannot go on before a receive that is posted has a message. */
  private boolean waitsForReceive() {
    if (!asksScheduler && wait instanceof Wait.ForOperations completion) {
      for (Pending operation : completion.operations) {
        if (operation instanceof PendingReceive receive && receive.posted) {
          return true;
        }
      }
    }
    return false;
  }

  private List<Asked> asked() {
    List<Asked> asked = new ArrayList<>();
    switch (wait) {
      case Wait.ForMessage probe ->
          asked.add(new Asked(probe.comm.context, probe.source, probe.tag, Long.MAX_VALUE));
      case Wait.ForOperations completion -> {
        for (Pending operation : completion.operations) {
          if (operation instanceof PendingReceive receive && receive.posted) {
            asked.add(Asked.by(receive));
          }
        }
      }
      case Wait.ForRound _ -> {}
      case null -> {}
    }
    return asked;
  }

  /** Whether the rank cannot go on before this receive has a message. */
  private boolean isAskedFor(PendingReceive receive) {
    if (!asksScheduler && wait instanceof Wait.ForOperations completion) {
      for (Pending operation : completion.operations) {
        if (operation == receive) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a rank waits for a send of its own that this receive accepts. */
  private boolean isAwaited(PendingReceive receive) {
    if (!mailbox.hasAwaited()) {
      return false;
    }
    for (Message message = mailbox.oldest(); message != null; message = message.next) {
      if (message.send != null && receive.accepts(message) && isAwaited(message.send)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAwaited(PendingSend send) {
    return waitsFor(send.owner.main, send)
        || (send.owner.hasThreads
            && send.owner.others.values().stream().anyMatch(other -> waitsFor(other, send)));
  }

  private static boolean waitsFor(Waiter waiter, PendingSend send) {
    if (waiter.wait instanceof Wait.ForOperations waits) {
      for (Pending operation : waits.operations) {
        if (operation == send) {
          return true;
        }
      }
    }
    return false;
  }
}
