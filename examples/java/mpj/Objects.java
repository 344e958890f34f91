import java.io.Serializable;
import mpi.*;

/** Orders are objects: whoever receives one gets a copy of its own. */
public class Objects {
  /** What is ordered. */
  private static class Order implements Serializable {
    private static final long serialVersionUID = 1;
    final String what;
    int pieces;

    Order(String what, int pieces) {
      this.what = what;
      this.pieces = pieces;
    }
  }

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    Order[] orders = new Order[size];
    if (rank == 0) {
      for (int i = 0; i < size; i++) {
        orders[i] = new Order("part " + i, 0);
      }
    }
    MPI.COMM_WORLD.Bcast(orders, 0, size, MPI.OBJECT, 0);
    orders[rank].pieces = 10 + rank;
    Object[] one = {orders[rank]};
    if (rank > 0) {
      MPI.COMM_WORLD.Send(one, 0, 1, MPI.OBJECT, 0, rank);
    } else {
      int pieces = orders[0].pieces;
      for (int i = 1; i < size; i++) {
        MPI.COMM_WORLD.Recv(one, 0, 1, MPI.OBJECT, i, i);
        Order order = (Order) one[0];
        pieces += order.what.equals("part " + i) ? order.pieces : 0;
      }
      System.out.println(pieces + " pieces; the master's own copies: " + orders[size - 1].pieces);
    }
    MPI.Finalize();
  }
}
