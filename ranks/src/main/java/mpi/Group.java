package mpi;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** An ordered set of ranks of the world. Never changes; the ranks of one run may share it. */
@SuppressWarnings("MemberName")
public class Group implements Freeable {
  public static final int EMPTY = 3;

  /** {@link #EMPTY} for the group without members, as MPJ Express marks it; otherwise -1. */
  public int code;

  /** Who is here, as ranks of the world, by rank in the group. Never written to. */
  private final int[] members;

  /** The reverse of members, made when first asked for. */
  private volatile Map<Integer, Integer> places;

  Group(int[] members) {
    this.members = members;
    this.code = members.length == 0 ? EMPTY : -1;
  }

  /** The rank in this group of somebody in the world; MPI.UNDEFINED if they are not here. */
  int placeOf(int worldRank) {
    if (worldRank >= 0 && worldRank < members.length && members[worldRank] == worldRank) {
      return worldRank;
    }
    Map<Integer, Integer> known = places;
    if (known == null) {
      known = HashMap.newHashMap(members.length);
      for (int place = 0; place < members.length; place++) {
        known.put(members[place], place);
      }
      places = known;
    }
    return known.getOrDefault(worldRank, MPI.UNDEFINED);
  }

  /** The ranks in this group of another group's members. */
  int[] placesOf(String call, Group others) {
    return Arrays.stream(others.members)
        .map(
            worldRank -> {
              int place = placeOf(worldRank);
              Misuse.unless(
                  place != MPI.UNDEFINED,
                  call,
                  "the group has a rank of the world that is not in the communicator: ",
                  worldRank);
              return place;
            })
        .toArray();
  }

  private boolean has(int worldRank) {
    return placeOf(worldRank) != MPI.UNDEFINED;
  }

  @Override
  public void free() {}

  /** Empty, so that the collector does not treat groups apart. */
  @Override
  @SuppressWarnings({"deprecation", "removal", "Finalize"})
  public void finalize() throws MPIException {}

  public int Size() throws MPIException {
    return members.length;
  }

  public int Rank() throws MPIException {
    return placeOf(RankState.current("Group.Rank").worldRank());
  }

  public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2)
      throws MPIException {
    return Arrays.stream(ranks1)
        .map(
            rank ->
                rank == MPI.PROC_NULL
                    ? rank
                    : group2.placeOf(group1.member("Translate_ranks", rank)))
        .toArray();
  }

  public static int Compare(Group group1, Group group2) throws MPIException {
    if (Arrays.equals(group1.members, group2.members)) {
      return MPI.IDENT;
    }
    boolean same =
        group1.members.length == group2.members.length
            && Arrays.stream(group1.members).allMatch(group2::has);
    return same ? MPI.SIMILAR : MPI.UNEQUAL;
  }

  public static Group Union(Group group1, Group group2) throws MPIException {
    int[] added = Arrays.stream(group2.members).filter(rank -> !group1.has(rank)).toArray();
    int[] all = Arrays.copyOf(group1.members, group1.members.length + added.length);
    System.arraycopy(added, 0, all, group1.members.length, added.length);
    return new Group(all);
  }

  public static Group Intersection(Group group1, Group group2) throws MPIException {
    return new Group(Arrays.stream(group1.members).filter(group2::has).toArray());
  }

  public static Group Difference(Group group1, Group group2) throws MPIException {
    return new Group(Arrays.stream(group1.members).filter(rank -> !group2.has(rank)).toArray());
  }

  public Group Incl(int[] ranks) throws MPIException {
    requireDistinct("Incl", ranks);
    return new Group(Arrays.stream(ranks).map(rank -> member("Incl", rank)).toArray());
  }

  public Group Excl(int[] ranks) throws MPIException {
    requireDistinct("Excl", ranks);
    int[] left = members.clone();
    for (int rank : ranks) {
      member("Excl", rank);
      left[rank] = MPI.UNDEFINED;
    }
    return new Group(Arrays.stream(left).filter(rank -> rank != MPI.UNDEFINED).toArray());
  }

  public Group Range_incl(int[][] ranges) throws MPIException {
    return Incl(expand("Range_incl", ranges));
  }

  public Group Range_excl(int[][] ranges) throws MPIException {
    return Excl(expand("Range_excl", ranges));
  }

  // Open MPI's

  public int getSize() throws MPIException {
    return Size();
  }

  public int getRank() throws MPIException {
    return Rank();
  }

  public static int[] translateRanks(Group group1, int[] ranks1, Group group2) throws MPIException {
    return Translate_ranks(group1, ranks1, group2);
  }

  public static int compare(Group group1, Group group2) throws MPIException {
    return Compare(group1, group2);
  }

  public static Group union(Group group1, Group group2) throws MPIException {
    return Union(group1, group2);
  }

  public static Group intersection(Group group1, Group group2) throws MPIException {
    return Intersection(group1, group2);
  }

  public static Group difference(Group group1, Group group2) throws MPIException {
    return Difference(group1, group2);
  }

  public Group incl(int[] ranks) throws MPIException {
    return Incl(ranks);
  }

  public Group excl(int[] ranks) throws MPIException {
    return Excl(ranks);
  }

  public Group rangeIncl(int[][] ranges) throws MPIException {
    return Range_incl(ranges);
  }

  public Group rangeExcl(int[][] ranges) throws MPIException {
    return Range_excl(ranges);
  }

  /** Whether it is MPI.GROUP_NULL. */
  @SuppressWarnings("ReferenceEquality") // It is one object.
  public boolean isNull() {
    return this == MPI.GROUP_NULL;
  }

  /** Ranges of (first, last, stride), the last one included if the stride meets it. */
  private static int[] expand(String call, int[][] ranges) {
    return Arrays.stream(ranges)
        .flatMapToInt(
            range -> {
              Misuse.unless(
                  range.length == 3 && range[2] != 0,
                  call,
                  "a range is first, last and a stride that is not 0: ",
                  Arrays.toString(range));
              int steps = (range[1] - range[0]) / range[2];
              return java.util.stream.IntStream.rangeClosed(0, steps)
                  .map(step -> range[0] + step * range[2]);
            })
        .toArray();
  }

  private int member(String call, int rank) {
    Misuse.unless(
        rank >= 0 && rank < members.length,
        call,
        "no such rank in a group of " + members.length + ": ",
        rank);
    return members[rank];
  }

  private static void requireDistinct(String call, int[] ranks) {
    Misuse.unless(
        Arrays.stream(ranks).distinct().count() == ranks.length,
        call,
        "a rank stands there twice: ",
        Arrays.toString(ranks));
  }
}
