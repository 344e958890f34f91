package org.reprise.trace.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.reprise.trace.Counted;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.UserError;
import org.reprise.trace.events.CallSites;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.RecordBytes;
import org.reprise.trace.file.RunFile;
import org.reprise.trace.file.Wire;
import org.reprise.trace.inputs.InputsReader;
import org.reprise.trace.order.OrderReader;

/** The directory of one run, and what lies where in it. */
public record RunDirectory(Path path) implements RankRecords {
  /** What helps where there is no room for a run. */
  public static final String ROOM_FIX =
      "make room there, or keep runs elsewhere, with -o DIR or REPRISE_HOME";

  private static final String UNWRITTEN = ".full";

  private static final Pattern ORDER_FILE = Pattern.compile("rank-(0|[1-9][0-9]{0,8})\\.order");
  private static final Pattern OWN_FILE =
      Pattern.compile(
          "((run|events)\\.json|seal)(\\.new)?|stdin|program|read-files|live\\.(lock|text)(\\.new)?"
              + "|(rank|kept|replay)-.*");

  public RunDirectory {
    path = path.toAbsolutePath().normalize();
  }

  public String name() {
    return String.valueOf(path.getFileName());
  }

  public Path orderFile(Rank rank) {
    return path.resolve("rank-" + rank.number() + ".order");
  }

  public Path inputsFile(Rank rank) {
    return path.resolve("rank-" + rank.number() + ".inputs");
  }

  /**
   * What a rank read from clocks and random sources. Empty if nothing was recorded, or if the rank
   * was killed before it gave the file a header.
   */
  public Optional<InputsReader> openInputs(Rank rank) {
    Path file = inputsFile(rank);
    boolean none =
        !RunFile.isThere(file) || (!isBegun(file) && header(rank).state() == Wire.State.RUNNING);
    return none ? Optional.empty() : Optional.of(InputsReader.open(file));
  }

