package org.reprise.debugger.hold;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.reprise.launch.process.Keeper;
import org.reprise.launch.process.Scratch;
import org.reprise.trace.UserError;
import org.reprise.trace.file.HoldPage;
import org.reprise.trace.file.Wire;

/**
 * The processes of one replay, each of which can be held at any of its calls. A rank and its
 * debugger share a page, which says where to hold and where the rank is, and are connected by two
 * sockets: one wakes the rank and is its end when it closes, the other ends the rank with the
 * debugger.
 */
public final class HeldJob implements AutoCloseable {
  /** What the address of a socket may have, less the name of the file. */
  private static final int DIRECTORY_BYTES_MAX = 90;

  private final Keeper keeper;
  private final Scratch control;
  private final ServerSocketChannel server;
  private final List<HoldPage> pages = new ArrayList<>();
  private final AtomicReferenceArray<SocketChannel> words;
  private final List<SocketChannel> lifelines = new ArrayList<>();
  private final boolean[] ended;
  private final JobProcesses processes;
  private final Bell bell;

  private HeldJob(Function<Path, JobProcesses> command, List<Stop> stops, Bell bell, Path parent)
      throws IOException {
    this.bell = bell;
    int ranks = stops.size();
    words = new AtomicReferenceArray<>(ranks);
    ended = new boolean[ranks];
    keeper = Keeper.start();
    control = Scratch.create(parent, "reprise-debug-");
    boolean done = false;
    ServerSocketChannel opened = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      keeper.keep(control.path());
      opened.bind(UnixDomainSocketAddress.of(control.path().resolve("socket")), 2 * ranks + 16);
      for (int rank = 0; rank < ranks; rank++) {
        pages.add(HoldPage.create(control.path().resolve("rank-" + rank), stops.get(rank).until()));
      }
      server = opened;
      Thread.ofVirtual().name("ranks").start(this::accept);
      processes = command.apply(control.path());
      done = true;
    } finally {
      if (!done) {
        opened.close();
        control.close();
        keeper.close();
      }
    }
    Thread.ofVirtual().name("job").start(this::watchEnd);
  }

  /** Where directories of sockets can be: their addresses are short. */
  public static Path parent() {
    String temporary = System.getenv().getOrDefault("TMPDIR", "/tmp");
    boolean fits = temporary.getBytes(StandardCharsets.UTF_8).length <= DIRECTORY_BYTES_MAX - 30;
    return Path.of(fits ? temporary : "/tmp");
  }

  /**
   * Starts processes whose ranks go to these stops.
   *
   * @param command starts them; it is given the directory of their holds
   */
  public static HeldJob start(Function<Path, JobProcesses> command, List<Stop> stops, Bell bell) {
    try {
      return new HeldJob(command, stops, bell, parent());
    } catch (IOException e) {
      throw new UserError(
          "the debugger has no place for its own files",
          String.valueOf(e.getMessage()),
          "make room, or set TMPDIR to a directory you may write to");
    }
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel channel = server.accept();
        Thread.ofVirtual().start(() -> greet(channel));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void greet(SocketChannel channel) {
    ByteBuffer hello = ByteBuffer.allocate(4).order(ByteOrder.nativeOrder());
    try {
      while (hello.hasRemaining()) {
        if (channel.read(hello) < 0) {
          channel.close();
          return;
        }
      }
      long word = Integer.toUnsignedLong(hello.flip().getInt());
      int rank = (int) (word & ~(Wire.HOLD_LIFELINE | Wire.HOLD_EARLY));
      if (rank >= pages.size()) {
        channel.close();
      } else if ((word & Wire.HOLD_LIFELINE) != 0) {
        synchronized (lifelines) {
          lifelines.add(channel);
        }
      } else {
        words.set(rank, channel);
        bell.ring();
        listen(channel);
        boolean early = (word & Wire.HOLD_EARLY) != 0;
        if (!early) {
          end(rank, channel);
        } else if (words.compareAndSet(rank, channel, null)) {
          // A process that was none of the rank's, or one that ends before MPI_Init.
          bell.ring();
        }
      }
    } catch (IOException e) {
      // The rank has died.
    }
  }

  /** A rank says that it has come to its hold, and by the end of its words that it is no more. */
  private void listen(SocketChannel channel) {
    ByteBuffer said = ByteBuffer.allocate(64);
    try {
      while (channel.read(said.clear()) >= 0) {
        bell.ring();
      }
    } catch (IOException e) {
      // It is no more.
    }
  }

  private void end(int rank, SocketChannel channel) {
    if (words.get(rank) == channel) {
      synchronized (ended) {
        ended[rank] = true;
      }
    }
    bell.ring();
  }

  private void watchEnd() {
    try {
      while (processes.isAlive()) {
        Thread.sleep(20);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    bell.ring();
  }

  public int ranks() {
    return pages.size();
  }

  /** Whether any of it still runs. */
  public boolean isAlive() {
    return processes.isAlive();
  }

  /** The processes, for their end. */
  public JobProcesses processes() {
    return processes;
  }

  public RankState state(int rank) {
    HoldPage page = pages.get(rank);
    if (!processes.isThere(rank)) {
      return new RankState(RankState.Kind.ABSENT, 0);
    }
    synchronized (ended) {
      if (ended[rank] || !processes.isAlive()) {
        return new RankState(RankState.Kind.ENDED, page.calls());
      }
    }
    if (words.get(rank) == null) {
      return new RankState(RankState.Kind.STARTING, 0);
    }
    RankState.Kind kind =
        switch (page.state()) {
          case HELD -> RankState.Kind.HELD;
          case INSIDE -> RankState.Kind.INSIDE;
          case OUTSIDE -> RankState.Kind.RUNNING;
        };
    // A rank that was just let go has not said so yet.
    boolean letGo =
        kind == RankState.Kind.HELD && Long.compareUnsigned(page.calls(), page.until()) < 0;
    return new RankState(letGo ? RankState.Kind.RUNNING : kind, page.calls());
  }

  /** The process of a rank that has been started and not ended. */
  public Optional<Long> process(int rank) {
    RankState.Kind kind = state(rank).kind();
    return switch (kind) {
      case STARTING, ENDED, ABSENT -> Optional.empty();
      case RUNNING, INSIDE, HELD -> Optional.of((long) pages.get(rank).pid());
    };
  }

  /** Lets a rank go on to a stop; one that runs goes there directly. */
  public void send(int rank, Stop stop) {
    pages.get(rank).stayInside(stop.inside() ? stop.calls() : HoldPage.NEVER);
    pages.get(rank).holdAt(stop.until());
    wake(rank);
  }

  /** Holds a rank at the next call that it makes. */
  public void holdNow(int rank) {
    pages.get(rank).holdAt(0);
  }

  /** Whether held ranks let the library deliver messages: while others are on their way. */
  public void deliver(boolean on) {
    for (int rank = 0; rank < pages.size(); rank++) {
      pages.get(rank).deliver(on);
      if (on) {
        wake(rank);
      }
    }
  }

  private void wake(int rank) {
    SocketChannel channel = words.get(rank);
    if (channel == null) {
      return;
    }
    try {
      channel.write(ByteBuffer.wrap(new byte[] {'g'}));
    } catch (IOException e) {
      // It is no more; who listens to it says so.
    }
  }

  @Override
  public void close() {
    processes.close();
    try {
      server.close();
      for (int rank = 0; rank < pages.size(); rank++) {
        SocketChannel channel = words.get(rank);
        if (channel != null) {
          channel.close();
        }
      }
      synchronized (lifelines) {
        for (SocketChannel lifeline : lifelines) {
          lifeline.close();
        }
      }
      control.close();
      keeper.close();
    } catch (IOException e) {
      keeper.takeOver(); // a rank that is just being ended still writes there
    }
  }
}
