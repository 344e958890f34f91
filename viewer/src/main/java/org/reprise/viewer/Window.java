package org.reprise.viewer;

/**
 * A part of a picture that the page asks for: a tile of an axis, which begins at a multiple of its
 * length 2^shift, and ranks in lanes of {@code per} each. As windows are cut in one way only, an
 * answer can be kept under its address for good.
 */
record Window(Axis.Kind axis, int shift, long index, int firstRank, int ranks, int per) {
  static final int BINS = 512;

  /** Bins of all lanes together, at most; with many lanes bins become wider. */
  private static final int CELLS_MAX = 1 << 16;

  Window {
    if (shift < 0 || shift > 62 || index < 0 || firstRank < 0 || ranks < 1 || per < 1) {
      throw new IllegalArgumentException("not a window");
    }
  }

  long from() {
    return index << shift;
  }

  long to() {
    return (index + 1) << shift;
  }

  int lanes() {
    return (ranks + per - 1) / per;
  }

  /** How many bins it is divided into; a power of two. */
  int bins() {
    int bins = BINS;
    while (bins > 64 && bins * lanes() > CELLS_MAX) {
      bins /= 2;
    }
    return Math.min(bins, 1 << Math.min(shift, 30));
  }
}
