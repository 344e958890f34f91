package org.reprise.debugger.restore;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reprise.debugger.hold.Bell;
import org.reprise.debugger.hold.Stop;
import org.reprise.trace.file.Wire;

/**
 * The processes that wait to be restored. Each is connected, and ends when its connection does: so
 * none outlives this process, however that ends.
 */
final class CheckpointProcesses implements AutoCloseable {
  /** A checkpoint: of a rank, at one of its calls. */
  record Key(int rank, long call) {}

  private record Waiting(SocketChannel channel, long process) {}

  private final Bell bell;
  private final ServerSocketChannel server;
  private final Map<Key, Waiting> waiting = new HashMap<>();
  private final List<SocketChannel> channels = new ArrayList<>();
  private final int ranks;
  private long taken;
  private @Nullable String refusal;

  CheckpointProcesses(Path directory, int ranks, int marks, Bell bell) throws IOException {
    this.bell = bell;
    this.ranks = ranks;
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(directory.resolve("socket")), ranks + marks + 16);
    Thread.ofVirtual().name("checkpoints").start(this::accept);
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel channel = server.accept();
        synchronized (this) {
          channels.add(channel);
        }
        Thread.ofVirtual().start(() -> listen(channel));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void listen(SocketChannel channel) {
    Key key = null;
    try (channel) {
      while (true) {
        Packet said = Packet.read(channel);
        if (said.rank() >= ranks) {
          return;
        }
        synchronized (this) {
          switch (said.kind()) {
            case TAKEN -> taken++;
            case REFUSED ->
                refusal =
                    "rank %d has %s"
                        .formatted(said.rank(), StandardCharsets.UTF_8.decode(said.bytes()));
            case WAITS -> {
              key = new Key(said.rank(), said.call());
              waiting.put(key, new Waiting(channel, said.tag()));
            }
            default -> throw new IOException("no word of a checkpoint");
          }
        }
        bell.ring();
      }
    } catch (IOException e) {
      // It has ended.
    }
    synchronized (this) {
      if (key != null) {
        waiting.remove(key);
      }
      channels.remove(channel);
    }
    bell.ring();
  }

  /** How many the ranks have said that they have taken. */
  synchronized long taken() {
    return taken;
  }

  /** Why a rank cannot be restored, in words. */
  synchronized Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }

  synchronized boolean has(int rank, long call) {
    return waiting.containsKey(new Key(rank, call));
  }

  /** Makes a rank of a checkpoint, whose debugger is in this directory; false if it has ended. */
  boolean restore(int rank, long call, Path directory) {
    Waiting one;
    synchronized (this) {
      one = waiting.get(new Key(rank, call));
    }
    if (one == null) {
      return false;
    }
    ByteBuffer path = ByteBuffer.wrap(directory.toString().getBytes(StandardCharsets.UTF_8));
    ByteBuffer[] parts =
        new Packet(Wire.PacketKind.RESTORE, rank, 0, 0, 0, 0, call, path).encoded();
    try {
      while (parts[0].hasRemaining() || parts[1].hasRemaining()) {
        one.channel.write(parts);
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** How much memory all have that is nobody else's. */
  long memory() {
    List<Waiting> all;
    synchronized (this) {
      all = List.copyOf(waiting.values());
    }
    return all.stream().mapToLong(one -> CheckpointMemory.own(one.process)).sum();
  }

  /** Gives a checkpoint up, and its memory; false if there is none. */
  synchronized boolean drop(int rank, long call) {
    Waiting one = call <= Stop.FIRST.calls() ? null : waiting.remove(new Key(rank, call));
    if (one == null) {
      return false;
    }
    try {
      one.channel.close();
    } catch (IOException e) {
      // It has ended already.
    }
    return true;
  }

  @Override
  public synchronized void close() {
    try {
      server.close();
      for (SocketChannel channel : List.copyOf(channels)) {
        channel.close();
      }
    } catch (IOException e) {
      // The kernel closes them with us.
    }
  }
}
