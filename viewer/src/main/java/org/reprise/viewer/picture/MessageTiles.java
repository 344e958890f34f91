package org.reprise.viewer.picture;

import java.util.Arrays;
import java.util.Set;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;

/**
 * The messages of a window: one by one where these are few, and else in bundles of those that go
 * from one lane to another at about the same time, with their numbers. The thinnest bundles are
 * left out where there are too many, and it is said how many messages that are.
 */
public final class MessageTiles {
  /** So many messages are given one by one, at most. */
  private static final int MESSAGES_MAX = 4000;

  private static final int BUNDLES_MAX = 3000;

  /** Bundles begin and end at so many places in a tile. */
  private static final int PLACES = 64;

  /** What a message is, as bits. */
  private static final int RACING = 1;

  private static final int UNRECEIVED = 2;
  private static final int BACKWARDS = 4;

  private final RunPicture picture;
  private final EventTable events;
  private final Pairing pairing;

  public MessageTiles(RunPicture picture) {
    this.picture = picture;
    events = picture.run().graph().events();
    pairing = picture.run().graph().pairing();
  }

  /**
   * The messages of a window.
   *
   * @param open first places of lanes whose ranks have a lane each
   */
  public byte[] answer(Window window, RankOrder order, Set<Integer> open) {
    MessageSpans spans = picture.spans(window.axis());
    return spans.countWithin(window.shift(), window.index()) <= MESSAGES_MAX
        ? messages(window, spans)
        : bundles(window, spans, lanes(window, order, open));
  }

  private byte[] messages(Window window, MessageSpans spans) {
    Ints send = new Ints();
    Ints receive = new Ints();
    Ints arrival = new Ints();
    Ints source = new Ints();
    Ints target = new Ints();
    Longs from = new Longs();
    Longs to = new Longs();
    Ints marks = new Ints();
    spans.forEach(
        window.shift(),
        window.index(),
        message -> {
          int sent = pairing.send(message);
          int received = pairing.receive(message);
          send.add(sent);
          receive.add(received);
          arrival.add(spans.arrival(message));
          source.add(events.rank(sent));
          target.add(events.peer(sent));
          from.add(spans.from(message));
          to.add(spans.to(message));
          boolean got = spans.arrival(message) >= 0;
          marks.add(
              (received >= 0 && picture.run().races().contains(received) ? RACING : 0)
                  | (got ? 0 : UNRECEIVED)
                  | (got && spans.to(message) < spans.from(message) ? BACKWARDS : 0));
        });
    return new Columns()
        .field("complete", true)
        .ints("send", send)
        .ints("receive", receive)
        .ints("arrival", arrival)
        .ints("source", source)
        .ints("target", target)
        .numbers("from", from)
        .numbers("to", to)
        .ints("marks", marks)
        .encode();
  }

  /** A bundle's lanes and places are one number; a negative one marks a free slot. */
  private static final class Bundles {
    private long[] keys = new long[1 << 12];
    private int[] counts = new int[1 << 12];
    private int size;

    Bundles() {
      Arrays.fill(keys, -1);
    }

    void add(long key, int count) {
      int slot = slot(key);
      if (keys[slot] < 0) {
        if (2 * ++size > keys.length) {
          grow();
          slot = slot(key);
        }
        keys[slot] = key;
      }
      counts[slot] += count;
    }

    private int slot(long key) {
      int slot = (int) (key * 0x9E3779B97F4A7C15L >>> 32) & keys.length - 1;
      while (keys[slot] >= 0 && keys[slot] != key) {
        slot = slot + 1 & keys.length - 1;
      }
      return slot;
    }

    private void grow() {
      long[] oldKeys = keys;
      int[] oldCounts = counts;
      keys = new long[2 * oldKeys.length];
      counts = new int[keys.length];
      Arrays.fill(keys, -1);
      for (int i = 0; i < oldKeys.length; i++) {
        if (oldKeys[i] >= 0) {
          int slot = slot(oldKeys[i]);
          keys[slot] = oldKeys[i];
          counts[slot] = oldCounts[i];
        }
      }
    }
  }

  /** By rank: the first place of its lane. */
  private int[] lanes(Window window, RankOrder order, Set<Integer> open) {
    int[] lanes = new int[events.ranks()];
    for (int place = 0; place < lanes.length; place++) {
      int lane = order.laneOf(place, window.per());
      lanes[order.rank(place)] = open.contains(lane) ? place : lane;
    }
    return lanes;
  }

  private byte[] bundles(Window window, MessageSpans spans, int[] lanes) {
    Bundles bundles = new Bundles();
    long width = Math.max(1, (window.to() - window.from()) / PLACES);
    spans.forEach(
        window.shift(),
        window.index(),
        message -> {
          int sent = pairing.send(message);
          long source = lanes[events.rank(sent)];
          long target = lanes[events.peer(sent)];
          long from = place(spans.from(message) - window.from(), width);
          long to = place(spans.to(message) - window.from(), width);
          bundles.add(source << 40 | target << 20 | from << 10 | to, 1);
        });
    int[] counts = Arrays.stream(bundles.counts).filter(count -> count > 0).sorted().toArray();
    int least = counts[Math.max(0, counts.length - BUNDLES_MAX)];
    Ints source = new Ints();
    Ints target = new Ints();
    Ints from = new Ints();
    Ints to = new Ints();
    Ints count = new Ints();
    long left = 0;
    for (int i = 0; i < bundles.keys.length; i++) {
      long key = bundles.keys[i];
      if (key < 0) {
        continue;
      }
      if (bundles.counts[i] < least || count.size() == BUNDLES_MAX) {
        left += bundles.counts[i];
        continue;
      }
      source.add((int) (key >> 40));
      target.add((int) (key >> 20) & 0xfffff);
      from.add((int) (key >> 10) & 0x3ff);
      to.add((int) key & 0x3ff);
      count.add(bundles.counts[i]);
    }
    return new Columns()
        .field("complete", false)
        .field("places", PLACES)
        .field("left", (double) left)
        .ints("source", source)
        .ints("target", target)
        .ints("from", from)
        .ints("to", to)
        .ints("count", count)
        .encode();
  }

  /** From 1 in the window; 0 is before it, and behind it comes one more. */
  private static long place(long offset, long width) {
    return offset < 0 ? 0 : Math.min(PLACES + 1L, offset / width + 1);
  }
}
