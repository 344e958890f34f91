package org.reprise.ranks.libmpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.FabricError;

/**
 * In what the binary interfaces of MPI libraries differ: what handles are, which values the
 * predefined ones have, and where things stand in a status.
 */
sealed interface Family permits OpenMpi, Mpich {
  /** How a handle is passed. */
  ValueLayout handle();

  long commWorld();

  long commSelf();

  long commNull();

  long requestNull();

  long errorsReturn();

  /** What elements are called in messages. */
  long datatype(BasicType type);

  /** Bytes as numbers, and pairs of ints: only reductions need them. */
  long signedChar();

  long pairOfInts();

  /** A predefined operation by its name without {@code MPI_}. */
  long operation(String name);

  int anySource();

  int procNull();

  /** MPI_UNDEFINED, the same everywhere. */
  default int undefined() {
    return -32766;
  }

  /** MPI_ANY_TAG, the same everywhere. */
  default int anyTag() {
    return -1;
  }

  /** What an error class of mpi.h stands for. */
  FabricError.Kind error(int errorClass);

  int statusBytes();

  int source(MemorySegment status, long at);

  int tag(MemorySegment status, long at);

  /** Bytes of the message. */
  long count(MemorySegment status, long at);

  boolean cancelled(MemorySegment status, long at);

  /** A handle in memory: an element of an array of them. */
  default long get(MemorySegment array, int index) {
    return handle() instanceof ValueLayout.OfInt ints
        ? array.getAtIndex(ints, index)
        : array.getAtIndex(ValueLayout.JAVA_LONG, index);
  }

  default void set(MemorySegment array, int index, long value) {
    if (handle() instanceof ValueLayout.OfInt ints) {
      array.setAtIndex(ints, index, (int) value);
    } else {
      array.setAtIndex(ValueLayout.JAVA_LONG, index, value);
    }
  }
}
