package mpi;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Payload;

/** An operation that was started and is completed by Wait, Test or their like. */
@SuppressWarnings("MemberName")
public class Request implements Freeable {
  /** What a request does when it is started: known when it is made, for each start the same. */
  abstract static class Plan {
    final String call;
    final Fabric fabric;

    Plan(String call, Fabric fabric) {
      this.call = call;
      this.fabric = fabric;
    }

    abstract Started start();

    /** Puts what a completed operation brought where the program wants it. */
    Status finish(Started done) {
      return Status.of(done.operation.received(), 0);
    }

    Request started() {
      Request request = new Request(this);
      request.begin();
      return request;
    }
  }

  /** One start: the operation, and where the message arrives if not in the program's array. */
  record Started(Operation operation, Payload room) {}

  /** Null of MPI.REQUEST_NULL. */
  private final Plan plan;

  /** Null while the request is not active. */
  private Started started;

  /** MPI.REQUEST_NULL. */
  Request() {
    this(null);
  }

  Request(Plan plan) {
    this.plan = plan;
  }

  final void begin() {
    try {
      started = plan.start();
    } catch (FabricError e) {
      throw Misuse.error(plan.call, e);
    }
  }

  final boolean isActive() {
    return started != null;
  }

  @SuppressWarnings("ReferenceEquality") // A rank has one fabric.
  final void requireOwn(String call) {
    if (plan != null && plan.fabric != CurrentRank.fabric()) {
      throw Misuse.error(call, "the request belongs to another rank: ", plan.fabric.world().rank());
    }
  }

  public Status Wait() throws MPIException {
    complete("Wait", CompletionMode.WAIT, this);
    return finish();
  }

  /** Null if it is not complete yet. */
  public Status Test() throws MPIException {
    return tested("Test");
  }

  private Status tested(String call) {
    return complete(call, CompletionMode.TEST, this) == null ? null : finish();
  }

  /** Null if none is complete yet or none is active. */
  public static Status Testany(Request[] requests) throws MPIException {
    return any(requests, complete("Testany", CompletionMode.TEST_ANY, requests));
  }

  /** Its index is MPI.UNDEFINED if none was active. */
  public static Status Waitany(Request[] requests) throws MPIException {
    return orNone(any(requests, complete("Waitany", CompletionMode.WAIT_ANY, requests)));
  }

  public static Status[] Waitall(Request[] requests) throws MPIException {
    complete("Waitall", CompletionMode.WAIT_ALL, requests);
    return all(requests);
  }

  /** Null if not all are complete yet. */
  public static Status[] Testall(Request[] requests) throws MPIException {
    return complete("Testall", CompletionMode.TEST_ALL, requests) == null ? null : all(requests);
  }

  /** Empty if none was active. */
  public static Status[] Waitsome(Request[] requests) throws MPIException {
    return some(requests, complete("Waitsome", CompletionMode.WAIT_SOME, requests));
  }

  /** Empty if none is complete yet or none was active. */
  public static Status[] Testsome(Request[] requests) throws MPIException {
    return some(requests, complete("Testsome", CompletionMode.TEST_SOME, requests));
  }

  /** Asks for cancellation; the request is completed by Wait or Test all the same. */
  public void Cancel() throws MPIException {
    RankState state = RankState.active("Cancel");
    requireOwn("Cancel");
    Misuse.unless(isActive(), "Cancel", "the request is not active", "");
    Comm.telling(
        "Cancel",
        () -> {
          state.fabric.cancel(started.operation);
          return true;
        });
  }

  /** Whether there is nothing to wait for any more. */
  public boolean Is_null() throws MPIException {
    return !isActive();
  }

  // Open MPI's

  public Status waitStatus() throws MPIException {
    complete("waitStatus", CompletionMode.WAIT, this);
    return finish();
  }

  public void waitFor() throws MPIException {
    complete("waitFor", CompletionMode.WAIT, this);
    finish();
  }

  /** Null if it is not complete yet. */
  public Status testStatus() throws MPIException {
    return tested("testStatus");
  }

  public boolean test() throws MPIException {
    return tested("test") != null;
  }

  /** Its index is MPI.UNDEFINED if none was active. */
  public static Status waitAnyStatus(Request[] requests) throws MPIException {
    return orNone(any(requests, complete("waitAnyStatus", CompletionMode.WAIT_ANY, requests)));
  }

  /** MPI.UNDEFINED if none was active. */
  public static int waitAny(Request[] requests) throws MPIException {
    return orNone(any(requests, complete("waitAny", CompletionMode.WAIT_ANY, requests))).index;
  }

