package org.reprise.ranks.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.RankEnded;

/**
 * Stands in for the JVM's own standard streams while ranks run, and passes what JDK classes print
 * or read on behalf of a rank (stack traces, {@code IO.println}) to that rank's streams. Program
 * classes do not use these: they are rewritten to ask for their rank's streams at once.
 */
public final class SystemStreams implements AutoCloseable {
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final InputStream in = System.in;
  private final Thread.@Nullable UncaughtExceptionHandler handler =
      Thread.getDefaultUncaughtExceptionHandler();

  private SystemStreams() {}

  /** Takes the JVM's streams over until this is closed. */
  public static SystemStreams take() {
    SystemStreams taken = new SystemStreams();
    System.setOut(dispatching(taken.out, RankStreams::out));
    System.setErr(dispatching(taken.err, RankStreams::err));
    System.setIn(new DispatchedInput(taken.in));
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> taken.uncaught(thread, thrown));
    return taken;
  }

  private static PrintStream dispatching(
      PrintStream real, Function<RankStreams, PrintStream> ofRank) {
    return new PrintStream(new DispatchedOutput(real, ofRank), false, real.charset());
  }

  /** A thread of a rank's own that the job ended under has not failed. */
  private void uncaught(Thread thread, Throwable thrown) {
    if (thrown instanceof RankEnded) {
      return;
    }
    if (handler != null) {
      handler.uncaughtException(thread, thrown);
    } else {
      System.err.print("Exception in thread \"" + thread.getName() + "\" ");
      thrown.printStackTrace(System.err);
    }
  }

  @Override
  public void close() {
    Thread.setDefaultUncaughtExceptionHandler(handler);
    System.setOut(out);
    System.setErr(err);
    System.setIn(in);
  }

  private static final class DispatchedOutput extends OutputStream {
    private final PrintStream real;
    private final Function<RankStreams, PrintStream> ofRank;

    DispatchedOutput(PrintStream real, Function<RankStreams, PrintStream> ofRank) {
      this.real = real;
      this.ofRank = ofRank;
    }

    private PrintStream target() {
      @Nullable RankStreams streams = RankHome.currentStreams();
      return streams == null ? real : ofRank.apply(streams);
    }

    @Override
    public void write(int oneByte) {
      target().write(oneByte);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      target().write(bytes, offset, length);
    }

    @Override
    public void flush() {
      target().flush();
    }
  }

  private static final class DispatchedInput extends InputStream {
    private final InputStream real;

    DispatchedInput(InputStream real) {
      this.real = real;
    }

    private InputStream target() {
      @Nullable RankStreams streams = RankHome.currentStreams();
      return streams == null ? real : streams.in();
    }

    @Override
    public int read() throws IOException {
      return target().read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return target().read(bytes, offset, length);
    }

    @Override
    public int available() throws IOException {
      return target().available();
    }
  }
}
