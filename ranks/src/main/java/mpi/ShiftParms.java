package mpi;

/** Whom to receive from and whom to send to when everybody moves along one dimension. */
public class ShiftParms {
  public int rank_source;
  public int rank_dest;

  ShiftParms(int rankSource, int rankDest) {
    rank_source = rankSource;
    rank_dest = rankDest;
  }

  public int getRankSource() {
    return rank_source;
  }

  public int getRankDest() {
    return rank_dest;
  }
}
