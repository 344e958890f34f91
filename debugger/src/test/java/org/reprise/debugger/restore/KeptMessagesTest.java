package org.reprise.debugger.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.Wire;

/** What was kept for checkpoints: who gets it again, and that a damaged log is refused. */
class KeptMessagesTest {
  private static final int RANKS = 2;
  private static final long[] MARKS = {10, 10};

  @TempDir private Path directory;

  private static Packet message(int from, int to, int tag, long number, long call) {
    byte[] bytes =
        ("%d to %d, number %d".formatted(from, to, number)).getBytes(StandardCharsets.UTF_8);
    return new Packet(
        Wire.PacketKind.MESSAGE, from, to, tag, 1, number, call, ByteBuffer.wrap(bytes));
  }

  /** A rank that has begun so many receives of a channel, of which one is open. */
  private static Received received(int peer, int tag, long begun, long open) {
    ByteBuffer entries = ByteBuffer.allocate(48).order(ByteOrder.nativeOrder());
    entries.putLong(1).putInt(peer).putInt(tag).putLong(begun);
    entries.putLong(1).putInt(peer).putInt(tag).putLong(open).flip();
    return Received.of(new Packet(Wire.PacketKind.HELLO, 0, 0, 0, 0, 1, 1, entries));
  }

  /** As a rank keeps them: each behind its seal. */
  private static byte[] bytes(Packet... packets) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Packet packet : packets) {
      ByteBuffer[] parts = packet.encoded();
      ByteBuffer seal = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
      seal.putLong(Seal.of(parts[0])).putLong(Seal.of(parts[1])).flip();
      for (ByteBuffer part : List.of(parts[0], seal, parts[1])) {
        byte[] copy = new byte[part.remaining()];
        part.get(copy);
        all.write(copy);
      }
    }
    return all.toByteArray();
  }

  private List<Packet> inTransit(Received... received) throws IOException {
    return KeptMessages.in(directory, RANKS).inTransit(rank -> MARKS[rank], List.of(received));
  }

  @Test
  void whatWasSentBeforeAndNotReceivedIsInTransit() throws IOException {
    // Of five messages rank 1 has begun to receive three, of which the second is still open.
    Packet[] sent = new Packet[5];
    Arrays.setAll(sent, number -> message(0, 1, 7, number, number < 4 ? number : 10));
    Files.write(directory.resolve("rank-0.sent"), bytes(sent));
    List<Packet> transit = inTransit(received(1, 7, 0, 0), received(0, 7, 3, 1));
    assertThat(transit).extracting(Packet::number).containsExactly(1L, 3L);
    assertThat(transit.getFirst().bytes()).isEqualTo(sent[1].bytes());
  }

  @Test
  void theMessageInWhichARankWasKilledIsLeftOut() throws IOException {
    byte[] whole = bytes(message(0, 1, 7, 0, 0), message(0, 1, 7, 1, 1));
    Files.write(directory.resolve("rank-0.sent"), Arrays.copyOf(whole, whole.length - 1));
    assertThat(inTransit(received(1, 7, 0, 0), received(0, 7, 0, 0))).hasSize(1);
  }

  @Test
  void theMessageOfAnotherRankIsRefused() throws IOException {
    Files.write(directory.resolve("rank-0.sent"), bytes(message(1, 0, 7, 0, 0)));
    assertThatThrownBy(() -> KeptMessages.in(directory, RANKS))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("a message of rank 1");
  }

  @Test
  void ofADamagedLogNothingIsTakenThatWasNotWritten() throws IOException {
    long seed = Long.getLong("reprise.seed", System.nanoTime() % 100_000);
    Random random = new Random(seed);
    List<Packet> sent =
        List.of(message(0, 1, 7, 0, 0), message(0, 1, 8, 0, 1), message(0, 1, 7, 1, 2));
    byte[] whole = bytes(sent.toArray(Packet[]::new));
    int refused = 0;
    for (int i = 0; i < 500; i++) {
      byte[] damaged = whole.clone();
      for (int hit = 1 + random.nextInt(4); hit > 0; hit--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      Files.write(directory.resolve("rank-0.sent"), damaged);
      try {
        assertThat(inTransit(received(1, 7, 0, 0), received(0, 7, 0, 0)))
            .as("seed %d", seed)
            .isEqualTo(sent);
      } catch (TraceError damage) {
        refused++;
        assertThat(damage.cause()).as("seed %d", seed).endsWith("is damaged: rank-0.sent");
      }
    }
    assertThat(refused).as("seed %d", seed).isGreaterThan(400);
  }

  /** Nobody makes the debugger take memory for bytes that do not come. */
  @Test
  void aPacketThatPromisesMoreThanItHasEndsEarly() throws IOException {
    ByteBuffer head = message(0, 1, 7, 0, 0).encoded()[0];
    head.order(ByteOrder.nativeOrder()).putLong(40, Integer.MAX_VALUE - 64L);
    byte[] promised = new byte[Packet.HEAD_BYTES + 10];
    head.get(promised, 0, Packet.HEAD_BYTES);
    assertThatThrownBy(() -> Packet.read(Channels.newChannel(new ByteArrayInputStream(promised))))
        .isInstanceOf(EOFException.class);
  }
}
