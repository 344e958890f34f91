package org.reprise.ranks.fabric;

/**
 * A communicator as one of its members holds it. Made by a {@link Fabric} and opaque to everybody
 * else; its identity is the same in every run of a program that makes the same communicators.
 */
public interface Communicator {
  /** The same on every member and in every run. */
  long id();

  /** The calling rank's own number in it. */
  int rank();

  /** Members in the calling rank's group. */
  int size();

  /** Members in the other group of an intercommunicator; 0 of any other communicator. */
  int remoteSize();

  default boolean isInter() {
    return remoteSize() > 0;
  }

  /** The number in MPI_COMM_WORLD of a member of the calling rank's group. */
  int worldRank(int rank);

  /** The number in MPI_COMM_WORLD of a member of the other group of an intercommunicator. */
  int remoteWorldRank(int rank);
}
