package org.reprise.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.inputs.Input;
import org.reprise.trace.inputs.InputsReader;
import org.reprise.trace.inputs.InputsWriter;
import org.reprise.trace.order.NumberedOutcome;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.Outcome;

/** What is written is what is read. */
class RoundTripTest {
  @TempDir Path directory;

  @Test
  void everyKindOfOutcomeComesBack() {
    for (long seed = 0; seed < 200; seed++) {
      List<Outcome> outcomes = Samples.outcomes(new Random(seed), 200);
      Path file =
          Samples.write(directory.resolve("o" + seed), Samples.header(new Rank(1)), outcomes);
      assertThat(Samples.read(file)).as("seed %d", seed).isEqualTo(outcomes);
    }
  }

  @Test
  void operandsAtTheEdgeOfTheirFirstByteComeBack() {
    List<Outcome> outcomes = new ArrayList<>();
    for (int source : new int[] {0, 1, 13, 14, 15, 16, 142, 143, OrderReader.SOURCES_MAX - 1}) {
      outcomes.add(new Outcome.Recv(source, OptionalInt.empty()));
      outcomes.add(new Outcome.Recv(source, OptionalInt.of(0)));
    }
    outcomes.add(new Outcome.Index(OptionalInt.empty()));
    outcomes.add(new Outcome.Index(OptionalInt.of(0)));
    outcomes.add(new Outcome.Indices(false, List.of()));
    outcomes.add(new Outcome.Indices(true, List.of()));
    outcomes.add(new Outcome.Errors(-1, List.of(-1, 0, Integer.MAX_VALUE)));
    outcomes.add(new Outcome.FailedPolls(Long.MAX_VALUE));
    Path file = Samples.write(directory.resolve("o"), Samples.header(new Rank(0)), outcomes);
    assertThat(Samples.read(file)).isEqualTo(outcomes);
  }

