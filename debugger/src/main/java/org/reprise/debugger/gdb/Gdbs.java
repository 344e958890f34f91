package org.reprise.debugger.gdb;

import java.util.Set;
import org.reprise.debugger.hold.Bell;
import org.reprise.debugger.source.SourceDebugger;
import org.reprise.debugger.source.SourceDebuggers;

/** The gdbs of a job whose ranks are processes. */
public final class Gdbs extends SourceDebuggers {
  private final Bell bell;
  private final Set<Integer> crashed;

  /**
   * No gdb yet.
   *
   * @param crashed ranks that a signal will end: gdb is to be there when it does
   */
  public Gdbs(Bell bell, Set<Integer> crashed) {
    this.bell = bell;
    this.crashed = Set.copyOf(crashed);
  }

  @Override
  public String name() {
    return "gdb";
  }

  @Override
  protected SourceDebugger open(int rank, long process) {
    return Gdb.attach(process, bell);
  }

  @Override
  protected Set<Integer> watchedFromTheStart() {
    return crashed;
  }
}
