package mpi;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.reprise.ranks.CompletionMode;
import org.reprise.ranks.CurrentRank;
import org.reprise.ranks.Fabric;
import org.reprise.ranks.FabricError;
import org.reprise.ranks.Operation;
import org.reprise.ranks.Payload;

/** A send or receive that was started and is completed by Wait, Test or their like. */
@SuppressWarnings("MemberName")
public class Request {
  /** What a request does when it is started: known when it is made, for each start the same. */
  abstract static class Plan {
    final String call;
    final Fabric fabric;

    /** Where a receive puts its message; null of a send. */
    final Area arrival;

    Plan(String call, Fabric fabric, Area arrival) {
      this.call = call;
      this.fabric = fabric;
      this.arrival = arrival;
    }

    abstract Started start();

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
      throw Misuse.error(plan.call, e.getMessage(), "");
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
    return complete("Wait", CompletionMode.WAIT, this) == null ? null : finish();
  }

  /** Null if it is not complete yet. */
  public Status Test() throws MPIException {
    return complete("Test", CompletionMode.TEST, this) == null ? null : finish();
  }

  /** Null if none is complete yet or none is active. */
  public static Status Testany(Request[] requests) throws MPIException {
    int[] which = complete("Testany", CompletionMode.TEST_ANY, requests);
    return which == null || which.length == 0 ? null : requests[which[0]].finish().at(which[0]);
  }

  /** Its index is MPI.UNDEFINED if none was active. */
  public static Status Waitany(Request[] requests) throws MPIException {
    int[] which = complete("Waitany", CompletionMode.WAIT_ANY, requests);
    return which.length == 0
        ? new Status().at(MPI.UNDEFINED)
        : requests[which[0]].finish().at(which[0]);
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
      throw Misuse.error(call, e.getMessage(), "");
    }
  }

  /** Puts the message of a completed receive where the program wants it. */
  private Status finish() {
    if (!isActive()) {
      return new Status();
    }
    Started done = started;
    started = null;
    return plan.arrival == null
        ? Status.of(done.operation.received(), 0)
        : plan.arrival.accept(done.operation.received(), done.room);
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
