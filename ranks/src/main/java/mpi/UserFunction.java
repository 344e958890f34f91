package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A reduction of the program's own in Open MPI's dialect: sets each element of inOut to "in op
 * inOut". A program overrides one of the two methods, for arrays or for buffers of bytes in the
 * machine's order; elements of BOOLEAN and OBJECT come as arrays only.
 */
public abstract class UserFunction {
  public UserFunction() {}

  public void call(Object inVec, Object inOutVec, int count, Datatype datatype)
      throws MPIException {
    throw new UnsupportedOperationException("neither method call is overridden");
  }

  /** Calls the one for arrays. */
  public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype)
      throws MPIException {
    Basic basic = datatype.basic;
    Object left = basic.allocate(in.capacity() / basic.bytes);
    Object right = basic.allocate(inOut.capacity() / basic.bytes);
    Memory.of(in, basic).read(0, left, 0, in.capacity() / basic.bytes);
    Memory result = Memory.of(inOut, basic);
    result.read(0, right, 0, result.length());
    call(left, right, count, datatype);
    result.write(0, right, 0, result.length());
  }

  /** The same function as the other dialect has it. */
  final User_function asMpj() {
    UserFunction function = this;
    return new User_function() {
      @Override
      public void Call(Object in, int inAt, Object inOut, int inOutAt, int count, Datatype type) {
        int elements = (int) type.layout.end(count, type.Extent());
        if (type.basic == Basic.OBJECT || type.basic == Basic.BOOLEAN) {
          Object left = part(type.basic, in, inAt, elements);
          Object right = part(type.basic, inOut, inOutAt, elements);
          function.call(left, right, count, type);
          System.arraycopy(right, 0, inOut, inOutAt, elements);
        } else {
          ByteBuffer right = bytes(type.basic, inOut, inOutAt, elements);
          function.call(bytes(type.basic, in, inAt, elements), right, count, type);
          Memory.of(right, type.basic).read(0, inOut, inOutAt, elements);
        }
      }
    };
  }

  private static Object part(Basic basic, Object array, int at, int elements) {
    Object part = basic.allocate(elements);
    System.arraycopy(array, at, part, 0, elements);
    return part;
  }

  private static ByteBuffer bytes(Basic basic, Object array, int at, int elements) {
    ByteBuffer bytes = ByteBuffer.allocate(elements * basic.bytes).order(ByteOrder.nativeOrder());
    Memory.of(bytes, basic).write(0, array, at, elements);
    return bytes;
  }
}
