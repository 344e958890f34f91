package org.reprise.ranks.libmpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.FabricError;

/**
 * MPICH and those that keep its binary interface: a handle is an int, and the predefined ones are
 * constants.
 */
final class Mpich implements Family {
  @Override
  public ValueLayout handle() {
    return ValueLayout.JAVA_INT;
  }

  @Override
  public long commWorld() {
    return 0x44000000;
  }

  @Override
  public long commSelf() {
    return 0x44000001;
  }

  @Override
  public long commNull() {
    return 0x04000000;
  }

  @Override
  public long requestNull() {
    return 0x2c000000;
  }

  @Override
  public long errorsReturn() {
    return 0x54000001;
  }

  @Override
  public long datatype(BasicType type) {
    return switch (type) {
      case BOOLEAN -> 0x4c00013f;
      case BYTE, OBJECT -> 0x4c00010d;
      case CHAR -> 0x4c000204;
      case SHORT -> 0x4c000203;
      case INT -> 0x4c000405;
      case LONG -> 0x4c00083a;
      case FLOAT -> 0x4c00040a;
      case DOUBLE -> 0x4c00080b;
      case PACKED -> 0x4c00010f;
    };
  }

  @Override
  public long signedChar() {
    return 0x4c000118;
  }

  @Override
  public long pairOfInts() {
    return 0x4c000816;
  }

  @Override
  public long operation(String name) {
    return switch (name) {
      case "MAX" -> 0x58000001;
      case "MIN" -> 0x58000002;
      case "SUM" -> 0x58000003;
      case "PROD" -> 0x58000004;
      case "LAND" -> 0x58000005;
      case "BAND" -> 0x58000006;
      case "LOR" -> 0x58000007;
      case "BOR" -> 0x58000008;
      case "LXOR" -> 0x58000009;
      case "BXOR" -> 0x5800000a;
      case "MINLOC" -> 0x5800000b;
      case "MAXLOC" -> 0x5800000c;
      default -> throw new IllegalArgumentException(name);
    };
  }

  @Override
  public int anySource() {
    return -2;
  }

  @Override
  public int procNull() {
    return -1;
  }

  // int count_lo, count_hi_and_cancelled, MPI_SOURCE, MPI_TAG, MPI_ERROR

  @Override
  public FabricError.Kind error(int errorClass) {
    return switch (errorClass) {
      case 1 -> FabricError.Kind.BUFFER;
      case 2 -> FabricError.Kind.COUNT;
      case 3 -> FabricError.Kind.TYPE;
      case 4 -> FabricError.Kind.TAG;
      case 5 -> FabricError.Kind.COMM;
      case 6 -> FabricError.Kind.RANK;
      case 19 -> FabricError.Kind.REQUEST;
      case 7 -> FabricError.Kind.ROOT;
      case 8 -> FabricError.Kind.GROUP;
      case 14 -> FabricError.Kind.TRUNCATE;
      default -> FabricError.Kind.OTHER;
    };
  }

  @Override
  public int statusBytes() {
    return 20;
  }

  @Override
  public int source(MemorySegment status, long at) {
    return status.get(ValueLayout.JAVA_INT, at + 8);
  }

  @Override
  public int tag(MemorySegment status, long at) {
    return status.get(ValueLayout.JAVA_INT, at + 12);
  }

  @Override
  public boolean cancelled(MemorySegment status, long at) {
    return (status.get(ValueLayout.JAVA_INT, at + 4) & 1) != 0;
  }

  @Override
  public long count(MemorySegment status, long at) {
    long low = status.get(ValueLayout.JAVA_INT, at) & 0xffffffffL;
    long high = (status.get(ValueLayout.JAVA_INT, at + 4) & 0xffffffffL) >>> 1;
    return high << 32 | low;
  }
}
