package org.reprise.ranks.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The three standard streams of one rank, each made when it is first used. */
public final class RankStreams {
  private final Output out;
  private final Output err;
  private final Supplier<InputStream> inSource;
  private @Nullable InputStream in;

  public RankStreams(
      Supplier<OutputStream> out,
      Supplier<OutputStream> err,
      Supplier<InputStream> in,
      Charset charset) {
    this.out = new Output(out, charset);
    this.err = new Output(err, charset);
    this.inSource = in;
  }

  PrintStream out() {
    return out.printer();
  }

  PrintStream err() {
    return err.printer();
  }

  synchronized InputStream in() {
    InputStream known = in;
    if (known == null) {
      known = inSource.get();
      in = known;
    }
    return known;
  }

  void setOut(PrintStream stream) {
    out.set(stream);
  }

  void setErr(PrintStream stream) {
    err.set(stream);
  }

  synchronized void setIn(InputStream stream) {
    in = stream;
  }

  /** Passes on all that the rank has printed, what is no whole line yet, too. */
  void finish() {
    out.finish();
    err.finish();
  }

  /** Standard output or standard error: where it goes, and what the program prints to. */
  private static final class Output {
    private final Supplier<OutputStream> source;
    private final Charset charset;
    private @Nullable OutputStream target;
    private @Nullable PrintStream printer;

    Output(Supplier<OutputStream> source, Charset charset) {
      this.source = source;
      this.charset = charset;
    }

    synchronized PrintStream printer() {
      PrintStream known = printer;
      if (known == null) {
        OutputStream made = source.get();
        // Flushed by the program alone: what it goes to passes whole lines on by itself.
        known = new PrintStream(made, false, charset);
        target = made;
        printer = known;
      }
      return known;
    }

    synchronized void set(PrintStream other) {
      printer = other;
    }

    synchronized void finish() {
      if (printer != null) {
        printer.flush();
      }
      if (target != null) {
        try {
          target.close();
        } catch (IOException e) {
          // Nobody reads it any more (reprise run ... | head): as with System.out, no error.
        }
      }
    }
  }
}
