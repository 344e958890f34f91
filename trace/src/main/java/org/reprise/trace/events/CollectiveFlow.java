package org.reprise.trace.events;

/**
 * From whom a rank gets data in a collective, {@code enum reprise_flow} of reprise_wire.h. That is
 * all a collective orders: a Bcast's root may leave before the others come.
 */
public enum CollectiveFlow {
  NONE,
  ALL,
  FROM_ROOT,
  TO_ROOT,
  SCAN,
  LISTED,
  /** Like {@link #ALL}, but of an intercommunicator from both groups. */
  EVERYBODY
}
