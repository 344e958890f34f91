import java.util.Arrays;
import mpi.*;

/** Sets of ranks, and where a rank stands in each. Wants 4 ranks or more. */
public class Groups {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    Group world = MPI.COMM_WORLD.Group();
    check(world.Size() == size && world.Rank() == me, "the world");
    Group turned = world.Incl(new int[] {3, 1});
    Group without = world.Excl(new int[] {0, 2});
    check(turned.Size() == 2 && turned.Rank() == (me == 3 ? 0 : me == 1 ? 1 : -1), "turned");
    check(without.Size() == size - 2, "without two");
    check(Group.Compare(world, world) == MPI.IDENT, "identical");
    check(Group.Compare(turned, world.Incl(new int[] {1, 3})) == MPI.SIMILAR, "similar");
    check(Group.Compare(turned, world) == MPI.UNEQUAL, "unequal");
    int[] places = Group.Translate_ranks(turned, new int[] {0, 1}, world);
    check(Arrays.equals(places, new int[] {3, 1}), "translated");
    places = Group.Translate_ranks(world, new int[] {0, 3}, turned);
    check(places[0] == MPI.UNDEFINED && places[1] == 0, "translated back");
    Group low = world.Incl(new int[] {0, 1, 2});
    check(members(Group.Union(turned, low), world).equals("[3, 1, 0, 2]"), "union");
    check(members(Group.Intersection(turned, low), world).equals("[1]"), "intersection");
    check(members(Group.Difference(low, turned), world).equals("[0, 2]"), "difference");
    Group even = world.Range_incl(new int[][] {{0, 3, 2}});
    check(members(even, world).equals("[0, 2]"), "range");
    check(
        members(world.Range_excl(new int[][] {{0, size - 1, 2}}), world).startsWith("[1, 3"),
        "range excluded");
    MPI.COMM_WORLD.Barrier();
    if (me == 0) {
      System.out.println("Groups: ok");
    }
    MPI.Finalize();
  }

  static String members(Group group, Group world) throws Exception {
    int[] ranks = new int[group.Size()];
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] = i;
    }
    return Arrays.toString(Group.Translate_ranks(group, ranks, world));
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
