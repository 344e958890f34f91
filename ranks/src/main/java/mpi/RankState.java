package mpi;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.Payload;

/**
 * What this package keeps for one rank. {@code MPI.COMM_WORLD} and its like are objects that all
 * ranks share, so whatever differs between ranks hangs on the fabric of the calling one.
 */
final class RankState {
  final Fabric fabric;

  /** The one that called Init. */
  private volatile long mainThread = -1;

  private volatile boolean initialized;
  private volatile boolean finalized;

  /** Bytes attached for buffered sends; none if negative. */
  volatile int attachedBytes = -1;

  /** The buffer itself, to be given back; nothing is ever put there. */
  volatile ByteBuffer attached;

  final Attributes attributes = new Attributes();

  volatile Errhandler errhandler = MPI.ERRORS_ARE_FATAL;

  private RankState(Fabric fabric) {
    this.fabric = fabric;
  }

  /** The calling rank's, whether or not it has called Init. */
  static RankState current(String call) {
    try {
      return (RankState) CurrentRank.kept(RankState::new);
    } catch (FabricError e) {
      throw Misuse.error(call, "called by a thread that belongs to no rank: ", threadName());
    }
  }

  /** The calling rank's, which must be between Init and Finalize. */
  static RankState active(String call) {
    RankState state = current(call);
    if (!state.initialized) {
      throw Misuse.error(call, "called before MPI.Init", "");
    }
    if (state.finalized) {
      throw Misuse.error(call, "called after MPI.Finalize", "");
    }
    return state;
  }

  static Optional<RankState> ifAny() {
    return CurrentRank.isKnown() ? Optional.of(current("")) : Optional.empty();
  }

  int worldRank() {
    return fabric.world().rank();
  }

  boolean isInitialized() {
    return initialized && !finalized;
  }

  boolean isFinalized() {
    return finalized;
  }

  boolean isMainThread() {
    return Thread.currentThread().threadId() == mainThread;
  }

  void begin() {
    Misuse.unless(!finalized, "Init", "called after MPI.Finalize", "");
    Misuse.unless(!initialized, "Init", "called twice", "");
    fabric.init();
    mainThread = Thread.currentThread().threadId();
    initialized = true;
  }

  void end() {
    Fabric.Leftovers left = fabric.finish();
    finalized = true;
    if (left.messagesNotReceived() > 0) {
      warn("messages were sent to this rank and never received: " + left.messagesNotReceived());
    }
    if (left.operationsPending() > 0) {
      warn("requests were started and never completed: " + left.operationsPending());
    }
  }

  /** A buffered send needs room for its message; how full the buffer is, the fabric knows. */
  void requireAttached(String call, Payload payload) {
    Misuse.unless(attachedBytes >= 0, call, "no buffer was attached with MPI.Buffer_attach", "");
    Misuse.unless(
        payload.bytes() <= attachedBytes,
        call,
        "the message does not fit into the " + attachedBytes + " bytes attached: ",
        payload.bytes());
  }

  private void warn(String what) {
    fabric.warn(Misuse.where() + "Finalize: " + what);
  }

  private static String threadName() {
    return Thread.currentThread().getName();
  }
}
