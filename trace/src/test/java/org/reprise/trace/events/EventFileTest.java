package org.reprise.trace.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;

/** What is written into an events file is what is read; nonsense is refused. */
@Timeout(120)
class EventFileTest {
  private static final int RANKS = 9;
  private static final Communicator WORLD = Communicator.of(7, RankGroup.run(0, RANKS, 1));
  private static final Communicator INTER =
      Communicator.inter(-1L << 40, RankGroup.of(4, 2, 0), RankGroup.of(1, 8, 3, 5, 6));

  @TempDir Path directory;

  @Test
  void everyFieldComesBack() {
    List<Event> events = sample();
    assertThat(read(write(events))).isEqualTo(events);
  }

  @Test
  void aGroupOfStridedRanksIsOneRun() {
    RankGroup group = RankGroup.of(1, 3, 5, 7, 6, 5);
    assertThat(group.runs()).isEqualTo(2);
    assertThat(group.toArray()).containsExactly(1, 3, 5, 7, 6, 5);
    assertThat(group.indexOf(6)).isEqualTo(4);
    assertThat(group.indexOf(4)).isEqualTo(-1);
    assertThat(RankGroup.run(0, 3, 1)).isEqualTo(RankGroup.of(0, 1, 2));
  }

  /** Records behind a world of nine ranks; the words of each are little endian. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "kind 0, 0000 0000, kind 0",
    "an unknown kind, ff00 0000, kind 255",
    "an unknown call, 0100 ffff, call 65535",
    "a send with a receive's flag, 0101 0000, flags 1",
    "a rank the communicator does not have, 0100 0000 00000000 09000000, rank 9",
    "a send to any rank, 0100 0000 00000000 ffffffff, rank -1",
    "a tag below zero, 0100 0000 00000000 01000000 feffffff, tag -2",
    "an unknown communicator, 0100 0000 00000000 01000000 00000000 01000000, communicator 1",
    "an end of nothing, 0900 0000 00000000 00000000 00000000 01000000, names event -1",
    "an end of itself, 0900 0000 00000000 00000000 00000000 00000000, names event 0",
    "members of nothing, 1300 0100, members of no communicator",
    "too large a world, 1200 0000 00000000 00000000 0a000000, a communicator of 10",
    "a cut off communicator, 1200 0000 00000000 00000000 02000000, cut off",
    "an unknown flow, 0a00 0000 00000000 00000000 07000000, flow 7",
    "a collective without its root, 0a00 0000 00000000 ffffffff 02000000, no root",
    "a list of nobody, 1400 0000, a list of 0 ranks",
    "a repeated event of a site without one, 1805 0000, call site 5",
  })
  void nonsenseIsNamed(String what, String hex, String message) throws Exception {
    Path file = write(List.of());
    byte[] whole = Files.readAllBytes(file);
    byte[] record = Arrays.copyOf(HexFormat.of().parseHex(hex.replace(" ", "")), 32);
    byte[] bytes = Arrays.copyOf(whole, whole.length + record.length);
    System.arraycopy(record, 0, bytes, whole.length, record.length);
    bytes[HeaderField.COMMITTED.offset] = (byte) (bytes[HeaderField.COMMITTED.offset] + 32);
    bytes[HeaderField.OUTCOMES.offset]++;
    Files.write(file, bytes);
    Throwable thrown = catchThrowable(() -> read(file));
    assertThat(thrown).as(what).isInstanceOf(TraceError.class).hasMessageContaining(message);
    assertThat(thrown).hasMessageContaining("is damaged at byte " + whole.length);
  }

  /** A LOCAL of site 3, a JOINED send of the same site, which is not repeated, and three AGAINs. */
  @Test
  void anEventThatSaysTheSameAgainHasEightBytesAndTimesOfItsOwn() throws Exception {
    Path file = write(List.of());
    byte[] whole = Files.readAllBytes(file);
    ByteBuffer bytes = ByteBuffer.allocate(whole.length + 1000).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(whole);
    int any = EventCursor.ANY;
    int send = EventKind.SEND.ordinal();
    ints(bytes, send | 7 << 16, 3, 2, 44, 0, 9, 100, 20);
    ints(bytes, send | EventFlag.JOINED.bit() << 8 | 8 << 16, 3, 1, 45, 0, 7, 0, 0);
    ints(bytes, EventKind.LOCAL.ordinal() | 8 << 16, 4, any, any, 0, 0, 5, 6);
    long again = EventKind.AGAIN.ordinal();
    bytes.putLong(again | 3L << 8 | 30L << 24 | 40L << 44);
    bytes.putLong(again | 4L << 8 | 0xfffffL << 24 | 0xfffffL << 44);
    bytes.putLong(again | 3L << 8 | 1L << 24);
    commit(bytes, whole.length, 6, file);
    List<Event> events = read(file);
    assertThat(events)
        .extracting(Event::kind)
        .containsExactly(
            EventKind.SEND,
            EventKind.SEND,
            EventKind.LOCAL,
            EventKind.SEND,
            EventKind.LOCAL,
            EventKind.SEND);
    assertThat(events).extracting(Event::site).containsExactly(3, 3, 4, 3, 4, 3);
    assertThat(events).extracting(Event::call).containsExactly(7, 8, 8, 7, 8, 7);
    assertThat(events).extracting(Event::peer).containsExactly(2, 1, any, 2, any, 2);
    assertThat(events).extracting(Event::tag).containsExactly(44, 45, any, 44, any, 44);
    assertThat(events).extracting(Event::bytes).containsExactly(9L, 7L, 0L, 9L, 0L, 9L);
    assertThat(events)
        .extracting(Event::startNanos)
        .containsExactly(100L, 120L, 125L, 161L, 201L + 0xfffff, 202L + 2 * 0xfffff);
    assertThat(events)
        .extracting(Event::durationNanos)
        .containsExactly(20L, 0L, 6L, 40L, 0xfffffL, 0L);
  }

