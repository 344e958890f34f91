package org.reprise.causality.live;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventKind;

/**
 * A receive or probe from when its post is read until it has been looked at. It <em>ends</em> when
 * the event is read that says so, and is <em>settled</em> when it is known as well which message it
 * got and which receives were matched before it.
 */
final class Receive {
  /** In place of the number of a call: none so far. */
  static final int NEVER = Integer.MAX_VALUE;

  static final int ANY = EventCursor.ANY;

  private static final int[] NOTHING = {};

  final int rank;
  final int number;
  final int site;
  final int comm;

  /** What it asks for. */
  final int source;

  final int tag;
  final EventKind kind;
  final boolean poll;

  /** What it took; what it asks for as long as that is unknown. */
  int tookSource;

  int tookTag;

  boolean ended;
  boolean hasMessage;
  boolean cancelled;
  boolean ambiguous;

  /** Whether nobody saw how it ended. */
  boolean unknown;

  boolean settled;

  /** Whether the pass has entered its post. */
  boolean entered;

  /** Whether the rank's knowledge includes what its match implies. */
  boolean absorbed;

  boolean scanned;

  /** Whether its limit is all that there is to ask; known once it is looked at. */
  boolean isPlain;

  /** The call that completed it; the call that cancelled it. */
  int completion = NEVER;

  int cancel = NEVER;

  /** The first call of the rank that its match, or the return of the probe, precedes. */
  int seen = NEVER;

  /** How many calls of the rank had begun in the past of its match; valid once it is absorbed. */
  int knownAtMatch;

  @Nullable Message message;

  /** What the rank knew when it was posted. */
  int[] posted = NOTHING;

  /**
   * Receives that were open when this one was posted and may take what it accepts: of those that
   * ask for the same the last one.
   */
  List<Receive> open = List.of();

  /** If this one takes any tag, all such receives. */
  List<Receive> allOpen = List.of();

  /** The one before of those that ask for the same, if it was open when this one was posted. */
  @Nullable Receive previous;

  /** The receives that must be matched before this one; known once it is settled. */
  List<Receive> predecessors = List.of();

  /**
   * The messages that had to be taken for it to be matched, its own first; kept only where sends
   * were synchronous.
   */
  List<Message> matched = List.of();

  /** What became of those that were open; known once it is looked at. */
  List<Earlier> earlier = List.of();

  /** Synchronous messages whose completions tell that this receive has been matched. */
  List<Message> tellers = List.of();

  /** Receives that can be settled only after this one. */
  List<Receive> blocked = List.of();

  Receive(
      int rank, int number, int site, EventKind kind, boolean poll, int comm, int source, int tag) {
    this.rank = rank;
    this.number = number;
    this.site = site;
    this.kind = kind;
    this.poll = poll;
    this.comm = comm;
    this.source = source;
    this.tag = tag;
    tookSource = source;
    tookTag = tag;
  }

  boolean isProbe() {
    return kind == EventKind.PROBE;
  }

  boolean isPosted() {
    return kind == EventKind.POST_RECV;
  }

  boolean isWild() {
    return source == ANY;
  }

  /** Whether it accepts what it asks for: a message of this source and tag. */
  boolean accepts(int from, int with) {
    return (source == ANY || source == from) && (tag == ANY || tag == with);
  }

  /** Whether there may be a message that both accept. */
  boolean overlaps(Receive other) {
    return comm == other.comm
        && (source == ANY || other.source == ANY || source == other.source)
        && (tag == ANY || other.tag == ANY || tag == other.tag);
  }

  void end(int from, int with, int call) {
    ended = true;
    hasMessage = true;
    tookSource = from;
    tookTag = with;
    completion = call;
    if (call != NEVER) {
      previous = null; // nobody looks behind one that took a message
    }
  }

  void endWithoutMessage(boolean byCancel) {
    ended = true;
    hasMessage = false;
    cancelled = byCancel;
  }

  /** Whether its end was reported to the program, so that it is no longer open. */
  boolean isClosed() {
    return cancelled || completion != NEVER;
  }

  /** It takes part in a race only with messages whose senders knew of fewer calls than this. */
  int limit() {
    return seen == NEVER ? NEVER : seen + 2;
  }

  void block(Receive later) {
    if (blocked.isEmpty()) {
      blocked = new ArrayList<>(2);
    }
    blocked.add(later);
  }

  void addTeller(Message synchronousMessage) {
    if (tellers.isEmpty()) {
      tellers = new ArrayList<>(2);
    }
    tellers.add(synchronousMessage);
  }

  /** This receive and all that must be matched before it, but for those already absorbed. */
  List<Receive> closure(boolean all) {
    if (predecessors.isEmpty()) {
      return List.of(this);
    }
    Set<Receive> closure = new HashSet<>();
    List<Receive> found = new ArrayList<>();
    closure.add(this);
    found.add(this);
    for (int i = 0; i < found.size(); i++) {
      for (Receive earlier : found.get(i).predecessors) {
        if ((all || !earlier.absorbed) && closure.add(earlier)) {
          found.add(earlier);
        }
      }
    }
    return found;
  }
}
