package org.reprise.trace.events;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RecordBytes;
import org.reprise.trace.file.RunFile;
import org.reprise.trace.file.Wire;
import org.reprise.trace.text.PlainText;

/** The call sites of one rank: what the numbers mean by which its events name them. */
public final class CallSites {
  private static final int TEXT_BYTES_MAX = 1 << 16;

  private final List<CallSite> sites;
  private final int framesWanted;

  private CallSites(List<CallSite> sites, int framesWanted) {
    this.sites = sites;
    this.framesWanted = framesWanted <= 0 ? Integer.MAX_VALUE : framesWanted;
  }

  /** Those of a rank of which no call site is known. */
  public static CallSites none() {
    return new CallSites(List.of(), 0);
  }

  /** Reads {@code rank-<r>.sites}; none if there is no such file. */
  public static CallSites read(Path file) {
    if (!RunFile.isThere(file)) {
      return none();
    }
    try (RecordBytes bytes = RecordBytes.open(file, Wire.FileKind.SITES)) {
      return of(bytes);
    }
  }

  /** Reads what would be in a file of this name. */
  public static CallSites read(byte[] contents, Path file) {
    try (RecordBytes bytes = RecordBytes.of(contents, file, Wire.FileKind.SITES)) {
      return of(bytes);
    }
  }

  /** The same; empty while the rank still writes it, or has not begun. */
  public static Optional<CallSites> readWhenWhole(Path file) {
    if (!RunFile.isThere(file)) {
      return Optional.empty();
    }
    try (RecordBytes bytes = RecordBytes.open(file, Wire.FileKind.SITES)) {
      return bytes.header().state() == Wire.State.FINALIZED
          ? Optional.of(of(bytes))
          : Optional.empty();
    } catch (TraceError e) {
      return Optional.empty(); // It has no header yet.
    }
  }

  private static CallSites of(RecordBytes bytes) {
    return new CallSites(
        new Reading(bytes).all(), (int) bytes.header().get(HeaderField.FRAMES_WANTED));
  }

  /** How many frames of a stack the user asked for; more may be there, to see past wrappers. */
  public int framesWanted() {
    return framesWanted;
  }

  /** The site with this number, from 1; empty for one that is unknown. */
  public Optional<CallSite> site(int number) {
    return number >= 1 && number <= sites.size()
        ? Optional.of(sites.get(number - 1))
        : Optional.empty();
  }

  public List<CallSite> all() {
    return List.copyOf(sites);
  }

  private static final class Reading {
    private final RecordBytes bytes;
    private final List<CallSite.Module> modules = new ArrayList<>();
    private final List<CallSite> sites = new ArrayList<>();

    Reading(RecordBytes bytes) {
      this.bytes = bytes;
    }

    List<CallSite> all() {
      while (!bytes.atEnd()) {
        bytes.beginRecord();
        int first = bytes.nextByte();
        Wire.SiteKind kind =
            Wire.constant(Wire.SiteKind.class, first & 0x0f)
                .orElseThrow(() -> bytes.damaged("a record of kind " + (first & 0x0f)));
        long operand = bytes.firstOperand(first);
        switch (kind) {
          case END -> throw bytes.damaged("a record of kind 0 among the committed ones");
          case MODULE -> modules.add(new CallSite.Module(text(), hex()));
          case STACK -> sites.add(new CallSite(frames(operand, this::address)));
          case LINES -> sites.add(new CallSite(frames(operand, this::line)));
        }
      }
      return sites;
    }

    /** Every frame takes a byte at least, so a count beyond the file's end costs no memory. */
    private List<CallSite.Frame> frames(long count, Supplier<CallSite.Frame> next) {
      if (count > bytes.remaining()) {
        throw bytes.damaged("a stack of " + count + " frames");
      }
      List<CallSite.Frame> frames = new ArrayList<>();
      for (long i = 0; i < count; i++) {
        frames.add(next.get());
      }
      return frames;
    }

    private CallSite.Address address() {
      long module = bytes.operand();
      if (module > modules.size()) {
        throw bytes.damaged("module " + module + " of " + modules.size());
      }
      return new CallSite.Address(
          module == 0 ? Optional.empty() : Optional.of(modules.get((int) module - 1)),
          bytes.operand());
    }

    private CallSite.Line line() {
      return new CallSite.Line(text(), text(), bytes.toInt(bytes.operand(), "line"));
    }

    private String text() {
      return PlainText.line(new String(counted(), StandardCharsets.UTF_8));
    }

    private String hex() {
      return HexFormat.of().formatHex(counted());
    }

    private byte[] counted() {
      long length = bytes.operand();
      if (length > Math.min(bytes.remaining(), TEXT_BYTES_MAX)) {
        throw bytes.damaged("a text of " + length + " bytes");
      }
      byte[] text = new byte[(int) length];
      for (int i = 0; i < text.length; i++) {
        text[i] = (byte) bytes.nextByte();
      }
      return text;
    }
  }
}
