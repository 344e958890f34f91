package org.reprise.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** An MPI that programs are tested with, under the names Debian gives its parts. */
enum Mpi {
  OPEN_MPI("Open MPI", "openmpi"),
  MPICH("MPICH", "mpich");

  private final String text;
  private final String suffix;

  Mpi(String text, String suffix) {
    this.text = text;
    this.suffix = suffix;
  }

  String mpicc() {
    return "mpicc." + suffix;
  }

  String mpirun() {
    return "mpirun." + suffix;
  }

  /** Where its examples are, below the directory for all. */
  String directory() {
    return suffix;
  }

  /** The command that starts a program. */
  List<String> job(int ranks, Object program, Object... arguments) {
    List<String> words = new ArrayList<>(List.of(mpirun(), "-n", Integer.toString(ranks)));
    words.add(program.toString());
    Stream.of(arguments).map(Object::toString).forEach(words::add);
    return words;
  }

  @Override
  public String toString() {
    return text;
  }
}
