package org.reprise.trace.events;

/**
 * A communicator as the events of one rank know it. Its identity is the same on every member and in
 * every run; its members are given by their numbers in MPI_COMM_WORLD. A communicator that is no
 * intercommunicator has an empty remote group.
 */
public record Communicator(
    long id, RankGroup group, RankGroup remote, boolean inter, boolean overtaking) {
  public Communicator {
    if (!inter && remote.size() != 0) {
      throw new IllegalArgumentException("only an intercommunicator has a remote group");
    }
  }

  public static Communicator of(long id, RankGroup group) {
    return new Communicator(id, group, RankGroup.of(), false, false);
  }

  public static Communicator inter(long id, RankGroup group, RankGroup remote) {
    return new Communicator(id, group, remote, true, false);
  }

  /** The members that a rank of {@link #group} sends to, receives from and names as roots. */
  public RankGroup peers() {
    return inter ? remote : group;
  }
}
