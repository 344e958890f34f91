package mpi;

import java.util.stream.IntStream;
import org.reprise.ranks.fabric.Communicator;

/** A communicator of two groups: messages go to and come from the other one. */
@SuppressWarnings("MemberName")
public class Intercomm extends Comm {
  Intercomm(Communicator own) {
    super(own);
  }

  public int Remote_size() throws MPIException {
    return handle("Remote_size", RankState.active("Remote_size")).remoteSize();
  }

  public Group Remote_group() throws MPIException {
    Communicator comm = handle("Remote_group", RankState.active("Remote_group"));
    return new Group(IntStream.range(0, comm.remoteSize()).map(comm::remoteWorldRank).toArray());
  }

  /** One communicator of both groups; those who say high get the higher ranks. */
  public Intracomm Merge(boolean high) throws MPIException {
    RankState state = RankState.active("Merge");
    Communicator comm = handle("Merge", state);
    return new Intracomm(telling("Merge", () -> state.fabric.merge(comm, high)));
  }

  @Override
  public Intercomm clone() throws MPIException {
    return new Intercomm(duplicate("clone"));
  }

  // Open MPI's

  @Override
  public Intercomm dup() throws MPIException {
    return clone();
  }

  public int getRemoteSize() throws MPIException {
    return Remote_size();
  }

  public Group getRemoteGroup() throws MPIException {
    return Remote_group();
  }

  public Intracomm merge(boolean high) throws MPIException {
    return Merge(high);
  }
}
