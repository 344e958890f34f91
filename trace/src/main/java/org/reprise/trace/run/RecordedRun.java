package org.reprise.trace.run;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.reprise.trace.Counted;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.UserError;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.RunFile;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.NumberedOutcome;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.Outcome;

/**
 * A run that has ended and left something: its description and the headers of its ranks, which
 * agree with each other. The command may have crashed, and the recorder may have been killed.
 */
public record RecordedRun(
    RunDirectory directory, RunDescription description, SortedMap<Rank, RankHeader> headers) {
  /** Calls by which processes outside MPI_COMM_WORLD become sources. */
  private static final List<String> CALLS_THAT_ADD_PROCESSES =
      List.of("Comm_spawn", "Comm_spawn_multiple", "Comm_accept", "Comm_connect", "Comm_join");

  public RecordedRun {
    headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
  }

  public static RecordedRun open(RunDirectory directory) {
    LiveRecorder.of(directory)
        .ifPresent(
            pid -> {
              throw beingRecorded(directory, pid);
            });
    RunDescription description = directory.description();
    if (!Wire.reads(description.wireVersion())) {
      throw new TraceError(
          directory.name()
              + " was written by trace format "
              + description.wireVersion()
              + "; this Reprise reads "
              + Wire.READS,
          "recorded by Reprise " + description.repriseVersion(),
          "use that Reprise, or record again");
    }
    SortedMap<Rank, RankHeader> headers = new TreeMap<>();
    boolean recorderKilled = description.ending() instanceof Ending.Unfinished;
    for (Rank rank : directory.ranks()) {
      if (!recorderKilled || RunDirectory.isBegun(directory.orderFile(rank))) {
        headers.put(rank, directory.header(rank));
      }
    }
    RecordedRun run = new RecordedRun(directory, description, headers);
    run.requireAllRanks();
    if (headers.isEmpty()) {
      throw nothingLeft(directory, description);
    }
    run.requireOneJob();
    run.requireCallNames();
    return run;
  }

  /**
   * What tells this recording from every other one: a SHA-256 of the headers of its ranks' order
   * files. They hold when and where the rank began, how much it recorded, and a hash over the order
   * of its messages. What the files hold besides is not read here: it may be endless in a run that
   * somebody else made.
   */
  public String identity() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      headers.values().forEach(header -> digest.update(header.toArray()));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether it holds no more than a replay must force. */
  boolean isDistilled() {
    return description.distilledFrom().isPresent();
  }

  static UserError beingRecorded(RunDirectory directory, long pid) {
    return new UserError(
        directory.name() + " is still being recorded",
        "process " + pid + " writes it",
        "wait until it ends, or end that process");
  }

  private static UserError nothingLeft(RunDirectory directory, RunDescription description) {
    if (description.ending() instanceof Ending.Unfinished) {
      return new UserError(
          "the recording of " + directory.name() + " never finished",
          "the recorder is gone, and no rank left a trace",
          "record again; reprise rm " + directory.path() + " removes the rest");
    }
    return new UserError(
        directory.name() + " has zero ranks",
        "the command "
            + description.ending().inWords()
            + ", and no call of MPI was seen: no rank left a trace",
        "see why with reprise show " + directory.path() + ", then record again");
  }

  /** What the run had when it ended must still be there: without it, it is another run. */
  private void requireAllRanks() {
    for (RunDescription.RankEnd end : description.rankEnds()) {
      if (!headers.containsKey(end.rank())) {
        throw missing(
            "no rank-%d.order, which was there when the run ended".formatted(end.rank().number()));
      }
    }
  }

  private void requireOneJob() {
    int ranks = ranks();
    headers.forEach(
        (rank, header) -> {
          if (header.ranks() != ranks) {
            throw TraceError.damaged(
                directory.orderFile(rank),
                HeaderField.RANKS.offset,
                "a job of " + Counted.of(header.ranks(), "rank") + " beside one of " + ranks);
          }
        });
    // A rank of an MPI may be killed before it has a file; the engine gives one to all at once.
    if (description.mpi().family().ranksShareAProcess() && headers.size() < ranks) {
      throw missing(headers.size() + " of " + ranks + " ranks have one");
    }
  }

  /** What a rank did is told by the names of its calls: there must be one for each that it made. */
  private void requireCallNames() {
    int names = description.callNames().size();
    headers.forEach(
        (rank, header) -> {
          for (int call = names; call < Wire.CALLS_MAX; call++) {
            if (header.callCount(call) > 0) {
              throw unnamed(rank, call);
            }
          }
        });
  }

  private TraceError unnamed(Rank rank, int call) {
    return new TraceError(
        directory.descriptionFile() + " is damaged",
        "field \"callNames\" has %d names, but %s made call number %d"
            .formatted(description.callNames().size(), rank, call),
        TraceError.RECORD_AGAIN);
  }

  /**
   * The name of a call that an event of a rank names by its number, without MPI_.
   *
   * @throws TraceError if the run has no name for it
   */
  public String callName(Rank rank, int call) {
    if (call < 0 || call >= description.callNames().size()) {
      throw unnamed(rank, call);
    }
    return description.callNames().get(call);
  }

  private TraceError missing(String found) {
    return new TraceError(
        "files of " + directory.name() + " are missing",
        found,
        "copy the whole run again, or record again");
  }

  /** The size of MPI_COMM_WORLD, whether or not every rank left a file. */
  public int ranks() {
    return header(headers.firstKey()).ranks();
  }

  /** The ranks that left a file. */
  public List<Rank> ranksPresent() {
    return List.copyOf(headers.keySet());
  }

  public RankHeader header(Rank rank) {
    RankHeader header = headers.get(rank);
    if (header == null) {
      throw new IllegalArgumentException(rank + " left no file in " + directory.path());
    }
    return header;
  }

  /** Reads every file to its end, so that damage is met now and not inside a running job. */
  public void verify() {
    boolean sourcesAreRanks = !processesWereAdded();
    headers.forEach(
        (rank, _) -> {
          try (OrderReader order = directory.openOrder(rank)) {
            while (order.hasNext()) {
              NumberedOutcome next = order.next();
              if (sourcesAreRanks && source(next.outcome()) >= ranks()) {
                throw TraceError.damaged(
                    directory.orderFile(rank),
                    next.offset(),
                    "source "
                        + source(next.outcome())
                        + " in a job of "
                        + Counted.of(ranks(), "rank"));
              }
            }
          }
          directory
              .openInputs(rank)
              .ifPresent(
                  inputs -> {
                    try (inputs) {
                      inputs.forEachRemaining(_ -> {});
                    }
                  });
        });
    verifyInput();
  }

  /** A program that gets less to read than it got would leave the order for that reason. */
  private void verifyInput() {
    Path input = directory.stdinFile();
    if (!description.stdinKept()) {
      return;
    }
    if (!RunFile.isThere(input)) {
      throw missing("no " + input.getFileName() + ", which was kept");
    }
    try {
      long there = RunFile.size(input);
      long kept = description.stdinBytes().orElse(there);
      if (there > kept) {
        throw new TraceError(
            input + " is longer than what was kept",
            Counted.of(there, "byte") + " instead of " + kept,
            "copy the whole run again, or record again");
      }
      if (there < kept) {
        throw new TraceError(
            input + " is cut short",
            there + " of " + Counted.of(kept, "byte") + " that the program was given to read",
            "copy the whole run again, or record again");
      }
    } catch (IOException e) {
      throw TraceError.unreadable(input, e);
    }
  }

  /**
   * Ranks whose inputs were to be recorded and are not there: the disk was full, the rank was
   * killed before it had begun, or somebody removed the file. The engine makes it for the first
   * input only, so there nobody can tell.
   */
  public List<Rank> withoutInputs() {
    if (!description.inputs() || description.mpi().family().ranksShareAProcess()) {
      return List.of();
    }
    return headers.keySet().stream()
        .filter(rank -> !RunFile.isThere(directory.inputsFile(rank)))
        .toList();
  }

  /** Whether ranks may have got messages of processes outside MPI_COMM_WORLD. */
  public boolean processesWereAdded() {
    List<String> names = description.callNames();
    return CALLS_THAT_ADD_PROCESSES.stream()
        .mapToInt(names::indexOf)
        .anyMatch(call -> headers.values().stream().anyMatch(h -> h.callCount(call) > 0));
  }

  private static int source(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Recv(int source, _) -> source;
      case Outcome.Probe(int source, _) -> source;
      case Outcome.Post(_, int source, _) -> source;
      case Outcome.Found(int source, _) -> source;
      default -> 0;
    };
  }
}
