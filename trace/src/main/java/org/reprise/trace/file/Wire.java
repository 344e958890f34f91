package org.reprise.trace.file;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The constants of interposer/include/reprise_wire.h, the contract with the interposer. An enum
 * here stands in the order of its C twin, so that its ordinal is the number on the wire; a test
 * reads the header and compares every one.
 */
public final class Wire {
  public static final int VERSION = 4;

  /** What is read besides: its inputs have no TICKS, FAR and NEAR, and all else is the same. */
  public static final int OLDEST = 2;

  /** In words. */
  public static final String READS = OLDEST + " to " + VERSION;

  public static boolean reads(long version) {
    return version >= OLDEST && version <= VERSION;
  }

  public static final int HEADER_BYTES = 8192;
  public static final int CALLS_MAX = 512;

  /** Frames of one stack that are kept at most. */
  public static final int FRAMES_MAX = 64;

  /** First operands below this stand in a record's first byte. */
  public static final int INLINE = 12;

  /** Of an events file's records, at most so many bytes stand in the tail beside it. */
  static final int TAIL_BYTES_MAX = 1 << 20;

  /** The largest ring of a live recording. */
  public static final int RING_BYTES_MAX = 1 << 30;

  public static final String MAGIC = "REPRISE\n";

  public static final String ENV_MODE = "REPRISE_MODE";
  public static final String ENV_RUN = "REPRISE_RUN";
  public static final String ENV_PLAN = "REPRISE_PLAN";
  public static final String ENV_UNCOPIED = "REPRISE_UNCOPIED";
  public static final String ENV_WATCH = "REPRISE_WATCH";

  /**
   * A setting of the run, which its replays get back: so it is in the environment that it keeps.
   */
  public static final String ENV_EAGER = "REPRISE_EAGER";

  public static final String ENV_REST = "REPRISE_REST";
  public static final String ENV_JITTER = "REPRISE_JITTER";
  public static final String ENV_INPUTS = "REPRISE_INPUTS";
  public static final String ENV_EVENTS = "REPRISE_EVENTS";
  public static final String ENV_LIVE = "REPRISE_LIVE";
  public static final String ENV_POLLS = "REPRISE_POLLS";
  public static final String ENV_HOLD = "REPRISE_HOLD";
  public static final String ENV_MARKS = "REPRISE_MARKS";

  /** In a held rank's first word on the socket that ends it with its debugger. */
  public static final long HOLD_LIFELINE = 1L << 31;

  /** In the first word of a rank that has not come to MPI_Init. */
  public static final long HOLD_EARLY = 1L << 30;

  /** Where a rank is that a debugger holds: between two calls, in one, or held on entry of one. */
  public enum HoldState {
    OUTSIDE,
    INSIDE,
    HELD
  }

  /** What checkpoints and restored ranks say, and are told. Zero is no word. */
  public enum PacketKind {
    NONE,
    TAKEN,
    REFUSED,
    WAITS,
    RESTORE,
    HELLO,
    OUTPUT,
    MESSAGE,
    EXIT
  }

  /** What a rank file holds. Zero is no file. */
  public enum FileKind {
    NONE,
    ORDER,
    INPUTS,
    EVENTS,
    SITES,
    WAITS,
    LIVE
  }

  /** What the interposer did in the process that wrote a file. */
  public enum Mode {
    OFF,
    RECORD,
    REPLAY,
    SHAKE,
    FOLLOW;

    /** The word for it in {@link #ENV_MODE}. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How far a rank got. Whoever was killed or crashed stays RUNNING. */
  public enum State {
    RUNNING,
    FINALIZED,
    ABORTED,
    EXITED
  }

  /** A bit of header.flags; the bit of a flag is {@code 1 << ordinal()}. */
  public enum Flag {
    DISK_FULL,
    MANY_THREADS,
    CONCURRENT,
    REACHED_END,
    EXIT_SEEN,
    SPAWNED,
    SECOND_JOB,
    TURNS_GIVEN_UP,
    PLAN,
    SEND_CANCELLED,
    STOPPING,
    EVENTS_DROPPED;

    static Set<Flag> setOf(int bits) {
      Set<Flag> flags = EnumSet.noneOf(Flag.class);
      for (Flag flag : values()) {
        if ((bits & flag.bit()) != 0) {
          flags.add(flag);
        }
      }
      return flags;
    }

    public int bit() {
      return 1 << ordinal();
    }
  }

