package org.reprise.anomaly.agent.instrument;

import java.util.ArrayList;
import java.util.List;

/** All sites of instrumented code by their number; numbers start at 1. */
public final class Sites {
  private final List<Site> sites = new ArrayList<>();

  public synchronized int add(Site site) {
    sites.add(site);
    return sites.size();
  }

  public synchronized Site get(int number) {
    return sites.get(number - 1);
  }
}
