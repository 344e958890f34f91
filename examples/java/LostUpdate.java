/*
 * LostUpdate: an account loses money, but only in 3 of 35 orders.
 *
 * Rank 0 keeps the balance of an account and answers whoever asks first. Clerk 1 pays in 10 the wrong way: it asks for the
 * balance, adds, and sets the new one. Clerk 2 pays in 5 the right way, by one request. If clerk 2's request comes
 * between clerk 1's two, it is overwritten. Each clerk also looks at the balance twice, 1 afterwards and 2 before,
 * so that they hardly ever meet: testing will not find it, enumerating does.
 *
 *     reprise run -n 3 LostUpdate.java              # balance = 15
 *     reprise enumerate -n 3 LostUpdate.java        # in 3 of 35 executions balance = 10
 */
import mpi.MPI;
import mpi.Status;

public class LostUpdate {
  private static final int GET = 1;
  private static final int SET = 2;
  private static final int ADD = 3;
  private static final int ANSWER = 4;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    switch (MPI.COMM_WORLD.Rank()) {
      case 0 -> keepAccount();
      case 1 -> payInByHalves();
      case 2 -> payIn();
      default -> {}
    }
    MPI.Finalize();
  }

  private static void keepAccount() throws Exception {
    int balance = 0;
    for (int request = 0; request < 7; request++) {
      int[] amount = new int[1];
      Status from = MPI.COMM_WORLD.Recv(amount, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
      switch (from.tag) {
        case SET -> balance = amount[0];
        case ADD -> balance += amount[0];
        default -> {}
      }
      MPI.COMM_WORLD.Send(new int[] {balance}, 0, 1, MPI.INT, from.source, ANSWER);
    }
    System.out.println("balance = " + balance);
  }

  private static void payInByHalves() throws Exception {
    int balance = ask(GET, 0);
    ask(SET, balance + 10);
    ask(GET, 0);
    ask(GET, 0);
  }

  private static void payIn() throws Exception {
    ask(GET, 0);
    ask(GET, 0);
    ask(ADD, 5);
  }

  /** Sends a request to rank 0 and waits for the balance it answers. */
  private static int ask(int what, int amount) throws Exception {
    int[] message = {amount};
    MPI.COMM_WORLD.Send(message, 0, 1, MPI.INT, 0, what);
    MPI.COMM_WORLD.Recv(message, 0, 1, MPI.INT, 0, ANSWER);
    return message[0];
  }
}
