import mpi.*;
import mpjbuf.Type;

/** A message of several sections, each of one type, that the program writes and reads itself. */
public class Sections {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    mpjbuf.Buffer buffer =
        new mpjbuf.Buffer(mpjbuf.BufferFactory.create(1000), 0, 1000);
    if (me == 0) {
      buffer.putSectionHeader(Type.INT);
      buffer.write(new int[] {1, 2, 3, 4}, 1, 3);
      buffer.write(new int[] {5}, 0, 1);
      buffer.putSectionHeader(Type.DOUBLE);
      buffer.gather(new double[] {0.5, 1.5, 2.5}, 2, 0, new int[] {2, 0});
      buffer.putSectionHeader(Type.OBJECT);
      buffer.write(new Object[] {"three", null}, 0, 2);
      buffer.commit();
      MPI.COMM_WORLD.Send(new int[] {buffer.getSize()}, 0, 1, MPI.INT, 1, 1);
      MPI.COMM_WORLD.Send(buffer, 0, buffer.getSize(), MPI.PACKED, 1, 2);
      System.out.println("Sections: ok");
    } else if (me == 1) {
      int[] size = new int[1];
      MPI.COMM_WORLD.Recv(size, 0, 1, MPI.INT, 0, 1);
      MPI.COMM_WORLD.Recv(buffer, 0, size[0], MPI.PACKED, 0, 2);
      buffer.commit();
      check(buffer.getSectionHeader() == Type.INT && buffer.getSectionSize() == 4, "first section");
      int[] ints = new int[6];
      buffer.read(ints, 2, 3);
      check(buffer.getRemaining() == 1, "one is left");
      buffer.scatter(ints, 1, 1, new int[] {0, 5});
      check(java.util.Arrays.equals(ints, new int[] {0, 0, 2, 3, 4, 5}), "integers");
      check(buffer.getSectionHeader() == Type.DOUBLE, "second section");
      double[] doubles = new double[2];
      buffer.read(doubles, 0, 2);
      check(doubles[0] == 2.5 && doubles[1] == 0.5, "doubles");
      check(buffer.getSectionHeader() == Type.OBJECT, "third section");
      Object[] objects = {"to be", "replaced"};
      buffer.read(objects, 0, 2);
      check("three".equals(objects[0]) && objects[1] == null, "objects");
      try {
        buffer.getSectionHeader();
        throw new AssertionError("a section behind the last");
      } catch (mpjbuf.BufferException e) {
        check(!buffer.isWritable(), "committed");
      }
      buffer.clear();
      check(buffer.isWritable() && buffer.getSize() == 0, "cleared");
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
