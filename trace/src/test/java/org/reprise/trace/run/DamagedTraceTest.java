package org.reprise.trace.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reprise.trace.Rank;
import org.reprise.trace.Samples;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.inputs.Input;
import org.reprise.trace.inputs.InputsReader;
import org.reprise.trace.inputs.InputsWriter;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.Outcome;

/** Whatever the bytes of a trace are, reading it ends in outcomes or in a TraceError. */
@Timeout(120)
class DamagedTraceTest {
  @TempDir Path directory;

  @Test
  void anotherFileIsNotARankFile() throws Exception {
    Path file = Files.writeString(directory.resolve("o"), "hello, world, this is no trace");
    assertRefused(file, "is not a rank file of Reprise");
    assertRefused(Files.createFile(directory.resolve("empty")), "is not a rank file of Reprise");
  }

  @Test
  void aMissingFileIsRefused() {
    assertRefused(directory.resolve("nothing"), "is missing");
  }

  @Test
  void anotherVersionIsNamed() {
    Path file = write(Samples.header(new Rank(0)).with(HeaderField.VERSION, 7));
    assertRefused(file, "was written by trace format 7; this Reprise reads 2 to 4");
  }

  @Test
  void anotherVersionIsNamedEvenIfItsHeaderIsShorter() throws Exception {
    Path file = write(Samples.header(new Rank(0)).with(HeaderField.VERSION, 1));
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 4096));
    assertRefused(file, "was written by trace format 1");
  }

  @Test
  void moreCommittedThanThereIsMeansCutOff() throws Exception {
    Path file = write(Samples.header(new Rank(0)));
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), Wire.HEADER_BYTES + 1));
    assertRefused(file, "is cut off at byte 8193");
  }

  @Test
  void aNamedPipeIsNotWaitedFor() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertRefused(pipe, "is not a regular file");
    assertThatThrownBy(() -> RunJson.read(pipe)).isInstanceOf(TraceError.class);
  }

  @Test
  void escapeSequencesInAHostNameDoNotReachTheTerminal() throws Exception {
    Path file = write(Samples.header(new Rank(0)));
    byte[] bytes = Files.readAllBytes(file);
    bytes[HeaderField.HOST_OFFSET] = 0x1b;
    bytes[HeaderField.HOST_OFFSET + 1] = 'x';
    Files.write(file, bytes);
    try (OrderReader reader = OrderReader.open(file)) {
      assertThat(reader.header().host()).isEqualTo("\\u001bx");
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "a record of kind 0, 00, a record of kind 0",
    "an operand cut off, f1 80, the last record is cut off",
    "an operand of eleven bytes, f8 80 80 80 80 80 80 80 80 80 80 01, longer than ten bytes",
    "an endless operand, f8 ff ff ff ff ff ff ff ff ff ff ff, does not fit",
    "an operand of 64 bits, f8 ff ff ff ff ff ff ff ff ff 01, does not fit into 63 bits",
    "a first operand that overflows, f8 ff ff ff ff ff ff ff ff 7f, does not fit into 63 bits",
    "a source no job has, f1 80 80 80 08, source 67108879 is impossible",
    "a tag of 33 bits, 12 80 80 80 80 10, tag 4294967296 is impossible",
    "a negative post, 05 01, post number -1",
    "a post nobody made, 05 00, the header counts 0 posts",
    "a list longer than the file, fd ff ff ff ff 07, a list of 8589934602 numbers",
    "an unknown poll, 79, Poll 7 is unknown",
    "an unknown extension, 5f, More 5 is unknown",
    "an unknown poll of two bytes, f9 00, Poll 15 is unknown",
    "a missing tag, 12, the last record is cut off",
  })
  void nonsenseIsNamed(String what, String hex, String message) throws Exception {
    byte[] records = java.util.HexFormat.ofDelimiter(" ").parseHex(hex);
    RankHeader header =
        Samples.header(new Rank(0))
            .with(HeaderField.COMMITTED, records.length)
            .with(HeaderField.OUTCOMES, 1);
    Path file = directory.resolve("o");
    byte[] bytes = Arrays.copyOf(header.toArray(), Wire.HEADER_BYTES + records.length);
    System.arraycopy(records, 0, bytes, Wire.HEADER_BYTES, records.length);
    Files.write(file, bytes);
    assertRefused(file, "is damaged at byte 8192");
    assertThat(catchThrowable(() -> Samples.read(file))).as(what).hasMessageContaining(message);
  }

  @Test
  void aFinishedFileHasAsManyOutcomesAsItSays() throws Exception {
    Path file = write(Samples.header(new Rank(0)));
    byte[] bytes = Files.readAllBytes(file);
    bytes[HeaderField.OUTCOMES.offset]++;
    Files.write(file, bytes);
    assertRefused(file, "is damaged");
    bytes[HeaderField.STATE.offset] = (byte) Wire.State.RUNNING.ordinal();
    Files.write(file, bytes);
    assertThat(Samples.read(file)).as("a rank killed between two stores").hasSize(2);
  }

  @Test
  void aFileOfAnotherRankIsRefused() {
    RunDirectory run = new RunDirectory(directory);
    Samples.write(run.orderFile(new Rank(2)), Samples.header(new Rank(1)), List.of());
    assertThatThrownBy(() -> run.openOrder(new Rank(2)))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("the file of rank 1 by its header");
  }

  @Test
  void flippedBitsAndCutsGiveTraceErrorsOnly() throws Exception {
    long seed = Long.getLong("reprise.seed", 20_250_101L);
    System.out.println("fuzzing with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    byte[] order =
        Files.readAllBytes(
            Samples.write(
                directory.resolve("order"),
                Samples.header(new Rank(1)),
                Samples.outcomes(random, 60)));
    byte[] inputs = inputsFile(random);
    byte[] json = RunJson.write(RunJsonTest.description());
    for (int round = 0; round < 4000; round++) {
      long roundSeed = random.nextLong();
      Random damage = new Random(roundSeed);
      onlyTraceErrors("order", roundSeed, damaged(order, damage), Samples::read);
      onlyTraceErrors("inputs", roundSeed, damaged(inputs, damage), DamagedTraceTest::readInputs);
      onlyTraceErrors("json", roundSeed, damaged(json, damage), RunJson::read);
    }
  }

  private interface Reading {
    Object read(Path file);
  }

  private void onlyTraceErrors(String what, long seed, byte[] bytes, Reading reading)
      throws Exception {
    // A fresh file each time: ext4 flushes one that is cut to zero and written again.
    Path file = directory.resolve("fuzz." + what);
    Files.deleteIfExists(file);
    Files.write(file, bytes);
    try {
      assertThat(reading.read(file)).isNotNull();
    } catch (TraceError e) {
      assertThat(e.exitCode()).isEqualTo(65);
      assertThat(e.cause()).contains(file.toString());
    } catch (Throwable t) {
      throw new AssertionError(what + " with seed " + seed + " gave " + t, t);
    }
  }

  private static byte[] damaged(byte[] whole, Random random) {
    byte[] bytes = whole.clone();
    int records = Math.min(Wire.HEADER_BYTES, bytes.length - 1);
    for (int flips = random.nextInt(5); flips > 0; flips--) {
      // Most of a header is never looked at: aim at its front and at the records.
      int at =
          switch (random.nextInt(3)) {
            case 0 -> random.nextInt(Math.min(256, bytes.length));
            case 1 -> records + random.nextInt(bytes.length - records);
            default -> random.nextInt(bytes.length);
          };
      bytes[at] ^= (byte) (1 << random.nextInt(8));
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
  }

  private byte[] inputsFile(Random random) throws Exception {
    Path file = directory.resolve("inputs");
    RankHeader header = RankHeader.create(Wire.FileKind.INPUTS, Wire.Mode.RECORD, new Rank(0), 1);
    try (InputsWriter writer = new InputsWriter(file, header)) {
      for (int i = 0; i < 20; i++) {
        byte[] some = new byte[random.nextInt(40)];
        random.nextBytes(some);
        writer.write(new Input.Clock(random.nextInt(20), random.nextLong()));
        writer.write(new Input.Bytes(Input.HexBytes.of(some)));
        writer.write(new Input.Wtime(random.nextDouble()));
        writer.write(new Input.Pid(random.nextInt(1 << 22)));
        writer.write(new Input.Time(random.nextLong() >> 8));
      }
    }
    return Files.readAllBytes(file);
  }

  private static Object readInputs(Path file) {
    try (InputsReader reader = InputsReader.open(file)) {
      reader.forEachRemaining(_ -> {});
      return reader.header();
    }
  }

  private Path write(RankHeader header) {
    return Samples.write(
        directory.resolve("o"),
        header,
        List.of(new Outcome.Recv(3, OptionalInt.of(700)), new Outcome.Hit(Wire.Poll.TESTALL)));
  }

  private static void assertRefused(Path file, String message) {
    Throwable thrown = catchThrowable(() -> Samples.read(file));
    assertThat(thrown).isInstanceOf(TraceError.class).hasMessageContaining(message);
    TraceError error = (TraceError) thrown;
    assertThat(error.exitCode()).isEqualTo(65);
    assertThat(error.cause()).contains(file.toString());
    assertThat(error.fix()).isNotEmpty();
  }
}
