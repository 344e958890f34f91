package org.reprise.trace.run;

import org.reprise.trace.Rank;
import org.reprise.trace.events.CallSites;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.order.OrderReader;

/** What the ranks of an execution recorded, be it in files or not. */
public interface RankRecords {
  /** The outcomes of a rank that left some. */
  OrderReader openOrder(Rank rank);

  /** Whether there are events of a rank. */
  boolean hasEvents(Rank rank);

  /** The events of a rank that left some. */
  EventReader openEvents(Rank rank);

  /** The call sites of a rank's events; none if nothing is known of them. */
  CallSites sites(Rank rank);
}
