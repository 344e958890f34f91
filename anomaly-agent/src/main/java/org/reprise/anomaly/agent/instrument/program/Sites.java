package org.reprise.anomaly.agent.instrument.program;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.reprise.anomaly.agent.instrument.loop.Increments;

/** All sites of instrumented code by their number; numbers start at 1. */
public final class Sites {
  private final List<Site> sites = new ArrayList<>();
  private final List<Bundle> bundles = new ArrayList<>();
  private final BitSet increments = new BitSet();

  public synchronized int add(Site site) {
    sites.add(site);
    return sites.size();
  }

  public synchronized int add(Bundle bundle) {
    bundles.add(bundle);
    return Bundle.number(bundles.size() - 1);
  }

  /** The bundle with a number of which {@link Bundle#is} says that it is one's. */
  public synchronized Bundle bundle(int number) {
    return bundles.get(Bundle.index(number));
  }

  /** The site is a part of an increment, and of nothing else. */
  public synchronized void increments(int number) {
    increments.set(number);
  }

  /** Whether what happens there only adds a whole number to a field ({@link Increments}). */
  public synchronized boolean isIncrement(int number) {
    return increments.get(number);
  }

  public synchronized Site get(int number) {
    return sites.get(number - 1);
  }
}
