package org.reprise.causality.live;

/** Is told what races as soon as it is certain. */
public interface LiveSink {
  void race(Race race);

  /**
   * Whether this receive or probe races is not known, as it is not known what some receive took.
   */
  void uncertain(int rank, long receive, int site);
}
