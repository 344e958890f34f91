package org.reprise.ranks.hold;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.reprise.trace.UserError;
import org.reprise.trace.file.HoldPage;
import org.reprise.trace.file.Wire;

/**
 * A rank that a debugger holds: on entry of a call, before it does anything, when so many calls are
 * behind it. As the library of events does for ranks of an MPI (interposer/events/hold.c): a page
 * that both see says where, and a socket wakes the rank.
 */
public final class RankHold {
  private final HoldPage page;
  private final SocketChannel words;
  private long calls;
  private boolean pastLastCall;

  RankHold(Path control, int rank) {
    try {
      page = HoldPage.open(control.resolve("rank-" + rank));
      words = connect(control, rank);
    } catch (IOException e) {
      throw noDebugger(control, e);
    }
  }

  static SocketChannel connect(Path control, long hello) throws IOException {
    SocketChannel channel =
        SocketChannel.open(UnixDomainSocketAddress.of(control.resolve("socket")));
    ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
    word.putInt((int) hello).flip();
    while (word.hasRemaining()) {
      channel.write(word);
    }
    return channel;
  }

  static UserError noDebugger(Path control, IOException why) {
    return new UserError(
        "the debugger that holds the ranks cannot be reached",
        control + ": " + why.getMessage(),
        "start it again: reprise debug");
  }

  /** Holds it before its program, so that there can be breakpoints in its first lines. */
  void begin() {
    page.begin((int) ProcessHandle.current().pid());
    Thread.ofVirtual().name("hold").start(this::listen);
    synchronized (this) {
      awaitRelease();
      page.say(calls, Wire.HoldState.OUTSIDE);
    }
  }

  /** The debugger's words say nothing but that the page may have changed. */
  private void listen() {
    ByteBuffer said = ByteBuffer.allocate(64);
    try {
      while (words.read(said.clear()) >= 0) {
        synchronized (this) {
          notifyAll();
        }
      }
    } catch (IOException e) {
      // The rank has ended.
    }
  }

  /** The rank makes a call; returns when it may begin it. */
  public synchronized void enter() {
    if (calls > 0) { // MPI.Init is entered by all, as in a program in C
      awaitRelease();
    }
    page.say(calls, Wire.HoldState.INSIDE);
  }

  /** The call is over. */
  public synchronized void leave() {
    calls++;
    page.say(calls, Wire.HoldState.OUTSIDE);
  }

  /** There is no call to come: who was to be held at the next one is held here. */
  public synchronized void afterLastCall() {
    if (!pastLastCall) {
      pastLastCall = true;
      awaitRelease();
      page.say(calls, Wire.HoldState.OUTSIDE);
    }
  }

  private boolean isHeld() {
    return Long.compareUnsigned(calls, page.until()) >= 0;
  }

  private void awaitRelease() {
    boolean interrupted = false;
    if (isHeld()) {
      page.say(calls, Wire.HoldState.HELD);
      ring();
    }
    while (isHeld()) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void ring() {
    // The thread of a job that ends is interrupted, and its socket must survive that.
    boolean interrupted = Thread.interrupted();
    try {
      words.write(ByteBuffer.wrap(new byte[] {'h'}));
    } catch (IOException e) {
      // The debugger is no more; the lifeline says so.
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The rank has ended. */
  public void end() {
    try {
      words.close();
    } catch (IOException e) {
      // So it is closed.
    }
  }
}
