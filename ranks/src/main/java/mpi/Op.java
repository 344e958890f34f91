package mpi;

import org.reprise.ranks.Payload;
import org.reprise.ranks.Reduction;

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

  @Override
  public void free() throws MPIException {}

  /** Empty, so that the collector does not treat operations apart. */
  @Override
  @SuppressWarnings({"deprecation", "removal", "Finalize"})
  public void finalize() throws MPIException {}

  /** This operation on packed elements of a datatype. */
  Reduction on(String call, Datatype type) {
    if (predefined == null) {
      return new FunctionReduction(this, type);
    }
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
    type.layout.scatter(in, offset, elements, left, -first, extent);
    type.layout.scatter(inout, 0, elements, right, -first, extent);
    function.Call(left, -first, right, -first, items, type);
    type.layout.gather(right, -first, items, extent, inout, 0);
  }

  /** Combines objects: sets those of inout to "in op inout". */
  void combineObjects(Datatype type, Object[] in, Object[] inout) {
    call(type, in, 0, inout, inout.length);
  }
}
