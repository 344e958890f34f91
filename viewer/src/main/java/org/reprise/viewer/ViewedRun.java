package org.reprise.viewer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.reprise.causality.EventGraph;
import org.reprise.causality.races.Races;

/**
 * A run as the page shows it: its events and what follows from them.
 *
 * @param name of its directory, as commands take it
 * @param command what was run
 * @param ending how that ended, in words to stand behind "the command"
 * @param races the receives and probes that could have got another message
 * @param controlSet those that a replay must force
 * @param callNames by number of an MPI call: its name without {@code MPI_}
 * @param clocks the clocks of its ranks
 * @param cutShort ranks that did not come to {@code MPI_Finalize}, or whose events end before their
 *     recording does
 * @param notes what limits what can be said of it
 * @param roots directories that source files are looked for in
 * @param debuggable whether {@code reprise debug} can hold its ranks
 */
public record ViewedRun(
    String name,
    List<String> command,
    String ending,
    EventGraph graph,
    Races races,
    Races controlSet,
    List<String> callNames,
    Places places,
    RankClocks clocks,
    Set<Integer> cutShort,
    List<String> notes,
    List<Path> roots,
    boolean debuggable) {
  public ViewedRun {
    command = List.copyOf(command);
    callNames = List.copyOf(callNames);
    cutShort = Set.copyOf(cutShort);
    notes = List.copyOf(notes);
    roots = List.copyOf(roots);
  }

  /** The same run, of which something more is to be known. */
  public ViewedRun withNote(String note) {
    List<String> all = new ArrayList<>(notes);
    all.addFirst(note);
    return new ViewedRun(
        name,
        command,
        ending,
        graph,
        races,
        controlSet,
        callNames,
        places,
        clocks,
        cutShort,
        all,
        roots,
        debuggable);
  }

  /** The name of a call: {@code MPI_Recv}. */
  public String call(int event) {
    int call = graph.events().call(event);
    return call < callNames.size() ? "MPI_" + callNames.get(call) : "call " + call;
  }
}
