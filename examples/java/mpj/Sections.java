import mpi.*;
import mpjbuf.Type;

/** A record of a name and its marks, written into a buffer section by section and sent packed. */
public class Sections {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    mpjbuf.Buffer buffer = new mpjbuf.Buffer(mpjbuf.BufferFactory.create(400), 0, 400);
    buffer.putSectionHeader(Type.CHAR);
    char[] name = ("student" + me).toCharArray();
    buffer.write(name, 0, name.length);
    buffer.putSectionHeader(Type.DOUBLE);
    buffer.write(new double[] {1.0 + me, 2.5, 0.5 * me}, 0, 3);
    buffer.commit();
    int[] bytes = {buffer.getSize()};
    if (me > 0) {
      MPI.COMM_WORLD.Send(bytes, 0, 1, MPI.INT, 0, 1);
      MPI.COMM_WORLD.Send(buffer, 0, bytes[0], MPI.PACKED, 0, 2);
    } else {
      System.out.print(read(buffer));
      for (int from = 1; from < size; from++) {
        MPI.COMM_WORLD.Recv(bytes, 0, 1, MPI.INT, from, 1);
        mpjbuf.Buffer other = new mpjbuf.Buffer(mpjbuf.BufferFactory.create(400), 0, 400);
        MPI.COMM_WORLD.Recv(other, 0, bytes[0], MPI.PACKED, from, 2);
        other.commit();
        System.out.print("; " + read(other));
      }
      System.out.println();
    }
    MPI.Finalize();
  }

  private static String read(mpjbuf.Buffer buffer) throws mpjbuf.BufferException {
    buffer.getSectionHeader();
    char[] name = new char[buffer.getSectionSize()];
    buffer.read(name, 0, name.length);
    buffer.getSectionHeader();
    double[] marks = new double[buffer.getSectionSize()];
    buffer.read(marks, 0, marks.length);
    double sum = 0;
    for (double mark : marks) {
      sum += mark;
    }
    return new String(name) + " " + sum;
  }
}
