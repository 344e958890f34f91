import java.nio.ByteBuffer;
import mpi.*;

/** Particles are structs of a name, a mass and a place; they move to the next rank. */
public class Particles {
  /** One particle. */
  public static class Particle extends Struct {
    private final int kind = addChar();
    private final int id = setOffset(4).addInt();
    private final int place = addDouble(3);

    @Override
    protected Data newData() {
      return new Data();
    }

    /** Its fields. */
    public class Data extends Struct.Data {
      public void set(char letter, int number, double x) {
        putChar(kind, letter);
        putInt(id, number);
        putDouble(place, 0, x);
        putDouble(place, 2, -x);
      }

      public String text() {
        return getChar(kind) + "" + getInt(id) + " at " + getDouble(place, 0) + ", "
            + getDouble(place, 2);
      }
    }
  }

  private static final int COUNT = 3;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    Particle particle = new Particle();
    ByteBuffer mine = MPI.newByteBuffer(COUNT * particle.getExtent());
    for (int i = 0; i < COUNT; i++) {
      Particle.Data data = particle.getData(mine, i);
      data.set((char) ('a' + rank), i, rank + i / 4.0);
    }
    ByteBuffer theirs = MPI.newByteBuffer(COUNT * particle.getExtent());
    world.sendRecv(
        mine, COUNT, particle.getType(), (rank + 1) % size, 0,
        theirs, COUNT, particle.getType(), (rank + size - 1) % size, 0);
    if (rank == 0) {
      Particle.Data last = particle.getData(theirs, COUNT - 1);
      System.out.println(particle.getExtent() + " bytes each; " + last.text());
    }
    MPI.Finalize();
  }
}
