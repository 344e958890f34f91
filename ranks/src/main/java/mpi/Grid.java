package mpi;

import java.util.Arrays;

/** A grid of ranks in row-major order, some of whose dimensions may close to rings. */
@SuppressWarnings("ArrayRecordComponent") // Never compared, and nobody else has these arrays.
record Grid(int[] dims, boolean[] periods) {
  static Grid of(String call, int[] dims, boolean[] periods) {
    Misuse.unless(
        dims.length == periods.length,
        call,
        "dims and periods differ in length: ",
        dims.length + " and " + periods.length);
    for (int dim : dims) {
      Misuse.unless(dim > 0, call, "a dimension is not positive: ", dim);
    }
    return new Grid(dims.clone(), periods.clone());
  }

  int size() {
    int size = 1;
    for (int dim : dims) {
      size = Math.multiplyExact(size, dim);
    }
    return size;
  }

  /** The rank at a place; a place outside of a ring counts on around it. */
  int rank(String call, int[] coords) {
    Misuse.unless(
        coords.length >= dims.length,
        call,
        "the grid has " + dims.length + " dimensions; coordinates found: ",
        coords.length);
    int rank = 0;
    for (int i = 0; i < dims.length; i++) {
      Misuse.unless(
          periods[i] || (coords[i] >= 0 && coords[i] < dims[i]),
          call,
          "dimension " + i + " has " + dims[i] + " places and is not a ring; found: ",
          coords[i]);
      rank = rank * dims[i] + Math.floorMod(coords[i], dims[i]);
    }
    return rank;
  }

  int[] coords(String call, int rank) {
    Misuse.unless(
        rank >= 0 && rank < size(), call, "no such rank in a grid of " + size() + ": ", rank);
    int[] coords = new int[dims.length];
    for (int i = dims.length - 1; i >= 0; i--) {
      coords[i] = rank % dims[i];
      rank /= dims[i];
    }
    return coords;
  }

  /** Who is so far along a dimension; MPI.PROC_NULL beyond its end. */
  int neighbour(int[] coords, int direction, int distance) {
    int[] there = coords.clone();
    there[direction] += distance;
    boolean outside = there[direction] < 0 || there[direction] >= dims[direction];
    return outside && !periods[direction] ? MPI.PROC_NULL : rank("Shift", there);
  }

  /** The dimensions that remain. */
  Grid sub(boolean[] remain) {
    int kept = 0;
    int[] keptDims = new int[dims.length];
    boolean[] keptPeriods = new boolean[dims.length];
    for (int i = 0; i < dims.length; i++) {
      if (remain[i]) {
        keptDims[kept] = dims[i];
        keptPeriods[kept++] = periods[i];
      }
    }
    return new Grid(Arrays.copyOf(keptDims, kept), Arrays.copyOf(keptPeriods, kept));
  }

  /**
   * Fills the dimensions that are 0 so that all together make so many nodes: as close to each other
   * as possible, the larger first. That is: the largest as small as possible, then the next.
   */
  static void fill(int nodes, int[] dims) {
    int free = 0;
    int left = nodes;
    for (int dim : dims) {
      Misuse.unless(dim >= 0, "Dims_create", "a dimension is negative: ", dim);
      if (dim == 0) {
        free++;
      } else {
        Misuse.unless(
            left % dim == 0,
            "Dims_create",
            nodes + " nodes cannot be divided by the dimensions given: ",
            Arrays.toString(dims));
        left /= dim;
      }
    }
    Misuse.unless(nodes > 0, "Dims_create", "the number of nodes is not positive: ", nodes);
    Misuse.unless(
        free > 0 || left == 1,
        "Dims_create",
        nodes + " nodes are not what the dimensions given make: ",
        Arrays.toString(dims));
    int[] factors = new int[free];
    factor(left, factors, 0, left);
    int next = 0;
    for (int i = 0; i < dims.length; i++) {
      if (dims[i] == 0) {
        dims[i] = factors[next++];
      }
    }
  }

  /** Splits n into the factors from a place on, none above the limit; tells whether it can. */
  private static boolean factor(int n, int[] factors, int at, int limit) {
    if (at == factors.length) {
      return n == 1;
    }
    int least = (int) Math.ceil(Math.pow(n, 1.0 / (factors.length - at)) - 1e-9);
    for (int factor = Math.max(1, least); factor <= Math.min(n, limit); factor++) {
      factors[at] = factor;
      if (n % factor == 0 && factor(n / factor, factors, at + 1, factor)) {
        return true;
      }
    }
    return false;
  }
}
