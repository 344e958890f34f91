package org.reprise.causality;

/**
 * One statement of a small program. {@code peer} and {@code tag} may be ANY for receives and
 * probes, and {@code peer} may be LAST: the source of the message that the rank got last.
 */
record Step(Op op, int peer, int tag, boolean sync, int request) {
  static final int ANY = -1;
  static final int LAST = -2;

  /** What a statement does. */
  enum Op {
    SEND,
    ISEND,
    RECV,
    IRECV,
    WAIT,
    PROBE,
    /** May fail, whatever was sent. Only the engine's programs poll. */
    IPROBE,
    /** May fail like it; the request may be waited for or tested again. */
    TEST,
    BARRIER,
    BCAST,
    REDUCE,
    /** Passes over the next {@code request} statements unless the last source was {@code peer}. */
    UNLESS,
    /** The rank ends the program. Only the engine's programs abort. */
    ABORT
  }

  static Step send(int to, int tag) {
    return new Step(Op.SEND, to, tag, false, 0);
  }

  static Step ssend(int to, int tag) {
    return new Step(Op.SEND, to, tag, true, 0);
  }

  static Step isend(int to, int tag, boolean sync, int request) {
    return new Step(Op.ISEND, to, tag, sync, request);
  }

  static Step recv(int from, int tag) {
    return new Step(Op.RECV, from, tag, false, 0);
  }

  static Step irecv(int from, int tag, int request) {
    return new Step(Op.IRECV, from, tag, false, request);
  }

  static Step await(int request) {
    return new Step(Op.WAIT, 0, 0, false, request);
  }

  static Step probe(int from, int tag) {
    return new Step(Op.PROBE, from, tag, false, 0);
  }

  static Step iprobe(int from, int tag) {
    return new Step(Op.IPROBE, from, tag, false, 0);
  }

  static Step test(int request) {
    return new Step(Op.TEST, 0, 0, false, request);
  }

  static Step barrier() {
    return new Step(Op.BARRIER, 0, 0, false, 0);
  }

  static Step bcast(int root) {
    return new Step(Op.BCAST, root, 0, false, 0);
  }

  static Step reduce(int root) {
    return new Step(Op.REDUCE, root, 0, false, 0);
  }

  static Step unless(int source, int skipped) {
    return new Step(Op.UNLESS, source, 0, false, skipped);
  }

  static Step abort() {
    return new Step(Op.ABORT, 0, 0, false, 0);
  }

  @Override
  public String toString() {
    return switch (op) {
      case WAIT -> "wait(" + request + ")";
      case TEST -> "test(" + request + ")";
      case BARRIER -> "barrier()";
      case ABORT -> "abort()";
      case UNLESS -> "unless(" + peer + ", " + request + ")";
      case BCAST, REDUCE -> op.name().toLowerCase(java.util.Locale.ROOT) + "(" + peer + ")";
      case IRECV -> "irecv(" + peer + ", " + tag + ", " + request + ")";
      case ISEND -> "isend(" + peer + ", " + tag + ", " + sync + ", " + request + ")";
      default ->
          (sync ? "s" : "")
              + op.name().toLowerCase(java.util.Locale.ROOT)
              + "("
              + peer
              + ", "
              + tag
              + ")";
    };
  }
}
