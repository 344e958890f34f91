package org.reprise.ranks.fabric;

import org.jspecify.annotations.Nullable;

/**
 * How two contributions become one. It is given runs of whole payloads, never single elements, and
 * always in the order of the ranks: {@code accumulated} comes from lower ranks than {@code next}.
 */
public interface Reduction {
  /** Puts {@code accumulated (op) next} into the elements of {@code accumulated}. */
  void combine(Payload accumulated, Payload next);

  /** The operation of MPI's own that this is, without {@code MPI_} (SUM, MAXLOC); null if none. */
  default @Nullable String predefined() {
    return null;
  }

  default boolean commutes() {
    return true;
  }
}
