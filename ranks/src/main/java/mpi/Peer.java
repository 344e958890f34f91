package mpi;

import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.Fabric;

/** Ranks and tags that a program passes, checked, and as the fabric numbers them. */
final class Peer {
  private Peer() {}

  static int destination(String call, Communicator comm, int dest, int tag) {
    requireTag(call, tag);
    return dest == MPI.PROC_NULL ? Fabric.PROC_NULL : member(call, comm, dest);
  }

  static int source(String call, Communicator comm, int source) {
    if (source == MPI.ANY_SOURCE) {
      return Fabric.ANY_SOURCE;
    }
    return source == MPI.PROC_NULL ? Fabric.PROC_NULL : member(call, comm, source);
  }

  private static int member(String call, Communicator comm, int rank) {
    int members = comm.isInter() ? comm.remoteSize() : comm.size();
    if (rank < 0 || rank >= members) {
      throw Misuse.error(
          MPI.ERR_RANK, call, "no such rank in a communicator of " + members + ": ", rank);
    }
    return rank;
  }

  static void requireTag(String call, int tag) {
    if (tag < 0) {
      throw Misuse.error(MPI.ERR_TAG, call, "a tag is 0 to " + Fabric.TAG_MAX + "; found: ", tag);
    }
  }

  static int tag(String call, int tag) {
    if (tag == MPI.ANY_TAG) {
      return Fabric.ANY_TAG;
    }
    requireTag(call, tag);
    return tag;
  }

  static int root(String call, Communicator comm, int root) {
    if (root < 0 || root >= comm.size()) {
      throw Misuse.error(
          MPI.ERR_ROOT, call, "no such root in a communicator of " + comm.size() + ": ", root);
    }
    return root;
  }
}
