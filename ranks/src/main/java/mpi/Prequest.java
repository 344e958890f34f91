package mpi;

/** A send or receive that can be started again and again. */
@SuppressWarnings("MemberName")
public class Prequest extends Request {
  private boolean freed;

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

  public void start() throws MPIException {
    start("start");
  }

  public static void startAll(Prequest[] requests) throws MPIException {
    for (Prequest request : requests) {
      request.start("startAll");
    }
  }

  /** Never before it is freed: it can be started again. */
  @Override
  public boolean isNull() {
    return freed;
  }

  @Override
  public void free() throws MPIException {
    super.free();
    freed = true;
  }

  private void start(String call) {
    RankState.active(call);
    requireOwn(call);
    Misuse.unless(!isActive(), call, "the request was started already", "");
    begin();
  }
}
