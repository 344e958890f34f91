package org.reprise.ranks.libmpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.FabricError;

/** Open MPI: a handle is an address, those of predefined things are those of global variables. */
final class OpenMpi implements Family {
  private final ToLongFunction<String> addressOf;
  private final long[] datatypes = new long[BasicType.values().length];
  private final long commWorld;
  private final long requestNull;

  OpenMpi(ToLongFunction<String> addressOf) {
    this.addressOf = addressOf;
    this.commWorld = addressOf.applyAsLong("ompi_mpi_comm_world");
    this.requestNull = addressOf.applyAsLong("ompi_request_null");
    for (BasicType type : BasicType.values()) {
      datatypes[type.ordinal()] = addressOf.applyAsLong("ompi_mpi_" + nameOf(type));
    }
  }

  private static String nameOf(BasicType type) {
    return switch (type) {
      case BOOLEAN -> "c_bool";
      case BYTE, OBJECT -> "byte";
      case CHAR -> "unsigned_short";
      case SHORT -> "short";
      case INT -> "int";
      case LONG -> "int64_t";
      case FLOAT -> "float";
      case DOUBLE -> "double";
      case PACKED -> "packed";
    };
  }

  @Override
  public ValueLayout handle() {
    return ValueLayout.JAVA_LONG;
  }

  @Override
  public long commWorld() {
    return commWorld;
  }

  @Override
  public long commSelf() {
    return addressOf.applyAsLong("ompi_mpi_comm_self");
  }

  @Override
  public long commNull() {
    return addressOf.applyAsLong("ompi_mpi_comm_null");
  }

  @Override
  public long requestNull() {
    return requestNull;
  }

  @Override
  public long errorsReturn() {
    return addressOf.applyAsLong("ompi_mpi_errors_return");
  }

  @Override
  public long datatype(BasicType type) {
    return datatypes[type.ordinal()];
  }

  @Override
  public long signedChar() {
    return addressOf.applyAsLong("ompi_mpi_signed_char");
  }

  @Override
  public long pairOfInts() {
    return addressOf.applyAsLong("ompi_mpi_2int");
  }

  @Override
  public long operation(String name) {
    return addressOf.applyAsLong("ompi_mpi_op_" + name.toLowerCase(Locale.ROOT));
  }

  @Override
  public int anySource() {
    return -1;
  }

  @Override
  public int procNull() {
    return -2;
  }

  // int MPI_SOURCE, MPI_TAG, MPI_ERROR, _cancelled; size_t _ucount

  @Override
  public FabricError.Kind error(int errorClass) {
    return switch (errorClass) {
      case 1 -> FabricError.Kind.BUFFER;
      case 2 -> FabricError.Kind.COUNT;
      case 3 -> FabricError.Kind.TYPE;
      case 4 -> FabricError.Kind.TAG;
      case 5 -> FabricError.Kind.COMM;
      case 6 -> FabricError.Kind.RANK;
      case 7 -> FabricError.Kind.REQUEST;
      case 8 -> FabricError.Kind.ROOT;
      case 9 -> FabricError.Kind.GROUP;
      case 15 -> FabricError.Kind.TRUNCATE;
      default -> FabricError.Kind.OTHER;
    };
  }

  @Override
  public int statusBytes() {
    return 24;
  }

  @Override
  public int source(MemorySegment status, long at) {
    return status.get(ValueLayout.JAVA_INT, at);
  }

  @Override
  public int tag(MemorySegment status, long at) {
    return status.get(ValueLayout.JAVA_INT, at + 4);
  }

  @Override
  public boolean cancelled(MemorySegment status, long at) {
    return status.get(ValueLayout.JAVA_INT, at + 12) != 0;
  }

  @Override
  public long count(MemorySegment status, long at) {
    return status.get(ValueLayout.JAVA_LONG, at + 16);
  }
}
