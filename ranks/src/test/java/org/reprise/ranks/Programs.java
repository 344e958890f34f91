package org.reprise.ranks;

import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.fabric.Reduction;
import org.reprise.ranks.fabric.SendMode;

/** Short forms in which tests write rank programs. */
public final class Programs {
  static final Reduction SUM =
      (accumulated, next) -> {
        int[] into = (int[]) accumulated.array();
        int[] from = (int[]) next.array();
        for (int i = 0; i < accumulated.count(); i++) {
          into[accumulated.offset() + i] += from[next.offset() + i];
        }
      };

  static Fabric mpi() {
    return CurrentRank.fabric();
  }

  public static Payload ints(int... values) {
    return new Payload(BasicType.INT, values, 0, values.length);
  }

  static void send(int dest, int tag, int... values) {
    mpi().send(mpi().world(), dest, tag, ints(values), SendMode.STANDARD);
  }

  static void ssend(int dest, int tag, int... values) {
    mpi().send(mpi().world(), dest, tag, ints(values), SendMode.SYNCHRONOUS);
  }

  static Operation isend(int dest, int tag, int... values) {
    return mpi().startSend(mpi().world(), dest, tag, ints(values), SendMode.STANDARD);
  }

  static Received recv(int source, int tag) {
    return mpi().receive(mpi().world(), source, tag, null);
  }

  static Received recv() {
    return recv(Fabric.ANY_SOURCE, Fabric.ANY_TAG);
  }

  static int value(Received message) {
    Payload payload = message.payload();
    if (payload == null) {
      throw new AssertionError("no payload");
    }
    return ((int[]) payload.array())[payload.offset()];
  }

  static Operation irecv(int source, int tag) {
    return mpi().startReceive(mpi().world(), source, tag, null);
  }

  static int @Nullable [] complete(CompletionMode mode, Operation... operations) {
    return mpi().complete(operations, mode);
  }

  static void barrier() {
    mpi().collective(mpi().world(), CollectiveCall.barrier());
  }

  private Programs() {}
}
