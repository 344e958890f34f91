package org.reprise.viewer.picture;

/**
 * A part of a picture that the page asks for: a tile of an axis, which begins at a multiple of its
 * length 2^shift, and ranks in lanes of {@code per} each. As windows are cut in one way only, an
 * answer can be kept under its address for good.
 *
 * @param first the place of the first rank in the order of ranks
 * @param per so many ranks share a lane, at most
 */
public record Window(Axis.Kind axis, int shift, long index, int first, int ranks, int per) {
  public static final int BINS = 512;

  /** Bins of all lanes together, at most; with many lanes bins become wider. */
  private static final int CELLS_MAX = 1 << 16;

  public Window {
    if (shift < 0 || shift > 62 || index < 0 || first < 0 || ranks < 1 || per < 1) {
      throw new IllegalArgumentException("not a window");
    }
  }

  public long from() {
    return index << shift;
  }

  public long to() {
    return (index + 1) << shift;
  }

  /** How many bins so many lanes are divided into; a power of two. */
  public int bins(int lanes) {
    int bins = BINS;
    while (bins > 64 && bins * lanes > CELLS_MAX) {
      bins /= 2;
    }
    return Math.min(bins, 1 << Math.min(shift, 30));
  }
}
