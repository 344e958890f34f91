package org.reprise.debugger.restore;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reprise.debugger.hold.Bell;
import org.reprise.trace.TraceError;

/**
 * Where the messages of restored ranks go through. It knows what each of them had received at its
 * checkpoint: what is sent again, though its receiver has it, is dropped; what was sent before the
 * sender's checkpoint comes from what was kept.
 */
final class Hub implements AutoCloseable {
  /** The mark of a rank that is not restored: behind all that it does. */
  static final long ABSENT = Long.MAX_VALUE;

  /** The tag of a refusal whose reason is not the program. */
  private static final int DAMAGED = 1;

  private final long[] marks;
  private final KeptMessages kept;
  private final Bell bell;
  private final Consumer<String> printed;
  private final ServerSocketChannel server;
  private final AtomicReferenceArray<Received> received;
  private final List<BlockingQueue<Packet>> queues = new ArrayList<>();
  private final List<SocketChannel> channels = new ArrayList<>();
  private final CountDownLatch hellos;
  private final CountDownLatch transit = new CountDownLatch(1);
  private final @Nullable Integer[] exits;
  private volatile boolean hushed;
  private volatile @Nullable String refusal;
  private volatile @Nullable TraceError damage;

  /**
   * A hub in a directory.
   *
   * @param marks at which call each rank begins; {@link #ABSENT} for one that is not there:
   *     whatever it sends was kept, and nothing is sent to it
   */
  Hub(Path directory, long[] marks, KeptMessages kept, Bell bell, Consumer<String> printed)
      throws IOException {
    this.marks = marks.clone();
    this.kept = kept;
    this.bell = bell;
    this.printed = printed;
    received = new AtomicReferenceArray<>(marks.length);
    exits = new Integer[marks.length];
    int there = 0;
    for (int rank = 0; rank < marks.length; rank++) {
      queues.add(new LinkedBlockingQueue<>());
      if (isThere(rank)) {
        there++;
      } else {
        received.set(rank, Received.everything());
        exits[rank] = 0;
      }
    }
    hellos = new CountDownLatch(there);
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(directory.resolve("hub")), 2 * marks.length + 16);
    Thread.ofVirtual().name("hub").start(this::accept);
    Thread.ofVirtual().name("transit").start(this::sendTransit);
  }

  /** Whether a rank was restored. */
  boolean isThere(int rank) {
    return marks[rank] != ABSENT;
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel channel = server.accept();
        synchronized (channels) {
          channels.add(channel);
        }
        Thread.ofVirtual().start(() -> serve(channel));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(SocketChannel channel) {
    try (channel) {
      Packet first = Packet.read(channel);
      if (first.rank() >= marks.length) {
        return;
      }
      switch (first.kind()) {
        case OUTPUT -> pass(first.rank(), channel);
        case HELLO -> {
          if (received.compareAndSet(first.rank(), null, Received.of(first))) {
            hellos.countDown();
            Thread.ofVirtual().start(() -> write(first.rank(), channel));
            transit.await();
            route(first.rank(), channel);
          }
        }
        default -> {
          // Nobody begins with this.
        }
      }
    } catch (IOException e) {
      // It is no more, and whoever holds it says so.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      bell.ring();
    }
  }

  /** When it is known what everybody had received. */
  private void sendTransit() {
    try {
      hellos.await();
      List<Received> all = new ArrayList<>();
      for (int rank = 0; rank < marks.length; rank++) {
        all.add(received.get(rank));
      }
      for (Packet packet : kept.inTransit(rank -> marks[rank], all)) {
        queues.get(packet.peer()).add(packet.delivered());
      }
      transit.countDown();
    } catch (IOException e) {
      refuse("what was kept for checkpoints cannot be read: " + e.getMessage());
    } catch (TraceError e) {
      refuse(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void route(int rank, SocketChannel channel) throws IOException {
    while (true) {
      Packet packet = Packet.read(channel);
      switch (packet.kind()) {
        case MESSAGE -> {
          int to = packet.peer();
          if (packet.rank() != rank || to < 0 || to >= marks.length) {
            throw new IOException("a message to nobody");
          }
          if (!received.get(to).has(rank, packet.comm(), packet.tag(), packet.number())) {
            queues.get(to).add(packet.delivered());
          }
        }
        case REFUSED -> {
          String what = StandardCharsets.UTF_8.decode(packet.bytes().duplicate()).toString();
          if (packet.tag() == DAMAGED) {
            refuse(KeptMessages.damaged(what, "not what was written"));
          } else {
            refuse("rank %d: %s: not supported in restored ranks".formatted(rank, what));
          }
        }
        case EXIT -> {
          synchronized (exits) {
            exits[rank] = packet.tag();
          }
        }
        default -> throw new IOException("no word of a restored rank");
      }
    }
  }

  private void write(int rank, SocketChannel channel) {
    try {
      while (true) {
        ByteBuffer[] parts = queues.get(rank).take().encoded();
        while (parts[1].hasRemaining() || parts[0].hasRemaining()) {
          channel.write(parts);
        }
      }
    } catch (IOException e) {
      // It is no more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void pass(int rank, SocketChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(1 << 14);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (channel.read(buffer.clear()) >= 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        byte next = buffer.get();
        if (next == '\n') {
          print(rank, line);
        } else {
          line.write(next);
        }
      }
    }
    if (line.size() > 0) {
      print(rank, line);
    }
  }

  private void print(int rank, ByteArrayOutputStream line) {
    if (!hushed) {
      printed.accept("[" + rank + "] " + line.toString(StandardCharsets.UTF_8));
    }
    line.reset();
  }

  private void refuse(TraceError what) {
    damage = what;
    refuse(what.cause());
  }

  private void refuse(String why) {
    if (refusal == null) {
      refusal = why;
    }
    bell.ring();
  }

  /** What was kept is not what was written. */
  Optional<TraceError> damage() {
    return Optional.ofNullable(damage);
  }

  /** Why a rank could not be served, if one could not. */
  Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** The highest status with which ranks have ended, if all have said so. */
  OptionalInt exitStatus() {
    synchronized (exits) {
      int highest = 0;
      for (Integer exit : exits) {
        if (exit == null) {
          return OptionalInt.empty();
        }
        highest = Math.max(highest, exit & 0xff);
      }
      return OptionalInt.of(highest);
    }
  }

  void hush() {
    hushed = true;
  }

  @Override
  public void close() {
    try {
      server.close();
      synchronized (channels) {
        for (SocketChannel channel : channels) {
          channel.close();
        }
      }
    } catch (IOException e) {
      // The kernel closes them with us.
    }
  }
}
