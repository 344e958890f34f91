package org.reprise.trace.order;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalInt;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.RecordBytes;
import org.reprise.trace.file.Wire;

/**
 * Reads the outcomes of one {@code rank-<r>.order} file in the order they were written. It takes a
 * file that is still being written, too: it ends where the header ended when the reader was opened.
 */
public final class OrderReader implements Iterator<NumberedOutcome>, AutoCloseable {
  /** No job has so many ranks; a larger source is a damaged byte. */
  public static final int SOURCES_MAX = 1 << 24;

  private static final Wire.Kind[] KINDS = Wire.Kind.values();

  private final RecordBytes bytes;
  private long number;
  private long expectedPost;

  private OrderReader(RecordBytes bytes) {
    this.bytes = bytes;
  }

  public static OrderReader open(Path file) {
    return new OrderReader(RecordBytes.open(file, Wire.FileKind.ORDER));
  }

  /** Reads what would be in a file of this name. */
  public static OrderReader of(byte[] contents, Path file) {
    return new OrderReader(RecordBytes.of(contents, file, Wire.FileKind.ORDER));
  }

  public RankHeader header() {
    return bytes.header();
  }

  @Override
  public boolean hasNext() {
    if (!bytes.atEnd()) {
      return true;
    }
    // Records and their number are committed one after the other: a rank that was killed in
    // between left them one apart.
    boolean killed = header().state() == Wire.State.RUNNING;
    if (number != header().outcomes() && !killed) {
      bytes.beginRecord();
      throw bytes.damaged(number + " outcomes, though the header counts " + header().outcomes());
    }
    return false;
  }

  @Override
  public NumberedOutcome next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    long offset = bytes.beginRecord();
    int first = bytes.nextByte();
    Wire.Kind kind = KINDS[first & 0x0f];
    long operand = bytes.firstOperand(first);
    return new NumberedOutcome(number++, offset, outcome(kind, operand));
  }

  private Outcome outcome(Wire.Kind kind, long operand) {
    return switch (kind) {
      case END -> throw bytes.damaged("a record of kind 0 among the committed ones");
      case RECV -> new Outcome.Recv(source(operand), OptionalInt.empty());
      case RECV_TAG -> new Outcome.Recv(source(operand), tag());
      case PROBE -> new Outcome.Probe(source(operand), OptionalInt.empty());
      case PROBE_TAG -> new Outcome.Probe(source(operand), tag());
      case POST -> new Outcome.Post(post(), source(operand), OptionalInt.empty());
      case POST_TAG -> new Outcome.Post(post(), source(operand), tag());
      case POST_END -> new Outcome.PostEnd(post(), constant(Wire.PostEnd.class, operand));
      case POLLS -> new Outcome.FailedPolls(operand);
      case HIT -> new Outcome.Hit(constant(Wire.Poll.class, operand));
      case FOUND -> new Outcome.Found(source(operand), OptionalInt.empty());
      case FOUND_TAG -> new Outcome.Found(source(operand), tag());
      case INDEX ->
          new Outcome.Index(
              operand == 0
                  ? OptionalInt.empty()
                  : OptionalInt.of(bytes.toInt(operand - 1, "index")));
      case INDICES ->
          operand == 0
              ? new Outcome.Indices(false, List.of())
              : new Outcome.Indices(true, numbers(operand - 1, "index"));
      case ERROR -> {
        int code = bytes.operand32("error code");
        yield new Outcome.Errors(code, numbers(operand, "error code"));
      }
      case MORE -> more(constant(Wire.More.class, operand));
    };
  }

  private Outcome more(Wire.More more) {
    return switch (more) {
      case CHECK -> new Outcome.Check(bytes.operand32("check"));
      case THREAD -> new Outcome.ThreadSwitch(bytes.operand());
      case TURN -> new Outcome.Turn(bytes.operand(), bytes.operand());
      case FREE -> new Outcome.Free(bytes.operand());
      case AGAIN -> new Outcome.Again(bytes.operand());
    };
  }

  private int source(long operand) {
    if (operand >= SOURCES_MAX) {
      throw bytes.damaged("source " + operand + " is impossible");
    }
    return (int) operand;
  }

  private OptionalInt tag() {
    return OptionalInt.of(bytes.operand32("tag"));
  }

  private long post() {
    long post = expectedPost + bytes.zigzag();
    long posts = header().get(HeaderField.POSTS);
    if (post < 0 || post >= posts) {
      throw bytes.damaged("post number " + post + ", though the header counts " + posts + " posts");
    }
    expectedPost = post + 1;
    return post;
  }

  /** Every number takes a byte at least, so a count beyond the file's end costs no memory. */
  private List<Integer> numbers(long count, String what) {
    if (count > bytes.remaining()) {
      throw bytes.damaged(
          "a list of " + count + " numbers, but only " + bytes.remaining() + " bytes are left");
    }
    List<Integer> numbers = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      numbers.add(bytes.operand32(what));
    }
    return numbers;
  }

  private <E extends Enum<E>> E constant(Class<E> type, long number) {
    return Wire.constant(type, number)
        .orElseThrow(() -> bytes.damaged(type.getSimpleName() + " " + number + " is unknown"));
  }

  @Override
  public void close() {
    bytes.close();
  }
}