  /** Null if none is complete yet or none is active. */
  public static Status testAnyStatus(Request[] requests) throws MPIException {
    return any(requests, complete("testAnyStatus", CompletionMode.TEST_ANY, requests));
  }

  /** MPI.UNDEFINED if none is complete yet or none is active. */
  public static int testAny(Request[] requests) throws MPIException {
    return orNone(any(requests, complete("testAny", CompletionMode.TEST_ANY, requests))).index;
  }

  public static Status[] waitAllStatus(Request[] requests) throws MPIException {
    complete("waitAllStatus", CompletionMode.WAIT_ALL, requests);
    return all(requests);
  }

  public static void waitAll(Request[] requests) throws MPIException {
    complete("waitAll", CompletionMode.WAIT_ALL, requests);
    all(requests);
  }

  /** Null if not all are complete yet. */
  public static Status[] testAllStatus(Request[] requests) throws MPIException {
    return complete("testAllStatus", CompletionMode.TEST_ALL, requests) == null
        ? null
        : all(requests);
  }

  public static boolean testAll(Request[] requests) throws MPIException {
    boolean done = complete("testAll", CompletionMode.TEST_ALL, requests) != null;
    if (done) {
      all(requests);
    }
    return done;
  }

  /** Null if none was active. */
  public static Status[] waitSomeStatus(Request[] requests) throws MPIException {
    return orNull(some(requests, complete("waitSomeStatus", CompletionMode.WAIT_SOME, requests)));
  }

  /** Null if none was active. */
  public static int[] waitSome(Request[] requests) throws MPIException {
    return indices(
        orNull(some(requests, complete("waitSome", CompletionMode.WAIT_SOME, requests))));
  }

  /** Empty if none is complete yet, null if none was active. */
  public static Status[] testSomeStatus(Request[] requests) throws MPIException {
    int[] which = complete("testSomeStatus", CompletionMode.TEST_SOME, requests);
    return which == null ? new Status[0] : orNull(some(requests, which));
  }

  /** Empty if none is complete yet, null if none was active. */
  public static int[] testSome(Request[] requests) throws MPIException {
    int[] which = complete("testSome", CompletionMode.TEST_SOME, requests);
    return which == null ? new int[0] : indices(orNull(some(requests, which)));
  }

  public void cancel() throws MPIException {
    Cancel();
  }

  /** Lets go of it: the operation goes on, and nobody is told when it is done. */
  @Override
  public void free() throws MPIException {
    RankState state = RankState.active("free");
    requireOwn("free");
    if (isActive()) {
      Operation operation = started.operation;
      started = null;
      Comm.telling(
          "free",
          () -> {
            state.fabric.release(operation);
            return true;
          });
    }
  }

  /** Whether there is nothing that could be waited for, or started again. */
  public boolean isNull() {
    return !isActive();
  }

  /** Empty, so that the collector does not treat requests apart. */
  @Override
  @SuppressWarnings({"deprecation", "removal", "Finalize"})
  public void finalize() throws MPIException {}

  /** What {@link Fabric#complete} says of these requests. */
  private static int[] complete(String call, CompletionMode mode, Request... requests) {
    RankState state = RankState.active(call);
    Operation[] operations = new Operation[requests.length];
    for (int i = 0; i < requests.length; i++) {
      Request request = requests[i];
      if (request != null && request.isActive()) {
        request.requireOwn(call);
        operations[i] = request.started.operation;
      }
    }
    try {
      return state.fabric.complete(operations, mode);
    } catch (FabricError e) {
      throw Misuse.error(call, e);
    }
  }

  private Status finish() {
    if (!isActive()) {
      return new Status();
    }
    Started done = started;
    started = null;
    return plan.finish(done);
  }

  private static Status any(Request[] requests, int[] which) {
    return which == null || which.length == 0 ? null : requests[which[0]].finish().at(which[0]);
  }

  private static Status orNone(Status status) {
    return status == null ? new Status().at(MPI.UNDEFINED) : status;
  }

  private static Status[] orNull(Status[] some) {
    return some.length == 0 ? null : some;
  }

  private static int[] indices(Status[] some) {
    return some == null ? null : Arrays.stream(some).mapToInt(status -> status.index).toArray();
  }

  private static Status[] all(Request[] requests) {
    return IntStream.range(0, requests.length)
        .mapToObj(i -> requests[i] == null ? null : requests[i].finish().at(i))
        .toArray(Status[]::new);
  }

  private static Status[] some(Request[] requests, int[] which) {
    return which == null
        ? new Status[0]
        : Arrays.stream(which).mapToObj(i -> requests[i].finish().at(i)).toArray(Status[]::new);
  }
}
