package org.reprise.debugger.gdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.reprise.debugger.hold.Bell;
import org.reprise.debugger.source.SourceDebugger;
import org.reprise.debugger.source.SourceDebuggers;
import org.reprise.trace.UserError;

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
    requireNative(rank, process);
    return Gdb.attach(process, bell);
  }

  private static void requireNative(int rank, long process) {
    try {
      Path executable = Path.of("/proc", Long.toString(process), "exe").toRealPath();
      if (executable.endsWith("java")) {
        throw new UserError(
            "gdb cannot read the ranks of a Java program on an MPI",
            "rank " + rank + " is " + executable,
            "go by events, races and cuts; or record it on Reprise's own engine, which shows lines"
                + " and variables: reprise record -n 4 Program.java");
      }
    } catch (IOException e) {
      // It has ended, or is not ours to see: gdb says so.
    }
  }

  @Override
  protected Set<Integer> watchedFromTheStart() {
    return crashed;
  }
}
