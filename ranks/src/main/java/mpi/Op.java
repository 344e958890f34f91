package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Reduction;

/** How a reduction combines two elements: a predefined operation or a function of the program. */
@SuppressWarnings("MemberName")
public class Op implements Freeable {
  /** The number of a predefined operation in MPJ Express; 0 for a function of the program. */
  public int opCode;

  /** Exactly one of these two is there. */
  final Predefined predefined;

  final User_function function;

  /** Whether operands may change places. Reductions here keep the order of ranks in any case. */
  final boolean commutes;

  Op(Predefined predefined) {
    this.predefined = predefined;
    this.function = null;
    this.commutes = true;
    this.opCode = predefined.ordinal() + 1;
  }

  public Op(User_function function, boolean commute) throws MPIException {
    this(function, commute, 0);
  }

  public Op(User_function function, boolean commute, int opCode) throws MPIException {
    Misuse.unless(function != null, "Op", "there is no function: ", null);
    this.predefined = null;
    this.function = function;
    this.commutes = commute;
    this.opCode = opCode;
  }

  public Op(UserFunction function, boolean commute) throws MPIException {
    this(function == null ? null : function.asMpj(), commute, 0);
  }

  @Override
  public void free() throws MPIException {}

  public boolean isNull() {
    return false;
  }

  public boolean isCommutative() {
    return commutes;
  }

  /** Empty, so that the collector does not treat operations apart. */
  @Override
  @SuppressWarnings({"deprecation", "removal", "Finalize"})
  public void finalize() throws MPIException {}

  /** This operation on packed elements of a datatype. */
  Reduction on(String call, Datatype type) {
    if (predefined == null) {
      return new FunctionReduction(this, type);
    }
    if (predefined.isOnPairs() && type.pairValue() != null) {
      return new PairReduction(predefined, type.pairValue());
    }
    Misuse.unless(!type.isStruct(), call, "MPI." + predefined + " is not defined for a struct", "");
    Misuse.unless(
        type.basic == null || predefined.takes(type.basic),
        call,
        "MPI." + predefined + " is not defined for elements of type ",
        type.basic);
    Misuse.unless(
        !predefined.isOnPairs() || type.layout.size % 2 == 0,
        call,
        "MPI."
            + predefined
            + " combines pairs, as of MPI.INT2; found items of this many elements: ",
        type.layout.size);
    return new PredefinedReduction(predefined, type.basic);
  }

  private record PredefinedReduction(Predefined operation, Basic basic) implements Reduction {
    @Override
    public void combine(Payload accumulated, Payload next) {
      // The operands change places, which changes no result: these operations commute.
      operation.combine(
          basic,
          next.array(),
          next.offset(),
          accumulated.array(),
          accumulated.offset(),
          accumulated.count());
    }

    @Override
    public String predefined() {
      return operation.name();
    }
  }

  /** On packed pairs of a value and an int, as bytes. */
  private record PairReduction(Predefined operation, Basic value) implements Reduction {
    @Override
    public void combine(Payload accumulated, Payload next) {
      int pair = value.bytes + Integer.BYTES;
      for (int at = 0; at < accumulated.count(); at += pair) {
        Object best = read(accumulated, at);
        Object other = read(next, at);
        int order = operation.prefers(value, other, best);
        if (order > 0
            || (order == 0
                && index(next, at + value.bytes) < index(accumulated, at + value.bytes))) {
          System.arraycopy(
              next.array(),
              next.offset() + at,
              accumulated.array(),
              accumulated.offset() + at,
              pair);
        }
      }
    }

    private Object read(Payload payload, int at) {
      Object one = value.allocate(1);
      value.get(bytes(payload, at), one, 0, 1);
      return one;
    }

    private static int index(Payload payload, int at) {
      return bytes(payload, at).getInt();
    }

    private static ByteBuffer bytes(Payload payload, int at) {
      return ByteBuffer.wrap((byte[]) payload.array())
          .order(ByteOrder.nativeOrder())
          .position(payload.offset() + at);
    }
  }

  private record FunctionReduction(Op op, Datatype type) implements Reduction {
    @Override
    public void combine(Payload accumulated, Payload next) {
      Payload result = next.copy();
      op.call(type, accumulated.array(), accumulated.offset(), result.array(), next.count());
      System.arraycopy(
          result.array(), 0, accumulated.array(), accumulated.offset(), accumulated.count());
    }

    @Override
    public boolean commutes() {
      return op.commutes;
    }
  }

  /** Lets the program's function set packed elements of inout to "in op inout". */
  private void call(Datatype type, Object in, int offset, Object inout, int elements) {
    if (type.contiguous) {
      function.Call(in, offset, inout, 0, elements / type.layout.size, type);
    } else {
      spreadAndCall(type, in, offset, inout, elements);
    }
  }

  /** The program's function knows items with gaps, so it gets them with their gaps. */
  private void spreadAndCall(Datatype type, Object in, int offset, Object inout, int elements) {
    int items = elements / type.layout.size;
    int extent = type.Extent();
    int first = (int) type.layout.first(items, extent);
    int length = (int) type.layout.end(items, extent) - first;
    Object left = type.basic.allocate(length);
    Object right = type.basic.allocate(length);
    type.layout.scatter(in, offset, elements, Memory.of(left), -first, extent);
    type.layout.scatter(inout, 0, elements, Memory.of(right), -first, extent);
    function.Call(left, -first, right, -first, items, type);
    type.layout.gather(Memory.of(right), -first, items, extent, inout, 0);
  }

  /** Combines objects: sets those of inout to "in op inout". */
  void combineObjects(Datatype type, Object[] in, Object[] inout) {
    call(type, in, 0, inout, inout.length);
  }
}
