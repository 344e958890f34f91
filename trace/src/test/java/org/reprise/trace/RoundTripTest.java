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
            new Input.Time(1_700_000_000L),
            new Input.Time(1_700_000_001L),
            new Input.TimeOfDay(1_700_000_000_000_000L),
            new Input.Bytes(new Input.HexBytes("00ff80")),
            new Input.Bytes(new Input.HexBytes("")),
            new Input.Pid(4_194_304),
            new Input.CpuTime(12),
            new Input.ThreadSwitch(17),
            new Input.Clock(1, 5_000_000_000L));
    Path file = directory.resolve("i");
    RankHeader header = RankHeader.create(Wire.FileKind.INPUTS, Wire.Mode.RECORD, new Rank(0), 1);
    try (InputsWriter writer = new InputsWriter(file, header)) {
      inputs.forEach(writer::write);
    }
    List<Input> read = new ArrayList<>();
    try (InputsReader reader = InputsReader.open(file)) {
      reader.forEachRemaining(read::add);
    }
    assertThat(read).isEqualTo(inputs);
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
        .as("100 and 100 as zigzag c8 01, then 1 as 02")
        .isEqualTo("03c801" + "18" + "03c801" + "08" + "0302");
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