  /** A file that got so many records behind what it had. */
  private static void commit(ByteBuffer bytes, int before, int records, Path file)
      throws IOException {
    HeaderField committed = HeaderField.COMMITTED;
    bytes.putLong(committed.offset, bytes.getLong(committed.offset) + bytes.position() - before);
    HeaderField outcomes = HeaderField.OUTCOMES;
    bytes.putLong(outcomes.offset, bytes.getLong(outcomes.offset) + records);
    byte[] whole = new byte[bytes.position()];
    bytes.flip().get(whole);
    Files.write(file, whole);
  }

  /** 32 bits hold 4.3 s: what counts from the event before adds up to more than that. */
  @Test
  void timesGoOnWhere32BitsEnd() throws Exception {
    Path file = write(List.of());
    byte[] whole = Files.readAllBytes(file);
    ByteBuffer bytes = ByteBuffer.allocate(whole.length + 1000).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(whole);
    int send = EventKind.SEND.ordinal();
    int most = -2;
    ints(bytes, send, 3, 2, 44, 0, 9, most, 7);
    ints(bytes, send, 4, 2, 44, 0, 9, 5, most);
    bytes.putLong(EventKind.AGAIN.ordinal() | 3L << 8 | 0xfffffL << 24 | 1L << 44);
    ints(bytes, EventKind.TIME.ordinal(), 17, 300, 0, 0, 0, 0, 0);
    ints(bytes, send, 3, 2, 44, 0, 9, most, most);
    commit(bytes, whole.length, 5, file);
    List<Event> events = read(file);
    long limit = 0xffff_fffeL;
    assertThat(events)
        .extracting(Event::startNanos)
        .containsExactly(limit, limit + 12, 2 * limit + 12 + 0xfffff, (300L << 32) + 17 + limit);
    assertThat(events).extracting(Event::durationNanos).containsExactly(7L, limit, 1L, limit);
  }

