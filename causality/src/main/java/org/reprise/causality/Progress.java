package org.reprise.causality;

/** Is told now and then how far the analysis of a run has come. */
public interface Progress {
  /** For whoever does not want to know. */
  Progress NONE = (_, _, _) -> {};

  /** Events between two reports; a power of two. */
  int STEP = 1 << 16;

  /** The passes over the events of a run, in their order. */
  enum Pass {
    READING("reading events", 40),
    PAIRING("pairing messages", 15),
    ORDERING("ordering events", 25),
    FORCING("finding what a replay must force", 10),
    RACES("finding races", 10);

    private final String words;
    private final int share;

    Pass(String words, int share) {
      this.words = words;
      this.share = share;
    }

    /** What is being done. */
    public String words() {
      return words;
    }

    /** About how much of the whole work is done when this much of the pass is, from 0 to 1. */
    public double whole(double done) {
      double before = 0;
      double all = 0;
      for (Pass pass : values()) {
        all += pass.share;
        before += pass.ordinal() < ordinal() ? pass.share : 0;
      }
      return (before + share * done) / all;
    }
  }

  /** So many events, of all, are behind a pass. */
  void at(Pass pass, long done, long all);
}
