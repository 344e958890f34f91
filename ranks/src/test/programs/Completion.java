import mpi.*;

/** Each member of the Wait and Test families completes what it says. */
public class Completion {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int others = MPI.COMM_WORLD.Size() - 1;
    for (int way = 0; way < 7; way++) {
      if (me == 0) {
        int[] got = new int[others];
        Request[] requests = new Request[others];
        for (int i = 0; i < others; i++) {
          requests[i] = MPI.COMM_WORLD.Irecv(got, i, 1, MPI.INT, i + 1, way);
        }
        boolean[] seen = new boolean[others];
        int left = others;
        while (left > 0) {
          for (Status status : completed(way, requests)) {
            if (status != null) {
              check(!seen[status.index], "completed twice: " + status.index);
              check(status.source == status.index + 1, "source " + status.source);
              check(requests[status.index].Is_null(), "completed requests are null");
              seen[status.index] = true;
              left--;
            }
          }
        }
        for (int i = 0; i < others; i++) {
          check(got[i] == 100 * way + i + 1, "message " + i);
        }
      } else {
        MPI.COMM_WORLD.Send(new int[] {100 * way + me}, 0, 1, MPI.INT, 0, way);
      }
    }
    if (me == 0) {
      System.out.println("Completion: ok");
    }
    MPI.Finalize();
  }

  static Status[] completed(int way, Request[] requests) throws Exception {
    switch (way) {
      case 0:
        return new Status[] {Request.Waitany(requests)};
      case 1:
        return new Status[] {Request.Testany(requests)};
      case 2:
        return Request.Waitsome(requests);
      case 3:
        return Request.Testsome(requests);
      case 4:
        return numbered(Request.Waitall(requests));
      case 5:
        Status[] all = Request.Testall(requests);
        return all == null ? new Status[0] : numbered(all);
      default:
        for (int i = 0; i < requests.length; i++) {
          if (!requests[i].Is_null()) {
            Status status = requests[i].Test();
            if (status != null) {
              status.index = i;
              return new Status[] {status};
            }
          }
        }
        return new Status[0];
    }
  }

  static Status[] numbered(Status[] statuses) {
    for (int i = 0; i < statuses.length; i++) {
      statuses[i].index = i;
    }
    return statuses;
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
