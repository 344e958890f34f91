package org.reprise.viewer.picture;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;

/**
 * From where to where each message goes on an axis, and which of them pass through a part of it. A
 * message belongs to the smallest tile that holds all of it, as in the SLOG-2 files of Chan, Gropp
 * and Lusk (2008): what passes through a tile belongs to it, to a tile in it, or to one around it.
 */
public final class MessageSpans {
  private final EventGraph graph;
  private final Pairing pairing;
  private final Axis axis;

  /** Tiles are no smaller than that, so that there are fewer than 2^32. */
  private final int least;

  /** By message: what is asked for each of them whenever many are drawn. */
  private final long[] from;

  private final long[] to;

  /** By size of their tiles: the messages, sorted by tile. */
  private final long[][] byTile;

  public MessageSpans(EventGraph graph, Axis axis) {
    this.graph = graph;
    this.axis = axis;
    pairing = graph.pairing();
    least = Math.max(0, axis.shift() - 31);
    from = new long[pairing.messages()];
    to = new long[pairing.messages()];
    IntStream.range(0, from.length).parallel().forEach(this::measure);
    int sizes = axis.shift() + 1;
    int[] counts = new int[sizes];
    for (int m = 0; m < pairing.messages(); m++) {
      counts[tileShift(m)]++;
    }
    byTile = new long[sizes][];
    Arrays.setAll(byTile, shift -> new long[counts[shift]]);
    Arrays.fill(counts, 0);
    for (int m = 0; m < pairing.messages(); m++) {
      int shift = tileShift(m);
      byTile[shift][counts[shift]++] = from(m) >>> shift << 32 | m;
    }
    Arrays.stream(byTile).parallel().forEach(Arrays::sort);
  }

  private int tileShift(int message) {
    return Math.max(least, Long.SIZE - Long.numberOfLeadingZeros(from(message) ^ to(message)));
  }

  private void measure(int message) {
    from[message] = axis.start(pairing.send(message));
    int arrival = arrival(message);
    to[message] = arrival < 0 ? from[message] : axis.end(arrival);
  }

  /** Where a message was sent: the entry of its send. */
  public long from(int message) {
    return from[message];
  }

  /** The call at which its message came to a program; {@link EventTable#NONE} if none did. */
  public int arrival(int message) {
    int receive = pairing.receive(message);
    return receive < 0 ? EventTable.NONE : graph.completion(receive);
  }

  /** Where it came to the program: the return of that call; where it was sent if nobody got it. */
  public long to(int message) {
    return to[message];
  }

  /** How many messages there are in tiles of this size or smaller, within a tile, at most. */
  public long countWithin(int shift, long index) {
    long count = 0;
    for (int size = least; size <= Math.min(shift, byTile.length - 1); size++) {
      int bits = shift - size;
      count += place(size, (index + 1) << bits) - place(size, index << bits);
    }
    return count;
  }

  /** The messages that belong to tiles within a tile, or pass through it from around it. */
  public void forEach(int shift, long index, IntConsumer action) {
    for (int size = least; size <= Math.min(shift, byTile.length - 1); size++) {
      int bits = shift - size;
      int end = place(size, (index + 1) << bits);
      for (int i = place(size, index << bits); i < end; i++) {
        action.accept((int) byTile[size][i]);
      }
    }
    long low = index << shift;
    long high = (index + 1) << shift;
    for (int size = Math.max(least, shift + 1); size < byTile.length; size++) {
      long around = index >>> (size - shift);
      int end = place(size, around + 1);
      for (int i = place(size, around); i < end; i++) {
        int message = (int) byTile[size][i];
        long a = Math.min(from(message), to(message));
        long b = Math.max(from(message), to(message));
        if (a < high && b >= low) {
          action.accept(message);
        }
      }
    }
  }

  /** How many messages of this size lie in tiles before this one. */
  private int place(int size, long tile) {
    long[] sorted = byTile[size];
    int found = Arrays.binarySearch(sorted, tile << 32);
    return found < 0 ? -found - 1 : found;
  }
}
