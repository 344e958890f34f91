package org.reprise.trace.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.text.PlainText;

/**
 * The header of a rank file at one moment: who wrote it, how far the rank got, and how many bytes
 * of records are valid. While the rank lives its header changes; this is a copy that does not.
 */
public final class RankHeader {
  private final byte[] array;
  private final ByteBuffer bytes;

  private RankHeader(byte[] array) {
    this.array = array;
    this.bytes = littleEndian(array);
  }

  private static ByteBuffer littleEndian(byte[] array) {
    return ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A header as the interposer writes it at MPI_Init, for files that Reprise itself writes. */
  public static RankHeader create(Wire.FileKind file, Wire.Mode mode, Rank rank, int ranks) {
    byte[] array = new byte[Wire.HEADER_BYTES];
    ByteBuffer bytes = littleEndian(array);
    bytes.put(0, Wire.MAGIC.getBytes(StandardCharsets.US_ASCII));
    HeaderField.VERSION.put(bytes, Wire.VERSION);
    HeaderField.HEADER_BYTES.put(bytes, Wire.HEADER_BYTES);
    HeaderField.FILE.put(bytes, file.ordinal());
    HeaderField.MODE.put(bytes, mode.ordinal());
    HeaderField.RANK.put(bytes, rank.number());
    HeaderField.RANKS.put(bytes, ranks);
    HeaderField.WAITING_SOURCE.put(bytes, -1);
    return new RankHeader(array);
  }

  /** Reads and validates the first bytes of {@code file}, as far as they could be read. */
  static RankHeader parse(Path file, byte[] start, Wire.FileKind expected) {
    byte[] magic = Wire.MAGIC.getBytes(StandardCharsets.US_ASCII);
    if (start.length < magic.length
        || !Arrays.equals(start, 0, magic.length, magic, 0, magic.length)) {
      throw new TraceError(
          file + " is not a rank file of Reprise",
          start.length == 0 ? "an empty file" : "other first bytes than REPRISE",
          TraceError.fix(file));
    }
    if (start.length < HeaderField.VERSION.offset + HeaderField.VERSION.bytes) {
      throw TraceError.damaged(file, start.length, "the file ends inside its header");
    }
    long version = HeaderField.VERSION.get(littleEndian(start));
    if (!Wire.reads(version)) {
      throw new TraceError(
          file + " was written by trace format " + version + "; this Reprise reads " + Wire.READS,
          "trace format " + version,
          "use the Reprise that recorded it (reprise show names it), or record again");
    }
    if (start.length < Wire.HEADER_BYTES) {
      throw TraceError.damaged(file, start.length, "the file ends inside its header");
    }
    RankHeader header = new RankHeader(start);
    header.validate(file, expected);
    return header;
  }

  private void validate(Path file, Wire.FileKind expected) {
    require(get(HeaderField.HEADER_BYTES) == Wire.HEADER_BYTES, file, HeaderField.HEADER_BYTES);
    require(get(HeaderField.FILE) == expected.ordinal(), file, HeaderField.FILE);
    require(constant(Wire.Mode.class, HeaderField.MODE), file, HeaderField.MODE);
    require(constant(MpiFamily.class, HeaderField.MPI), file, HeaderField.MPI);
    if (get(HeaderField.RANKS) == 0) {
      throw new TraceError(
          file + " belongs to a job of zero ranks", "ranks 0", TraceError.fix(file));
    }
    require(get(HeaderField.RANKS) > 0, file, HeaderField.RANKS);
    require(rankIsPossible(), file, HeaderField.RANK);
    require(constant(Wire.State.class, HeaderField.STATE), file, HeaderField.STATE);
    require(get(HeaderField.COMMITTED) >= 0, file, HeaderField.COMMITTED);
    require(get(HeaderField.OUTCOMES) >= 0, file, HeaderField.OUTCOMES);
    require(get(HeaderField.TAIL_FROM) >= 0, file, HeaderField.TAIL_FROM);
    if (expected == Wire.FileKind.LIVE) {
      require(ringIsPossible(), file, HeaderField.RING_BYTES);
    } else {
      require(committed() - committedInFile() <= Wire.TAIL_BYTES_MAX, file, HeaderField.TAIL_FROM);
    }
    require(
        constant(Wire.DivergenceKind.class, HeaderField.DIVERGENCE_WHAT),
        file,
        HeaderField.DIVERGENCE_WHAT);
    require(
        constant(Wire.Kind.class, HeaderField.DIVERGENCE_EXPECTED_KIND),
        file,
        HeaderField.DIVERGENCE_EXPECTED_KIND);
  }

  private boolean ringIsPossible() {
    long ring = get(HeaderField.RING_BYTES);
    return ring > 0 && ring <= Wire.RING_BYTES_MAX && get(HeaderField.FILE_FROM) >= 0;
  }

  private boolean rankIsPossible() {
    long rank = get(HeaderField.RANK);
    return rank >= 0 && rank < get(HeaderField.RANKS);
  }

  private <E extends Enum<E>> boolean constant(Class<E> type, HeaderField field) {
    return Wire.constant(type, get(field)).isPresent();
  }

  private void require(boolean holds, Path file, HeaderField field) {
    if (!holds) {
      throw TraceError.damaged(
          file, field.offset, "header field " + field.cName + " is " + get(field));
    }
  }

  /** The same header with one number changed. */
  public RankHeader with(HeaderField field, long value) {
    return with(Map.of(field, value));
  }

  /** The same header with some numbers changed. */
  public RankHeader with(Map<HeaderField, Long> values) {
    RankHeader changed = new RankHeader(toArray());
    values.forEach((field, value) -> field.put(changed.bytes, value));
    return changed;
  }

  /** The same header with another host. */
  public RankHeader withHost(String host) {
    return with(Map.of(), host);
  }

  /** The same header with some numbers changed, and another host. */
  public RankHeader with(Map<HeaderField, Long> values, String host) {
    RankHeader changed = with(values);
    byte[] name = Arrays.copyOf(host.getBytes(StandardCharsets.UTF_8), HeaderField.HOST_BYTES);
    System.arraycopy(name, 0, changed.array, HeaderField.HOST_OFFSET, name.length);
    return changed;
  }

  /** The same header with another count for one call. */
  public RankHeader withCallCount(int call, long count) {
    byte[] copy = toArray();
    littleEndian(copy).putLong(HeaderField.CALL_COUNTS_OFFSET + Long.BYTES * call, count);
    return new RankHeader(copy);
  }

  public byte[] toArray() {
    return array.clone();
  }

  public long get(HeaderField field) {
    return field.get(bytes);
  }

  public Wire.FileKind file() {
    return Wire.FileKind.values()[(int) get(HeaderField.FILE)];
  }

  public Wire.Mode mode() {
    return Wire.Mode.values()[(int) get(HeaderField.MODE)];
  }

  public MpiFamily mpi() {
    return MpiFamily.values()[(int) get(HeaderField.MPI)];
  }

  public Rank rank() {
    return new Rank((int) get(HeaderField.RANK));
  }

  public int ranks() {
    return (int) get(HeaderField.RANKS);
  }

  public long pid() {
    return get(HeaderField.PID);
  }

  public Wire.State state() {
    return Wire.State.values()[(int) get(HeaderField.STATE)];
  }

  public int exitCode() {
    return (int) get(HeaderField.EXIT_CODE);
  }

  public Set<Wire.Flag> flags() {
    return Wire.Flag.setOf((int) get(HeaderField.FLAGS));
  }

  public boolean has(Wire.Flag flag) {
    return (get(HeaderField.FLAGS) & flag.bit()) != 0;
  }

  /** Bytes of whole records behind the header. */
  public long committed() {
    return get(HeaderField.COMMITTED);
  }

  /**
   * Those of them that stand in the file itself: a rank that writes events has the latest in a tail
   * beside it.
   */
  long committedInFile() {
    long tailFrom = get(HeaderField.TAIL_FROM);
    return tailFrom == 0 ? committed() : Math.min(committed(), tailFrom - 1);
  }

  public long outcomes() {
    return get(HeaderField.OUTCOMES);
  }

  /** MPI calls entered, of all kinds. */
  public long calls() {
    long calls = 0;
    for (int call = 0; call < Wire.CALLS_MAX; call++) {
      calls += callCount(call);
    }
    return calls;
  }

  public long receives() {
    return get(HeaderField.RECEIVES);
  }

  public long events() {
    return get(HeaderField.EVENTS);
  }

  /** The order hash after all {@link #events}: equal for two runs of a rank in the same order. */
  public long orderHash() {
    return get((events() & 1) == 0 ? HeaderField.HASH_EVEN : HeaderField.HASH_ODD);
  }

  /** Id of the call the rank is in, if it is in one. */
  public Optional<Integer> currentCall() {
    int call = (int) get(HeaderField.CURRENT_CALL);
    return call > 0 ? Optional.of(call - 1) : Optional.empty();
  }

  /** What the current call waits for, as far as the rank knew; empty outside MPI. */
  public List<WaitNote> waits() {
    List<WaitNote> waits = new ArrayList<>();
    for (int i = 0; i < HeaderField.WAITS_MAX && (i == 0 || i < waitCount()); i++) {
      int at = HeaderField.WAITS_OFFSET + i * HeaderField.WAIT_BYTES;
      int call = bytes.getShort(at);
      if (call > 0 && call == get(HeaderField.CURRENT_CALL)) {
        Wire.constant(Wire.Wait.class, bytes.getShort(at + 2))
            .ifPresent(
                what ->
                    waits.add(
                        new WaitNote(
                            what,
                            bytes.getInt(at + 4),
                            bytes.getInt(at + 8),
                            bytes.getInt(at + 12))));
      }
    }
    return waits;
  }

  /** How many requests the current call waits for; 0 if nobody asked, or it waits for none. */
  public int waitCount() {
    return Math.max(0, (int) get(HeaderField.WAIT_COUNT));
  }

  /** The same header, with what its current call waits for. */
  public RankHeader withWait(int index, WaitNote wait) {
    byte[] copy = toArray();
    ByteBuffer changed = littleEndian(copy);
    int at = HeaderField.WAITS_OFFSET + index * HeaderField.WAIT_BYTES;
    changed.putShort(at, (short) get(HeaderField.CURRENT_CALL));
    changed.putShort(at + 2, (short) wait.what().ordinal());
    changed.putInt(at + 4, wait.peer());
    changed.putInt(at + 8, wait.tag());
    changed.putInt(at + 12, wait.comm());
    return new RankHeader(copy);
  }

  /**
   * Where the current call returns to, as an offset in the executable; empty if it is elsewhere.
   */
  public OptionalLong caller() {
    long caller = get(HeaderField.CALLER);
    boolean inside =
        Long.compareUnsigned(caller, get(HeaderField.PROGRAM_START)) >= 0
            && Long.compareUnsigned(caller, get(HeaderField.PROGRAM_END)) < 0;
    return inside && currentCall().isPresent()
        ? OptionalLong.of(caller - get(HeaderField.PROGRAM_BASE))
        : OptionalLong.empty();
  }

  public long callCount(int call) {
    return call >= 0 && call < Wire.CALLS_MAX
        ? bytes.getLong(HeaderField.CALL_COUNTS_OFFSET + Long.BYTES * call)
        : 0;
  }

  public Optional<Divergence> divergence() {
    Wire.DivergenceKind what = Wire.DivergenceKind.values()[(int) get(HeaderField.DIVERGENCE_WHAT)];
    return what == Wire.DivergenceKind.SAME
        ? Optional.empty()
        : Optional.of(
            new Divergence(
                what,
                (int) get(HeaderField.DIVERGENCE_CALL),
                get(HeaderField.DIVERGENCE_OUTCOME),
                get(HeaderField.DIVERGENCE_CALL_NUMBER),
                get(HeaderField.DIVERGENCE_NANOS),
                Wire.Kind.values()[(int) get(HeaderField.DIVERGENCE_EXPECTED_KIND)],
                get(HeaderField.DIVERGENCE_EXPECTED_FIRST),
                get(HeaderField.DIVERGENCE_EXPECTED_SECOND),
                get(HeaderField.DIVERGENCE_FOUND_FIRST),
                get(HeaderField.DIVERGENCE_FOUND_SECOND)));
  }

  public String host() {
    return text(HeaderField.HOST_OFFSET, HeaderField.HOST_BYTES);
  }

  public String executable() {
    return text(HeaderField.EXECUTABLE_OFFSET, HeaderField.EXECUTABLE_BYTES);
  }

  private String text(int offset, int length) {
    int end = offset;
    while (end < offset + length && bytes.get(end) != 0) {
      end++;
    }
    return PlainText.line(new String(array, offset, end - offset, StandardCharsets.UTF_8));
  }
}
