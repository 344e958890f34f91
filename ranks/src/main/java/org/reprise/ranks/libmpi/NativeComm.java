package org.reprise.ranks.libmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.Communicator;

/** A communicator of libmpi. */
final class NativeComm implements Communicator {
  private static long made;

  final long handle;
  private final long id = made++;
  private final int rank;
  private final int size;
  private final int remoteSize;
  private int @Nullable [] worldRanks;
  private int @Nullable [] remoteWorldRanks;

  NativeComm(long handle) {
    this.handle = handle;
    this.rank = number(Calls.COMM_RANK, handle);
    this.size = number(Calls.COMM_SIZE, handle);
    this.remoteSize =
        number(Calls.COMM_TEST_INTER, handle) == 0 ? 0 : number(Calls.COMM_REMOTE_SIZE, handle);
  }

  /** The world as the launcher announces it, before libmpi may be asked. */
  NativeComm(int rank, int size) {
    this.handle = 0;
    this.rank = rank;
    this.size = size;
    this.remoteSize = 0;
  }

  private static int number(MethodHandle question, long comm) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(ValueLayout.JAVA_INT);
      Calls.call(question, comm, answer);
      return answer.get(ValueLayout.JAVA_INT, 0);
    }
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int remoteSize() {
    return remoteSize;
  }

  @Override
  public int worldRank(int member) {
    int[] known = worldRanks;
    if (known == null) {
      known = translate(Calls.COMM_GROUP, size);
      worldRanks = known;
    }
    return known[member];
  }

  @Override
  public int remoteWorldRank(int member) {
    int[] known = remoteWorldRanks;
    if (known == null) {
      known = translate(Calls.COMM_REMOTE_GROUP, remoteSize);
      remoteWorldRanks = known;
    }
    return known[member];
  }

  /** Where somebody is reached who is a destination here. */
  int worldRankOfPeer(int peer) {
    return isInter() ? remoteWorldRank(peer) : worldRank(peer);
  }

  private int[] translate(MethodHandle groupOf, int members) {
    Family mpi = Calls.family();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mine = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment world = arena.allocate(ValueLayout.JAVA_LONG);
      Calls.call(groupOf, handle, mine);
      Calls.call(Calls.COMM_GROUP, mpi.commWorld(), world);
      MemorySegment from = arena.allocate(ValueLayout.JAVA_INT, members);
      MemorySegment to = arena.allocate(ValueLayout.JAVA_INT, members);
      for (int member = 0; member < members; member++) {
        from.setAtIndex(ValueLayout.JAVA_INT, member, member);
      }
      Calls.call(Calls.GROUP_TRANSLATE, mpi.get(mine, 0), members, from, mpi.get(world, 0), to);
      Calls.call(Calls.GROUP_FREE, mine);
      Calls.call(Calls.GROUP_FREE, world);
      return to.toArray(ValueLayout.JAVA_INT);
    }
  }
}
