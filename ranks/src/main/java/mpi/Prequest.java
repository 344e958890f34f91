package mpi;

/** A send or receive that can be started again and again. */
@SuppressWarnings("MemberName")
public class Prequest extends Request {
  Prequest(Plan plan) {
    super(plan);
  }

  public void Start() throws MPIException {
    start("Start");
  }

  public static void Startall(Prequest[] requests) throws MPIException {
    for (Prequest request : requests) {
      request.start("Startall");
    }
  }

  private void start(String call) {
    RankState.active(call);
    requireOwn(call);
    Misuse.unless(!isActive(), call, "the request was started already", "");
    begin();
  }
}
