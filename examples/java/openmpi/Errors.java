import mpi.*;

/** A program that handles errors itself, and keeps things on its communicators. */
public class Errors {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    world.setErrhandler(MPI.ERRORS_RETURN);
    int key = Comm.createKeyval();
    world.setAttr(key, "rank " + world.getRank());
    Intracomm copy = world.dup();
    copy.setName("copy");
    String caught = "nothing";
    Request sent = MPI.COMM_SELF.iSend(MPI.newIntBuffer(2), 2, MPI.INT, 0, 0);
    try {
      MPI.COMM_SELF.recv(new int[1], 1, MPI.INT, 0, 0);
    } catch (MPIException e) {
      caught = e.getErrorClass() == MPI.ERR_TRUNCATE ? "a truncated message" : e.getMessage();
    }
    sent.waitFor();
    Info info = new Info();
    info.set("hint", "none");
    if (world.getRank() == world.getSize() - 1) {
      System.out.println(
          "caught " + caught + ", " + copy.getAttr(key) + ", " + world.getName() + " and "
              + copy.getName() + ", " + info.size() + " hint");
    }
    info.free();
    copy.free();
    MPI.Finalize();
  }
}