  @Test
  void postsThatEndInOrderCostTwoBytes() throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    for (int post = 0; post < 1000; post++) {
      outcomes.add(new Outcome.Post(post, post % 4, OptionalInt.empty()));
    }
    Path file = Samples.write(directory.resolve("o"), Samples.header(new Rank(0)), outcomes);
    assertThat(Files.size(file)).isEqualTo(Wire.HEADER_BYTES + 2 * 1000);
  }

  @Test
  void numbersAndOffsetsCountRecords() {
    Path file =
        Samples.write(
            directory.resolve("o"),
            Samples.header(new Rank(0)),
            List.of(
                new Outcome.Recv(1, OptionalInt.of(300)),
                new Outcome.Hit(Wire.Poll.TEST),
                new Outcome.Check(7)));
    try (OrderReader reader = OrderReader.open(file)) {
      List<NumberedOutcome> all = new ArrayList<>();
      reader.forEachRemaining(all::add);
      assertThat(all).extracting(NumberedOutcome::number).containsExactly(0L, 1L, 2L);
      assertThat(all)
          .extracting(NumberedOutcome::offset)
          .containsExactly(8192L, 8192L + 3, 8192L + 4);
      assertThat(reader.header().outcomes()).isEqualTo(3);
    }
  }

  @Test
  void bytesBehindTheCommittedOnesAreNotRead() throws Exception {
    Path file =
        Samples.write(
            directory.resolve("o"),
            Samples.header(new Rank(0)),
            List.of(new Outcome.Hit(Wire.Poll.TEST)));
    byte[] bytes = Files.readAllBytes(file);
    byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + 100);
    java.util.Arrays.fill(longer, bytes.length, longer.length, (byte) 0xff);
    Files.write(file, longer);
    assertThat(Samples.read(file)).containsExactly(new Outcome.Hit(Wire.Poll.TEST));
  }

  @Test
  void everyKindOfInputComesBack() {
    List<Input> inputs =
        List.of(
            new Input.Clock(1, 5_000_000_000L),
            new Input.Clock(0, Long.MAX_VALUE / 2),
            new Input.Clock(1, 4_999_999_999L),
            new Input.Wtime(1.5e9),
            new Input.Wtime(Double.NEGATIVE_INFINITY),
            new Input.Wtime(Double.NaN),
            new Input.Wtime(-0.0),
            new Input.Wtime(0.0),
            new Input.Wtime(Double.MIN_VALUE),
            new Input.Wtime(Math.PI),
            new Input.Wtime(1794882606.123456),
            new Input.Time(1_700_000_000L),
            new Input.Time(1_700_000_001L),
            new Input.TimeOfDay(1_700_000_000_000_000L),
            new Input.Bytes(new Input.HexBytes("00ff80")),
            new Input.Bytes(new Input.HexBytes("")),
            new Input.Pid(4_194_304),
            new Input.CpuTime(12),
            new Input.ThreadSwitch(17),
            new Input.Clock(1, 5_000_000_000L));
    assertThat(throughAFile(inputs, Wire.VERSION)).isEqualTo(inputs);
  }

  private List<Input> throughAFile(List<Input> inputs, int version) {
    Path file = directory.resolve("inputs-" + version);
    RankHeader header =
        RankHeader.create(Wire.FileKind.INPUTS, Wire.Mode.RECORD, new Rank(0), 1)
            .with(HeaderField.VERSION, version);
    try (InputsWriter writer = new InputsWriter(file, header)) {
      inputs.forEach(writer::write);
    }
    List<Input> read = new ArrayList<>();
    try (InputsReader reader = InputsReader.open(file)) {
      reader.forEachRemaining(read::add);
    }
    return read;
  }

  /** Two places in a loop, two threads, and now and then a long pause or a clock set back. */
  private static List<Input> polls(long seed, int count) {
    Random random = new Random(seed);
    List<Input> polls = new ArrayList<>();
    long nanos = random.nextLong(2_000_000_000_000_000_000L);
    for (int i = 0; i < count; i++) {
      nanos += i % 2 == 0 ? 30 + random.nextInt(11) : 700 + random.nextInt(61);
      if (random.nextInt(100) == 0) {
        nanos += random.nextLong(-1_000, 10_000_000);
      }
      if (random.nextInt(1_000) == 0) {
        polls.add(new Input.ThreadSwitch(random.nextInt(2)));
      }
      Wire.Ticks form = Wire.Ticks.values()[(int) (seed % Wire.Ticks.values().length)];
      polls.add(seed % 4 == 0 ? new Input.Clock(1, nanos) : new Input.Wtime(form.seconds(nanos)));
    }
    return polls;
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void readingsInALoopComeBackBitForBitAndTakeLittleMoreThanAByte(long seed) throws Exception {
    List<Input> polls = polls(seed, 20_000);
    assertThat(throughAFile(polls, Wire.VERSION)).isEqualTo(polls);
    long bytes = Files.size(directory.resolve("inputs-" + Wire.VERSION)) - Wire.HEADER_BYTES;
    assertThat(bytes).isLessThan(polls.size() * 3L / 2);
  }

  /** What a Reprise of that version wrote into the file of a rank that read Wtime and a clock. */
  @Test
  void anInputsFileOfVersion2IsRead() throws Exception {
    Path file = directory.resolve("i");
    byte[] header =
        RankHeader.create(Wire.FileKind.INPUTS, Wire.Mode.RECORD, new Rank(0), 1)
            .with(HeaderField.VERSION, 2)
            .with(HeaderField.COMMITTED, 15)
            .with(HeaderField.OUTCOMES, 3)
            .toArray();
    byte[] records = java.util.HexFormat.of().parseHex("02000000000000f83f" + "11d00f" + "11c404");
    Files.write(file, header);
    Files.write(file, records, java.nio.file.StandardOpenOption.APPEND);
    try (InputsReader reader = InputsReader.open(file)) {
      List<Input> read = new ArrayList<>();
      reader.forEachRemaining(read::add);
      assertThat(read)
          .containsExactly(
              new Input.Wtime(1.5), new Input.Clock(1, 1000), new Input.Clock(1, 1290));
    }
  }

  @Test
  void eachThreadHasItsOwnLastValues() throws Exception {
    Path file = directory.resolve("i");
    RankHeader header = RankHeader.create(Wire.FileKind.INPUTS, Wire.Mode.RECORD, new Rank(0), 1);
    try (InputsWriter writer = new InputsWriter(file, header)) {
      writer.write(new Input.Time(100));
      writer.write(new Input.ThreadSwitch(1));
      writer.write(new Input.Time(100));
      writer.write(new Input.ThreadSwitch(0));
      writer.write(new Input.Time(101));
    }
    byte[] bytes = Files.readAllBytes(file);
    assertThat(java.util.HexFormat.of().formatHex(bytes, Wire.HEADER_BYTES, bytes.length))
        .as("100 and 100 as zigzag c8 01, then 1, where 0 is expected: code 2")
        .isEqualTo("03c801" + "18" + "03c801" + "08" + "2b");
  }

  @Test
  void aRankFileIsItsOwnersBusiness() throws Exception {
    Path file = Samples.write(directory.resolve("o"), Samples.header(new Rank(0)), List.of());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void theHeaderKeepsWhatIsPutIn() {
    RankHeader header = Samples.header(new Rank(3));
    for (HeaderField field : HeaderField.values()) {
      assertThat(header.with(field, 3).get(field)).as("%s", field).isEqualTo(3);
    }
    assertThat(header.with(HeaderField.EXIT_CODE, -5).exitCode()).isEqualTo(-5);
    assertThat(header.with(HeaderField.WAITING_SOURCE, -1).get(HeaderField.WAITING_SOURCE))
        .isEqualTo(-1);
    assertThat(header.withCallCount(511, 9).callCount(511)).isEqualTo(9);
    assertThat(header.callCount(512)).isZero();
    assertThat(header.rank()).isEqualTo(new Rank(3));
  }
}
