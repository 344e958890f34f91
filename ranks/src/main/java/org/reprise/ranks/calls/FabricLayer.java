package org.reprise.ranks.calls;

import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.Fabric;

/** A fabric in front of another one: passes on what is no call of its program's. */
abstract class FabricLayer implements Fabric {
  private final Fabric below;

  FabricLayer(Fabric below) {
    this.below = below;
  }

  @Override
  public final Communicator world() {
    return below.world();
  }

  @Override
  public final Communicator self() {
    return below.self();
  }

  @Override
  public final boolean anyThread() {
    return below.anyThread();
  }

  @Override
  public final String processorName() {
    return below.processorName();
  }

  @Override
  public double wtime() {
    return below.wtime();
  }

  @Override
  public void warn(String text) {
    below.warn(text);
  }
}