  /**
   * Whether a rank came so far as to give its file a header. The recorder removes the order files
   * of ranks that were killed before, unless it was killed with them.
   */
  static boolean isBegun(Path file) {
    try (InputStream in = RunFile.stream(file)) {
      for (byte b : in.readNBytes(Wire.MAGIC.length())) {
        if (b != 0) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw RunFile.unreadable(file, e);
    }
  }

  /** The full events of a rank, where they were asked for. */
  public Path eventsFile(Rank rank) {
    return path.resolve("rank-" + rank.number() + ".events");
  }

  /** Events of a rank of a live recording that its ring had no room for; its header in any case. */
  public Path liveFile(Rank rank) {
    return path.resolve("rank-" + rank.number() + ".live");
  }

  /** The ring in which a rank of a live recording puts its events. */
  public Path ringFile(Rank rank) {
    return path.resolve("rank-" + rank.number() + ".ring");
  }

  /** Locked as long as somebody takes the events of a live recording. */
  public Path liveLockFile() {
    return path.resolve("live.lock");
  }

  /** What whoever takes the events of a live recording has found so far, in words. */
  public Path liveTextFile() {
    return path.resolve("live.text");
  }

  /** Where a rank of a replay writes its stack when it is asked for it. */
  public Path whereFile(Rank rank) {
    return path.resolve("rank-" + rank.number() + ".where");
  }

  /** Where a rank that is watched writes what it has sent and taken, and what it waits for. */
  public Path waitsFile(Rank rank) {
    return path.resolve("rank-" + rank.number() + ".waits");
  }

  /** What the call sites are that a rank's events name by number. */
  public Path sitesFile(Rank rank) {
    return path.resolve("rank-" + rank.number() + ".sites");
  }

  /** What the events of all ranks belong to, and where they end. */
  public Path eventsManifestFile() {
    return path.resolve("events.json");
  }

  public Path descriptionFile() {
    return path.resolve("run.json");
  }

  /** What the recorded command read from its standard input, if that was kept. */
  public Path stdinFile() {
    return path.resolve("stdin");
  }

  /** Which files the recorded program read, and how they are known again. */
  public Path readFilesFile() {
    return path.resolve("read-files");
  }

  /** What {@link RunSeal} knows the user's own runs by. */
  Path sealFile() {
    return path.resolve("seal");
  }

  /** Whether this entry of a run directory is one that Reprise or the interposer made. */
  static boolean isOwnFile(Path entry) {
    return OWN_FILE.matcher(String.valueOf(entry.getFileName())).matches();
  }

  /** Whether this rank found no room for its order file, and could still say so. */
  public boolean isUnwritten(Rank rank) {
    return Files.exists(path.resolve("rank-" + rank.number() + UNWRITTEN));
  }

  /** Whether any rank found no room for its order file. */
  public boolean hasUnwrittenRank() {
    try (Stream<Path> files = Files.list(path)) {
      return files.anyMatch(file -> file.toString().endsWith(UNWRITTEN));
    } catch (IOException e) {
      throw TraceError.unreadable(path, e);
    }
  }

  /** Reads run.json; a {@link TraceError} if it is missing, damaged or of another version. */
  public RunDescription description() {
    return RunJson.read(descriptionFile());
  }

  /** The same, if it can be read. */
  public Optional<RunDescription> descriptionIfReadable() {
    try {
      return Optional.of(description());
    } catch (TraceError e) {
      return Optional.empty();
    }
  }

  /** Whether the command ended, and not well; or was never seen to end and ends no more. */
  public boolean hasFailed() {
    return descriptionIfReadable()
        .filter(known -> !known.ending().isSuccess() && LiveRecorder.of(this).isEmpty())
        .isPresent();
  }

  /**
   * Replaces run.json in one step: whoever reads it sees the old or the new one. If there is no
   * room for the new one, the old one stays.
   */
  public void describe(RunDescription description) {
    Path fresh = path.resolve("run.json.new");
    try {
      PrivateFiles.createFile(fresh);
      Files.write(fresh, RunJson.write(description));
      Files.move(fresh, descriptionFile(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      PrivateFiles.removeQuietly(fresh);
      throw new UserError("cannot write " + descriptionFile(), PrivateFiles.reason(e), ROOM_FIX);
    }
  }

  /**
   * The ranks that left an order file, in rising order. A rank may be missing: the job can die
   * before the rank leaves MPI_Init.
   */
  public List<Rank> ranks() {
    List<Rank> ranks = new ArrayList<>();
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Matcher name = ORDER_FILE.matcher(String.valueOf(file.getFileName()));
        if (name.matches()) {
          ranks.add(new Rank(Integer.parseInt(name.group(1))));
        }
      }
    } catch (IOException e) {
      throw TraceError.unreadable(path, e);
    }
    ranks.sort(null);
    return ranks;
  }

  /** Opens a rank's order file; its header must name the same rank. */
  @Override
  public OrderReader openOrder(Rank rank) {
    OrderReader reader = OrderReader.open(orderFile(rank));
    Rank claimed = reader.header().rank();
    if (!claimed.equals(rank)) {
      reader.close();
      throw TraceError.damaged(
          orderFile(rank), HeaderField.RANK.offset, "the file of " + claimed + " by its header");
    }
    return reader;
  }

  @Override
  public boolean hasEvents(Rank rank) {
    return Files.exists(eventsFile(rank));
  }

  /** Opens a rank's events file; its header must name the same rank. */
  @Override
  public EventReader openEvents(Rank rank) {
    EventReader reader = EventReader.open(eventsFile(rank));
    Rank claimed = reader.header().rank();
    if (!claimed.equals(rank)) {
      reader.close();
      throw TraceError.damaged(
          eventsFile(rank), HeaderField.RANK.offset, "the file of " + claimed + " by its header");
    }
    try {
      requireOwn(rank, eventsFile(rank), reader.header());
    } catch (TraceError e) {
      reader.close();
      throw e;
    }
    return reader;
  }

  /** Takes the events of a rank of a live recording; nobody else can read them any more. */
  public EventReader takeEvents(Rank rank) {
    return EventReader.take(liveFile(rank));
  }

  /** The call sites of a rank's events; none if there is no file of them. */
  @Override
  public CallSites sites(Rank rank) {
    Path file = sitesFile(rank);
    if (RunFile.isThere(file)) {
      try (RecordBytes bytes = RecordBytes.open(file, Wire.FileKind.SITES)) {
        requireOwn(rank, file, bytes.header());
      }
    }
    return CallSites.read(file);
  }

  /**
   * Writes into the events of a rank that they belong to this run, so that they are not taken for
   * those of another one.
   */
  public void claimEvents(Rank rank) {
    // A replay may have more ranks than left an order file.
    if (!Files.exists(orderFile(rank)) || !Files.exists(eventsFile(rank))) {
      return;
    }
    long start = header(rank).get(HeaderField.START_NANOS);
    for (Path file : List.of(eventsFile(rank), sitesFile(rank))) {
      try (FileChannel channel = RunFile.openToChange(file)) {
        ByteBuffer field = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        channel.write(field.putLong(0, start), HeaderField.ORDER_START_NANOS.offset);
      } catch (NoSuchFileException e) {
        // Events without call sites: the rank could not write these.
      } catch (IOException e) {
        throw new UserError("cannot write " + file, PrivateFiles.reason(e), ROOM_FIX);
      }
    }
  }

  private void requireOwn(Rank rank, Path file, RankHeader header) {
    RankHeader order = header(rank);
    long claimed = header.get(HeaderField.ORDER_START_NANOS);
    boolean own = claimed == 0 || claimed == order.get(HeaderField.START_NANOS);
    if (header.ranks() != order.ranks() || !own) {
      throw new TraceError(
          file + " does not belong to this run",
          own
              ? "rank %d of %d in a run of %s"
                  .formatted(rank.number(), header.ranks(), Counted.of(order.ranks(), "rank"))
              : "its header names another run of the program, or a run of another one",
          TraceError.fix(file));
    }
  }

  /** The size of the job as its first rank with a readable file knows it; 0 if there is none. */
  public int jobSize() {
    for (Rank rank : ranks()) {
      try {
        return header(rank).ranks();
      } catch (TraceError unreadable) {
        // The rank was killed while it made the file; others may have got further.
      }
    }
    return 0;
  }

  /** The header of a rank's order file as it is now. */
  public RankHeader header(Rank rank) {
    try (OrderReader reader = openOrder(rank)) {
      return reader.header();
    }
  }
}