  /** Pauses and calls of any length are read as they were written. */
  @Test
  void aRankThatRunsForHoursHasItsTimes() {
    List<Event> events = new ArrayList<>();
    long second = 1_000_000_000L;
    long at = 0;
    for (int i = 0; i < 40; i++) {
      long pause = i % 7 == 3 ? 3600 * second : i % 5 * second;
      at += pause;
      events.add(local(i, at, 4 * second));
      at += 4 * second;
    }
    assertThat(at).isGreaterThan(5 * 3600 * second);
    assertThat(read(write(events))).isEqualTo(events);
  }

  private static Event local(int number, long start, long duration) {
    int any = EventCursor.ANY;
    CollectiveFlow none = CollectiveFlow.NONE;
    return new Event(
        number,
        EventKind.LOCAL,
        Set.of(),
        0,
        1,
        any,
        any,
        none,
        -1,
        -1,
        0,
        start,
        duration,
        0,
        List.of());
  }

  private static void ints(ByteBuffer bytes, int... words) {
    for (int word : words) {
      bytes.putInt(word);
    }
  }

  @Test
  void theFileOfAKilledRankIsReadUpToItsLastWholeRecord() throws Exception {
    Path file = write(sample());
    byte[] bytes = Files.readAllBytes(file);
    bytes[HeaderField.STATE.offset] = (byte) Wire.State.RUNNING.ordinal();
    int records = (bytes.length - Wire.HEADER_BYTES) / 32;
    for (int kept = 0; kept < records; kept++) {
      bytes[HeaderField.COMMITTED.offset] = (byte) (kept * 32);
      bytes[HeaderField.COMMITTED.offset + 1] = (byte) (kept * 32 >> 8);
      Files.write(file, bytes);
      Throwable thrown = catchThrowable(() -> read(file));
      if (thrown == null) {
        List<Event> prefix = read(file);
        assertThat(prefix).isEqualTo(sample().subList(0, prefix.size()));
      } else {
        assertThat(thrown).hasMessageContaining("the last communicator is cut off");
      }
    }
  }

  @Test
  void flippedBitsAndCutsGiveTraceErrorsOnly() throws Exception {
    long seed = Long.getLong("reprise.seed", 20_250_102L);
    System.out.println("fuzzing events with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    byte[] whole = Files.readAllBytes(write(sample()));
    for (int round = 0; round < 6000; round++) {
      byte[] bytes = whole.clone();
      for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
        int at =
            random.nextInt(4) == 0
                ? random.nextInt(96)
                : Wire.HEADER_BYTES + random.nextInt(bytes.length - Wire.HEADER_BYTES);
        bytes[at] ^= (byte) (1 << random.nextInt(8));
      }
      if (random.nextInt(4) == 0) {
        bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      }
      Path file = directory.resolve("fuzz");
      Files.deleteIfExists(file);
      Files.write(file, bytes);
      try {
        assertThat(read(file)).isNotNull();
      } catch (TraceError e) {
        assertThat(e.exitCode()).isEqualTo(65);
      } catch (Throwable t) {
        throw new AssertionError("round " + round + " gave " + t, t);
      }
    }
  }

