package org.reprise.ranks.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What comes of a call that leaves something open. Matches that it needs have been made.
 *
 * @param indices of the operations that a completion call reports; null: a poll fails
 * @param seen the message that a probe sees
 */
public record Decision(@Nullable List<Integer> indices, @Nullable Message seen) {
  public static final Decision FAILS = new Decision(null, null);
}