  /** How a replay left the recorded order. */
  public enum DivergenceKind {
    SAME,
    OTHER_CALL,
    OTHER_REQUESTS,
    MORE_CALLS,
    FEWER_CALLS,
    OTHER_MESSAGES
  }

  /** The kind of a record in an order file. */
  public enum Kind {
    END,
    RECV,
    RECV_TAG,
    PROBE,
    PROBE_TAG,
    POST,
    POST_TAG,
    POST_END,
    POLLS,
    HIT,
    FOUND,
    FOUND_TAG,
    INDEX,
    INDICES,
    ERROR,
    MORE
  }

  /** How a post ended without a message. */
  public enum PostEnd {
    CANCELLED,
    NEVER
  }

  /** What a blocking call waits for. */
  public enum Wait {
    UNKNOWN,
    RECEIVE,
    SEND,
    OTHER,
    COLLECTIVE
  }

  /** What a record says about what a rank has sent, taken and waits for. */
  public enum WatchKind {
    END,
    COMM,
    SENT,
    TAKEN,
    OPEN,
    REQUEST
  }

  /** A poll that succeeded without a choice of source. */
  public enum Poll {
    TEST("MPI_Test"),
    TESTALL("MPI_Testall"),
    GET_STATUS("MPI_Request_get_status"),
    IPROBE("MPI_Iprobe"),
    IMPROBE("MPI_Improbe"),
    PARRIVED("MPI_Parrived"),
    WIN_TEST("MPI_Win_test");

    private final String call;

    Poll(String call) {
      this.call = call;
    }

    /** The function that polls. */
    public String call() {
      return call;
    }

    /** The poll that a function makes; empty if it makes none, or reports which request it was. */
    public static Optional<Poll> ofCall(String call) {
      return Arrays.stream(values()).filter(poll -> poll.call.equals(call)).findFirst();
    }
  }

  /** The kinds behind {@link Kind#MORE}. */
  public enum More {
    CHECK,
    THREAD,
    TURN,
    FREE,
    AGAIN
  }

  /** The kind of a record in an inputs file. */
  public enum InputKind {
    END,
    CLOCK,
    WTIME,
    TIME,
    TOD,
    BYTES,
    PID,
    CPU,
    THREAD,
    TICKS,
    FAR,
    NEAR
  }

  /** Codes of NEAR and FAR records; see reprise_wire.h. */
  public static final int INPUT_NEAR_CODES = 80;

  public static final int INPUT_FAR_CODES = 4096;
  public static final int INPUT_CLASSES = 16;
  public static final int INPUT_STEP_MAX = 16;

  /** How MPI_Wtime makes a double of nanoseconds. */
  public enum Ticks {
    DIVIDED,
    MULTIPLIED,
    FROM_ABOVE;

    private static final long BILLION = 1_000_000_000;

    public double seconds(long nanos) {
      long whole = nanos / BILLION;
      long rest = nanos % BILLION;
      return switch (this) {
        case DIVIDED -> whole + rest / 1e9;
        case MULTIPLIED -> whole + rest * 1e-9;
        case FROM_ABOVE -> (whole + 1) + (rest - BILLION) / 1e9;
      };
    }

    /** The nanoseconds that a time of so many seconds is nearest to. */
    public static long nanos(double seconds) {
      long whole = (long) seconds;
      return whole * BILLION + (long) ((seconds - (double) whole) * 1e9 + 0.5);
    }

    /**
     * The form in which this very double is made of nanoseconds, if there is one.
     *
     * @param last the form of the reading before: where several will do, it is the same again
     */
    public static Optional<Ticks> of(double seconds, Ticks last) {
      return seconds >= 0 && seconds < 9e9
          ? Stream.concat(Stream.of(last), Stream.of(values()))
              .filter(form -> Double.compare(form.seconds(nanos(seconds)), seconds) == 0)
              .findFirst()
          : Optional.empty();
    }
  }

  /** The kind of a record in a sites file. */
  public enum SiteKind {
    END,
    MODULE,
    STACK,
    LINES
  }

  /** The constant with this number, if there is one: numbers come from files. */
  public static <E extends Enum<E>> Optional<E> constant(Class<E> type, long number) {
    E[] constants = type.getEnumConstants();
    return number >= 0 && number < constants.length
        ? Optional.of(constants[(int) number])
        : Optional.empty();
  }

  private Wire() {}

  /** What stands in the high half of a record's first byte, of an operand that is not negative. */
  static int inline(long operand) {
    return operand < INLINE ? (int) operand : INLINE + (int) ((operand - INLINE) % 4);
  }
}
