package org.reprise.trace.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.RecordBytes;
import org.reprise.trace.file.RunFile;
import org.reprise.trace.file.Wire;
import org.reprise.trace.text.JsonObject;
import org.reprise.trace.text.JsonText;
import tools.jackson.core.JsonGenerator;

/**
 * {@code events.json}: which recording and program the events of a run belong to, how they came
 * about, and where those of each rank end. It is written last and removed first, so files of events
 * without it are of nobody knows what: a replay that was killed while it kept them, or an older
 * Reprise. Nothing is concluded from such files; they are learned again.
 *
 * @param recording {@link RecordedRun#identity} of the run they belong to
 * @param program SHA-256 of the program that made the calls; empty if it was not found
 */
public record EventsManifest(
    String recording, Optional<String> program, Origin origin, List<RankEvents> ranks) {
  static final int FORMAT = 1;

  /** How the events came about. */
  public enum Origin {
    /** The recording wrote them, and the recorder saw it end. */
    RECORDED,
    /** A replay wrote them that took the recorded order to its end. */
    SAME_ORDER,
    /** A replay wrote them up to where it left the recorded order. */
    DIVERGED,
    /** A replay wrote them up to where no rank could go on. */
    STUCK,
    /** A replay wrote them that ended before its recording did. */
    ENDED_EARLY,
    /** A replay wrote them that the user ended. */
    INTERRUPTED;

    /** Whether these are the events of the recording, as far as it goes. */
    public boolean isWhole() {
      return this == RECORDED || this == SAME_ORDER;
    }
  }

  /** Where the events of a rank end. */
  public enum End {
    /** Where its recording does. */
    WHOLE,
    /** Before: the replayed job ended as recorded, and that met this rank sooner. */
    ENDED_SOONER,
    /** Before: the file could not be written to the end, or not at all. */
    CUT_SHORT
  }

  /**
   * The events of one rank.
   *
   * @param records in its file of events
   * @param bytes that these take
   */
  public record RankEvents(Rank rank, long records, long bytes, End end) {}

  public EventsManifest {
    ranks = List.copyOf(ranks);
  }

  /**
   * What lies in a directory: that of the recording itself, or that of a replay.
   *
   * @param endedSooner ranks that the end of the replayed job met sooner than in the recording
   */
  public static EventsManifest of(
      RecordedRun run,
      RunDirectory directory,
      Origin origin,
      Optional<String> program,
      List<Rank> endedSooner) {
    // Ranks wait in MPI_Finalize for one that crashed, until the launcher ends them: by then their
    // recording is over, and their files of events stay open.
    boolean waited = run.ranksPresent().stream().anyMatch(rank -> !finalized(run, rank));
    List<RankEvents> ranks = new ArrayList<>();
    for (Rank rank : run.ranksPresent()) {
      Optional<RankHeader> events = header(directory, rank);
      boolean written =
          events.isPresent()
              && !events.get().has(Wire.Flag.DISK_FULL)
              && (waited || events.get().state() == Wire.State.FINALIZED);
      ranks.add(
          new RankEvents(
              rank,
              events.map(RankHeader::outcomes).orElse(0L),
              events.map(RankHeader::committed).orElse(0L),
              endedSooner.contains(rank) ? End.ENDED_SOONER : written ? End.WHOLE : End.CUT_SHORT));
    }
    return new EventsManifest(run.identity(), program, origin, ranks);
  }

  private static boolean finalized(RecordedRun run, Rank rank) {
    return run.header(rank).state() == Wire.State.FINALIZED;
  }

  private static Optional<RankHeader> header(RunDirectory directory, Rank rank) {
    Path file = directory.eventsFile(rank);
    if (!RunFile.isThere(file) || !RunDirectory.isBegun(file)) {
      return Optional.empty();
    }
    try (RecordBytes bytes = RecordBytes.open(file, Wire.FileKind.EVENTS)) {
      return Optional.of(bytes.header());
    }
  }

  /**
   * That of a run; empty if there is none that can be read, or if it describes another recording or
   * of other files than those that are there.
   */
  public static Optional<EventsManifest> of(RecordedRun run) {
    return read(run.directory().eventsManifestFile()).filter(manifest -> manifest.fits(run));
  }

  private boolean fits(RecordedRun run) {
    if (!recording.equals(run.identity())
        || !ranks.stream().map(RankEvents::rank).toList().equals(run.ranksPresent())) {
      return false;
    }
    for (RankEvents of : ranks) {
      Optional<RankHeader> header = header(run.directory(), of.rank);
      if (header.map(RankHeader::outcomes).orElse(0L) != of.records
          || header.map(RankHeader::committed).orElse(0L) != of.bytes) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a replay would add nothing: these are all events of the recording, or all that a replay
   * shows of it.
   */
  public boolean isWhole() {
    return origin.isWhole() && ranks.stream().noneMatch(of -> of.end == End.CUT_SHORT);
  }

  /** The ranks whose events end in this way. */
  public List<Rank> ranks(End end) {
    return ranks.stream().filter(of -> of.end == end).map(RankEvents::rank).toList();
  }

  /** Keeps it with a run, in one step; the files it lists must be there. */
  public void keep(RunDirectory run) {
    try {
      Path fresh = PrivateFiles.createFile(run.path().resolve("events.json.new"));
      Files.write(fresh, (JsonText.indented(this::write) + "\n").getBytes(StandardCharsets.UTF_8));
      Files.move(fresh, run.eventsManifestFile(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** To be done before a file of events is touched. */
  public static void remove(RunDirectory run) throws IOException {
    Files.deleteIfExists(run.eventsManifestFile());
  }

  private void write(JsonGenerator json) {
    json.writeStartObject();
    json.writeNumberProperty("format", FORMAT);
    json.writeStringProperty("recording", recording);
    program.ifPresent(hash -> json.writeStringProperty("program", hash));
    json.writeStringProperty("origin", origin.name());
    json.writeArrayPropertyStart("ranks");
    for (RankEvents of : ranks) {
      json.writeStartObject();
      json.writeNumberProperty("rank", of.rank.number());
      json.writeNumberProperty("records", of.records);
      json.writeNumberProperty("bytes", of.bytes);
      json.writeStringProperty("end", of.end.name());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static Optional<EventsManifest> read(Path file) {
    if (!RunFile.isThere(file)) {
      return Optional.empty();
    }
    try {
      JsonObject json = JsonObject.parse(file, RunJson.content(file));
      return json.number("format") == FORMAT ? Optional.of(read(json)) : Optional.empty();
    } catch (TraceError | IllegalArgumentException damaged) {
      return Optional.empty();
    }
  }

  private static EventsManifest read(JsonObject json) {
    return new EventsManifest(
        json.string("recording"),
        json.has("program") ? Optional.of(json.string("program")) : Optional.empty(),
        json.parsed("origin", Origin::valueOf),
        json.objects("ranks").stream()
            .map(
                of ->
                    new RankEvents(
                        new Rank(of.integer("rank")),
                        of.number("records"),
                        of.number("bytes"),
                        of.parsed("end", End::valueOf)))
            .toList());
  }
}
