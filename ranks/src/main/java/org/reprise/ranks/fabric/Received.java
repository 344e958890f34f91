package org.reprise.ranks.fabric;

import org.jspecify.annotations.Nullable;

/**
 * What an operation or a probe came to: MPI's status.
 *
 * @param source rank in the communicator (in the remote group of an intercommunicator); of a send
 *     {@link Fabric#ANY_SOURCE}; {@link Fabric#PROC_NULL} of a receive from nobody
 * @param tag of the message; of a send {@link Fabric#ANY_TAG}
 * @param type of the elements as they were sent
 * @param count of elements of that type
 * @param cancelled whether the operation was cancelled before it took part in a message
 * @param payload the message's elements if the receive gave no room for them; otherwise null
 */
public record Received(
    int source, int tag, BasicType type, int count, boolean cancelled, @Nullable Payload payload) {
  /** Of a receive from, or a probe for, nobody. */
  public static final Received NOBODY =
      new Received(Fabric.PROC_NULL, Fabric.ANY_TAG, BasicType.BYTE, 0, false, null);

  /** Of a completed send, and of a request that is not active. */
  public static final Received NOTHING =
      new Received(Fabric.ANY_SOURCE, Fabric.ANY_TAG, BasicType.BYTE, 0, false, null);

  /** Of a cancelled operation. */
  public static final Received CANCELLED =
      new Received(Fabric.ANY_SOURCE, Fabric.ANY_TAG, BasicType.BYTE, 0, true, null);

  /** Size in bytes, as C counts it. */
  public long bytes() {
    return (long) count * type.bytes();
  }
}