  private static List<Event> sample() {
    List<Event> events = new ArrayList<>();
    int any = EventCursor.ANY;
    add(events, EventKind.LOCAL, Set.of(), any, any, -1, -1, 0, List.of());
    add(events, EventKind.SEND, Set.of(EventFlag.SYNC), 3, 0, 0, -1, 1L << 33, List.of());
    add(events, EventKind.POST_SEND, Set.of(), 8, 44, 1, -1, 0xffff_ffffL, List.of());
    add(events, EventKind.POST_RECV, Set.of(EventFlag.ANY_SOURCE), any, 5, 0, -1, 8, List.of());
    Set<EventFlag> both = Set.of(EventFlag.ANY_TAG, EventFlag.ANY_SOURCE);
    add(events, EventKind.POST_RECV, both, any, any, 0, -1, 8, List.of());
    add(events, EventKind.RECV, both, 6, 7, 0, -1, 8, List.of());
    Set<EventFlag> joined = Set.of(EventFlag.JOINED, EventFlag.POLL);
    add(events, EventKind.COMPLETE, joined, 2, 5, 0, 3, 4, List.of());
    add(events, EventKind.COMPLETE, Set.of(EventFlag.POLL), any, any, 1, 2, 4, List.of());
    add(events, EventKind.CANCEL, Set.of(), any, any, 0, 4, 0, List.of());
    add(events, EventKind.COMPLETE, Set.of(EventFlag.CANCELLED), any, any, 0, 4, 0, List.of());
    add(events, EventKind.MPROBE, Set.of(EventFlag.POLL), 1, 5, 0, -1, 8, List.of());
    add(events, EventKind.POST_MRECV, Set.of(), any, any, 0, 10, 8, List.of());
    add(events, EventKind.FREE, Set.of(), any, any, 0, 11, 8, List.of());
    add(events, EventKind.PROBE, Set.of(EventFlag.ANY_TAG), 1, 5, 0, -1, 8, List.of());
    add(events, EventKind.POLLS, Set.of(), any, any, -1, -1, 12345, List.of());
    add(events, EventKind.POST_RECV, Set.of(), 5, 5, 0, -1, 8, List.of());
    add(events, EventKind.FREE, Set.of(), any, any, 0, 15, 8, List.of());
    add(events, EventKind.MATCHED, Set.of(), 5, 5, 0, 15, 8, List.of());
    List<Integer> peers = List.of(0, 1, 2, 3, 4, 5, 6, 7, 8);
    events.add(collective(events.size(), EventKind.COLLECTIVE, CollectiveFlow.LISTED, any, peers));
    events.add(
        collective(
            events.size(), EventKind.POST_COLLECTIVE, CollectiveFlow.FROM_ROOT, 8, List.of()));
    add(events, EventKind.COMPLETE, Set.of(), any, any, 0, 19, 0, List.of());
    Set<EventFlag> polled = Set.of(EventFlag.POLL, EventFlag.ANY_TAG);
    add(events, EventKind.POLLS, polled, 1, any, 0, -1, 1, List.of());
    add(
        events,
        EventKind.POLLS,
        Set.of(EventFlag.POLL, EventFlag.ANY_SOURCE),
        any,
        4,
        0,
        -1,
        1,
        List.of());
    List<Integer> requests =
        List.of(19, EventCursor.NULL_REQUEST, EventCursor.UNKNOWN_REQUEST, 1, 2, 3, 4, 5);
    add(events, EventKind.POLLS, Set.of(EventFlag.POLL), any, any, -1, -1, 1, requests);
    add(events, EventKind.POST_SEND, Set.of(), 3, 0, 0, -1, 8, List.of());
    add(events, EventKind.COMPLETE, Set.of(EventFlag.POLL), any, any, 0, 24, 0, List.of(24));
    return events;
  }

  private static void add(
      List<Event> events,
      EventKind kind,
      Set<EventFlag> flags,
      int peer,
      int tag,
      int comm,
      long post,
      long bytes,
      List<Integer> peers) {
    int number = events.size();
    // Pauses, jumps back and forth: another thread's call may begin before the last one ended.
    long start = number == 5 ? 1L << 40 : number == 9 ? 17 : number * 1000L;
    events.add(
        new Event(
            number,
            kind,
            flags,
            number,
            number + 1,
            peer,
            tag,
            CollectiveFlow.NONE,
            comm,
            post,
            bytes,
            start,
            number * 3L,
            number == 9 ? 4 : 0,
            peers));
  }

  private static Event collective(
      int number, EventKind kind, CollectiveFlow flow, int root, List<Integer> peers) {
    return new Event(
        number,
        kind,
        Set.of(),
        9,
        0,
        root,
        EventCursor.ANY,
        flow,
        0,
        EventCursor.NO_EVENT,
        40,
        1L << 41,
        5,
        0,
        peers);
  }

