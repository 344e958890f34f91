package org.reprise.trace.file;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The page that a rank and the debugger share: {@code struct reprise_hold} of reprise_wire.h. */
public final class HoldPage {
  /** No hold: the rank runs to its end. */
  public static final long NEVER = -1;

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final int UNTIL = 0;
  private static final int CALLS = 8;
  private static final int STATE = 16;
  private static final int PID = 20;
  private static final int DELIVERS = 24;
  private static final int INSIDE = 32;
  private static final int BYTES = 4096;

  private final ByteBuffer page;

  private HoldPage(ByteBuffer page) {
    this.page = page;
  }

  /** Makes the page of a rank, with its first hold, before there is the rank. */
  public static HoldPage create(Path file, long until) throws IOException {
    PrivateFiles.createFile(file);
    HoldPage page = open(file);
    page.stayInside(NEVER);
    page.holdAt(until);
    page.deliver(true);
    return page;
  }

  /** The page that was made, for the rank. */
  public static HoldPage open(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new HoldPage(channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES));
    }
  }

  /** The rank's: the process that it is. */
  public void begin(int pid) {
    INT.setVolatile(page, PID, pid);
  }

  /** The rank's: how many calls it has returned from, and where it is. */
  public void say(long calls, Wire.HoldState state) {
    LONG.setVolatile(page, CALLS, calls);
    INT.setVolatile(page, STATE, state.ordinal());
  }

  public void holdAt(long call) {
    LONG.setVolatile(page, UNTIL, call);
  }

  public long until() {
    return (long) LONG.getVolatile(page, UNTIL);
  }

  /** Keeps a restored rank in the call with this number, until it is told otherwise. */
  public void stayInside(long call) {
    LONG.setVolatile(page, INSIDE, call);
  }

  public void deliver(boolean on) {
    INT.setVolatile(page, DELIVERS, on ? 1 : 0);
  }

  public long calls() {
    return (long) LONG.getVolatile(page, CALLS);
  }

  /** What the rank says; it is untrusted, as everything from a rank. */
  public Wire.HoldState state() {
    return switch ((int) INT.getVolatile(page, STATE)) {
      case 1 -> Wire.HoldState.INSIDE;
      case 2 -> Wire.HoldState.HELD;
      default -> Wire.HoldState.OUTSIDE;
    };
  }

  /** Zero until the rank is connected: before main, or when it has returned from MPI_Init. */
  public int pid() {
    return (int) INT.getVolatile(page, PID);
  }
}
