package org.reprise.trace.events;

import java.util.Arrays;

/**
 * What the last event of each call site said, but for its times. Programs do the same again and
 * again, so an AGAIN record of eight bytes names the site alone.
 */
public final class SiteEchoes {
  public static final int SITE_SHIFT = 8;
  public static final int START_SHIFT = 24;
  public static final int DURATION_SHIFT = 44;
  public static final int SITE_MAX = 65_535;

  /** Times of this many bits. */
  private static final long NANOS_MASK = (1L << DURATION_SHIFT - START_SHIFT) - 1;

  private static final int WORDS = 5;
  private static final int SITES_AT_FIRST = 16;

  private int[] words = new int[SITES_AT_FIRST * WORDS];

  /** Keeps the words of a whole record: its head, peer, tag, link and bytes. */
  void keep(int site, int head, int peer, int tag, int link, int bytes) {
    if (site <= 0 || site > SITE_MAX) {
      return;
    }
    int at = site * WORDS;
    if (at >= words.length) {
      words =
          Arrays.copyOf(
              words, Math.min(Math.max(2 * words.length, at + WORDS), SITE_MAX * WORDS + WORDS));
    }
    words[at] = head;
    words[at + 1] = peer;
    words[at + 2] = tag;
    words[at + 3] = link;
    words[at + 4] = bytes;
  }

  boolean knows(int site) {
    return site * WORDS < words.length && head(site) != 0;
  }

  int head(int site) {
    return words[site * WORDS];
  }

  int peer(int site) {
    return words[site * WORDS + 1];
  }

  int tag(int site) {
    return words[site * WORDS + 2];
  }

  int link(int site) {
    return words[site * WORDS + 3];
  }

  int bytes(int site) {
    return words[site * WORDS + 4];
  }

  static int site(long record) {
    return (int) (record >>> SITE_SHIFT) & SITE_MAX;
  }

  static long start(long record) {
    return record >>> START_SHIFT & NANOS_MASK;
  }

  static long duration(long record) {
    return record >>> DURATION_SHIFT;
  }
}
