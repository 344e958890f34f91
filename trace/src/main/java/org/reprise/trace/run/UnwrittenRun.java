package org.reprise.trace.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.events.CallSites;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RankFiles;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.order.OrderReader;

/**
 * What the ranks of an execution left in memory, under the names that its files would have in the
 * directory of a run.
 */
public final class UnwrittenRun implements RankRecords {
  private static final RunDirectory NOWHERE = new RunDirectory(Path.of("/nowhere"));

  private final RankFiles.InMemory files;

  public UnwrittenRun(RankFiles.InMemory files) {
    this.files = files;
  }

  private byte[] contents(Path file) {
    return files
        .contents(name(file))
        .orElseThrow(() -> new IllegalArgumentException("no " + name(file) + " was written"));
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** The headers of its ranks' outcomes, of a job of so many. */
  public SortedMap<Rank, RankHeader> headers(int ranks) {
    SortedMap<Rank, RankHeader> headers = new TreeMap<>();
    for (int number = 0; number < ranks; number++) {
      Rank rank = new Rank(number);
      try (OrderReader order = openOrder(rank)) {
        headers.put(rank, order.header());
      }
    }
    return headers;
  }

  @Override
  public OrderReader openOrder(Rank rank) {
    Path file = NOWHERE.orderFile(rank);
    return OrderReader.of(contents(file), file);
  }

  @Override
  public boolean hasEvents(Rank rank) {
    return files.has(name(NOWHERE.eventsFile(rank)));
  }

  @Override
  public EventReader openEvents(Rank rank) {
    Path file = NOWHERE.eventsFile(rank);
    return EventReader.of(contents(file), file);
  }

  @Override
  public CallSites sites(Rank rank) {
    Path file = NOWHERE.sitesFile(rank);
    return files
        .contents(name(file))
        .map(contents -> CallSites.read(contents, file))
        .orElseGet(CallSites::none);
  }

  /** Writes the files of its ranks into the directory of a run. */
  public void writeInto(RunDirectory run) {
    try {
      files.writeInto(run.path());
    } catch (IOException e) {
      throw new UserError("a run cannot be written", PrivateFiles.reason(e), RunDirectory.ROOM_FIX);
    }
  }
}
