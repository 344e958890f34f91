package org.reprise.trace;

/** A process of an MPI job, by its number in MPI_COMM_WORLD. */
public record Rank(int number) implements Comparable<Rank> {
  public Rank {
    if (number < 0) {
      throw new IllegalArgumentException("a rank is not negative: " + number);
    }
  }

  @Override
  public int compareTo(Rank other) {
    return Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return "rank " + number;
  }
}
