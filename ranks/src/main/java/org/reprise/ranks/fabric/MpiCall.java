package org.reprise.ranks.fabric;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The MPI calls that a fabric makes, by their MPI names. Rank files of embedded runs number calls
 * by their place here, and {@code callNames} of run.json keeps the names with the run.
 */
public enum MpiCall {
  INIT,
  FINALIZE,
  ABORT,
  RECV,
  IRECV,
  SENDRECV,
  PROBE,
  IPROBE,
  WAIT,
  WAITALL,
  WAITANY,
  WAITSOME,
  TEST,
  TESTALL,
  TESTANY,
  TESTSOME,
  CANCEL,
  REQUEST_FREE,
  WTIME,
  SEND,
  SSEND,
  BSEND,
  RSEND,
  ISEND,
  ISSEND,
  IBSEND,
  IRSEND,
  COMM_DUP,
  COMM_SPLIT,
  COMM_CREATE,
  CART_CREATE,
  CART_SUB,
  GRAPH_CREATE,
  INTERCOMM_CREATE,
  INTERCOMM_MERGE,
  COMM_FREE,
  BARRIER,
  BCAST,
  GATHER,
  SCATTER,
  ALLGATHER,
  ALLTOALL,
  REDUCE,
  ALLREDUCE,
  REDUCE_SCATTER,
  SCAN,
  EXSCAN,
  IBARRIER,
  IBCAST,
  IGATHER,
  ISCATTER,
  IALLGATHER,
  IALLTOALL,
  IREDUCE,
  IALLREDUCE,
  IREDUCE_SCATTER,
  ISCAN,
  IEXSCAN;

  /** As MPI writes it, without {@code MPI_}: Recv, Comm_split. */
  public String mpiName() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return "MPI_" + mpiName();
  }

  /** All names in the order of their numbers. */
  public static List<String> names() {
    return Arrays.stream(values()).map(MpiCall::mpiName).toList();
  }
}