  @Test
  void theTailOfAKilledRankBelongsToItsEvents() throws Exception {
    List<Event> events = sample();
    Path file = write(events);
    byte[] whole = Files.readAllBytes(file);
    int kept = whole.length - EventReader.RECORD_BYTES;
    HeaderField.TAIL_FROM.put(
        ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN), kept - Wire.HEADER_BYTES + 1);
    Files.write(file, Arrays.copyOf(whole, kept));
    assertThat(catchThrowable(() -> read(file)))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("rank-0.tail");
    Path tail = directory.resolve("rank-0.tail");
    Files.write(tail, Arrays.copyOfRange(whole, kept, kept + 5));
    assertThat(catchThrowable(() -> read(file)))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("rank-0.tail is cut off at byte 5");
    Files.write(tail, Arrays.copyOf(Arrays.copyOfRange(whole, kept, whole.length), 1 << 17));
    assertThat(read(file)).isEqualTo(events);
  }

  /** A rank keeps its latest records in the tail, and moves them into the file now and then. */
  @Test
  void aReaderFollowsARankThatWrites() throws IOException {
    long seed = Long.getLong("reprise.seed", 20_261_118L);
    System.out.println("a rank that writes with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    List<Event> events = new ArrayList<>();
    for (int number = 0; number < 6000; number++) {
      events.add(sent(number));
    }
    Path file = write(events);
    Path tail = directory.resolve("rank-0.tail");
    byte[] whole = Files.readAllBytes(file);
    int first = whole.length - events.size() * EventReader.RECORD_BYTES;
    int moved = first;
    int committed = first;
    show(whole, file, tail, moved, committed);
    List<Event> followed = new ArrayList<>();
    try (EventReader reader = EventReader.open(file)) {
      while (committed < whole.length) {
        int left = (whole.length - committed) / EventReader.RECORD_BYTES;
        committed += EventReader.RECORD_BYTES * Math.min(left, random.nextInt(400));
        moved = random.nextInt(3) == 0 || committed - moved > 1 << 16 ? committed : moved;
        show(whole, file, tail, moved, committed);
        reader.refresh();
        for (int most = random.nextInt(600); most > 0 && reader.advance(); most--) {
          followed.add(Event.at(reader));
        }
      }
      while (reader.advance()) {
        followed.add(Event.at(reader));
      }
    }
    assertThat(followed).isEqualTo(events);
  }

  private static Event sent(int number) {
    return new Event(
        number,
        EventKind.SEND,
        Set.of(),
        1,
        1,
        1,
        number % 7,
        CollectiveFlow.NONE,
        0,
        EventCursor.NO_EVENT,
        number,
        number * 10L,
        5,
        0,
        List.of());
  }

  /** What stands on the disk when so much was moved and so much committed. */
  private static void show(byte[] whole, Path file, Path tail, int moved, int committed)
      throws IOException {
    byte[] now = Arrays.copyOf(whole, moved);
    ByteBuffer header = ByteBuffer.wrap(now).order(ByteOrder.LITTLE_ENDIAN);
    HeaderField.STATE.put(header, Wire.State.RUNNING.ordinal());
    HeaderField.TAIL_FROM.put(header, moved - Wire.HEADER_BYTES + 1);
    HeaderField.COMMITTED.put(header, committed - Wire.HEADER_BYTES);
    Files.write(tail, Arrays.copyOfRange(whole, moved, committed));
    Files.write(file, now);
  }

  private Path write(List<Event> events) {
    Path file = directory.resolve("rank-0.events");
    RankHeader header =
        RankHeader.create(Wire.FileKind.EVENTS, Wire.Mode.RECORD, new Rank(0), RANKS)
            .with(HeaderField.STATE, Wire.State.FINALIZED.ordinal());
    try (EventWriter writer = new EventWriter(file, header)) {
      writer.communicator(WORLD);
      if (!events.isEmpty()) {
        writer.communicator(INTER);
      }
      events.forEach(writer::write);
    }
    return file;
  }

  private static List<Event> read(Path file) {
    List<Event> events = new ArrayList<>();
    try (EventReader reader = EventReader.open(file)) {
      while (reader.advance()) {
        events.add(Event.at(reader));
      }
    }
    return events;
  }
}
