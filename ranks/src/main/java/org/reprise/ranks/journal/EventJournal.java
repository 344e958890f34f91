package org.reprise.ranks.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.hold.RankHold;
import org.reprise.trace.UserError;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.LiveRankFile;
import org.reprise.trace.file.RankFiles;
import org.reprise.trace.file.Wire;

/**
 * A rank's calls in {@code rank-<r>.events}, and the lines of its program that made them in {@code
 * rank-<r>.sites}: record for record as the library of events writes them (interposer/events). The
 * records of a call are put together first and committed at once.
 */
public final class EventJournal {
  private static final int RECORD_BYTES = 32;
  private static final int WORDS = 7;
  private static final int PEERS_MAX = 7;
  private static final int ASKED_MAX = 7;
  private static final int BYTES_AT = 20;
  private static final int DURATION_AT = 28;
  private static final int POLLS_OPEN_MAX = 8;
  private static final int NONE = -1;
  private static final long SATURATED = 0xffff_ffffL;

  private final LiveRankFile file;
  private final LiveRankFile sites;
  private final ProgramPlaces<Integer> places;
  private final BooleanSupplier follows;
  private final @Nullable RankHold hold;
  private final long origin = System.nanoTime();
  private final Map<Long, Integer> communicators = new HashMap<>();
  private ByteBuffer staged = ByteBuffer.allocate(8 * RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private int siteCount;
  private boolean complained;
  private boolean closed;

  /** Events so far; the number of the next one. */
  private long count;

  /** Nanoseconds from the origin to the end of the last event, from which the next one counts. */
  private long end;

  private boolean endUnknown;

  // The call that the rank is in
  private MpiCall call = MpiCall.INIT;
  private int site;
  private long begun;

  // Its threads, if it has several
  private record Entered(MpiCall call, int site, long begun) {}

  private final Map<Integer, Entered> enteredBy = new HashMap<>(0);
  private int thread;
  private int writtenThread;

  // Failed polls in a row: one record for each call and place
  private final long[] pollPlace = new long[POLLS_OPEN_MAX];
  private final int[] pollSite = new int[POLLS_OPEN_MAX];
  private final MpiCall[] pollCall = new MpiCall[POLLS_OPEN_MAX];
  private final long[] pollCount = new long[POLLS_OPEN_MAX];
  private final long[] pollBegun = new long[POLLS_OPEN_MAX];
  private int openPolls;

  // What polls ask for, where somebody wants to know: of the same poll its first failures in a row
  private final int pollsTold;
  private final Map<List<Long>, Integer> failuresTold = new HashMap<>();

  /** The number of the event behind the last failed poll. */
  private long pollsEnd;

  private EventJournal(
      LiveRankFile file,
      LiveRankFile sites,
      int frames,
      int pollsTold,
      BooleanSupplier follows,
      @Nullable RankHold hold) {
    this.hold = hold;
    this.pollsTold = pollsTold;
    this.file = file;
    this.sites = sites;
    this.follows = follows;
    this.places = new ProgramPlaces<>(frames, this::newSite);
  }

  /**
   * Creates the two files.
   *
   * @param frames of the stack that are kept of each call
   * @param pollsTold so many failures in a row of the same poll are events of their own, which say
   *     what it asked for; the others are summed up
   * @param follows whether a replay still does what was recorded: behind that nothing is written
   * @param hold where a debugger holds the rank: on entry of calls, which are counted as here
   */
  public static EventJournal create(
      RankFiles files,
      Wire.Mode mode,
      int rank,
      int ranks,
      int frames,
      int pollsTold,
      BooleanSupplier follows,
      Optional<RankHold> hold) {
    try {
      return new EventJournal(
          files.create(
              "rank-" + rank + ".events",
              FileJournal.header(Wire.FileKind.EVENTS, mode, rank, ranks)),
          files.create(
              "rank-" + rank + ".sites",
              FileJournal.header(Wire.FileKind.SITES, mode, rank, ranks)),
          frames,
          pollsTold,
          follows,
          hold.orElse(null));
    } catch (IOException e) {
      throw new UserError(
          "cannot write the file of a rank",
          files + ": " + e.getMessage(),
          "make room, or set REPRISE_HOME to a directory you may write to");
    }
  }

  /** What follows is done by this thread of the rank, 0 at first. */
  public void goOnIn(int next) {
    if (next == thread) {
      return;
    }
    enteredBy.put(thread, new Entered(call, site, begun));
    Entered entered = enteredBy.get(next);
    if (entered != null) {
      call = entered.call;
      site = entered.site;
      begun = entered.begun;
    }
    thread = next;
    openPolls = 0;
  }

  /** The program makes this call. */
  public void begin(MpiCall next) {
    if (hold != null) {
      hold.enter();
    }
    if (closed) {
      return;
    }
    call = next;
    site = places.here();
    begun = System.nanoTime() - origin;
  }

  /** The number of the next event. */
  public long next() {
    return count;
  }

  /** An event of a call that has more. */
  public void join(EventKind kind, int flags, int peer, int tag, long link, long bytes) {
    if (!closed) {
      stage(kind, flags | EventFlag.JOINED.bit(), peer, tag, link, bytes, 0, 0);
    }
  }

  /** The last event of a call, which has the call's times. */
  public void put(EventKind kind, int flags, int peer, int tag, long link, long bytes) {
    if (hold != null) {
      hold.leave();
    }
    if (!closed) {
      openPolls = 0;
      put(kind, flags, peer, tag, link, bytes, begun, System.nanoTime() - origin);
    }
  }

  private void put(
      EventKind kind, int flags, int peer, int tag, long link, long bytes, long start, long stop) {
    if (endUnknown || start < end || start - end >= SATURATED) {
      number(EventKind.TIME, start);
      end = start;
    }
    endUnknown = stop - start >= SATURATED;
    stage(kind, flags, peer, tag, link, bytes, start - end, Math.min(stop - start, SATURATED));
    end = stop;
    commit();
  }

  /** A call with a place in the order, and nothing else. */
  public void local() {
    put(EventKind.LOCAL, 0, NONE, NONE, 0, 0);
  }

  /** How many events back the one with this number is, from the next one. */
  public long back(long event) {
    return count - event;
  }

  /** A collective, or the making of a communicator. */
  public void collective(Communicator comm, CollectiveFlow flow, int root, long bytes) {
    put(EventKind.COLLECTIVE, 0, root, flow.ordinal(), communicator(comm), bytes);
  }

  /** The next collective event gets data from these ranks of its communicator. */
  public void listed(int[] peers) {
    for (int from = 0; from < peers.length && !closed; from += PEERS_MAX) {
      int[] some = Arrays.copyOfRange(peers, from, Math.min(peers.length, from + PEERS_MAX));
      record(EventKind.PEERS, 0, some.length, some);
    }
  }

  /** Whether calls that may report some of their requests say which they were given. */
  public boolean tellsPolls() {
    return pollsTold > 0 && !closed;
  }

  /** The call was given requests that these events began; its first event comes next. */
  public void asked(long[] posts) {
    for (int from = 0; from < posts.length && !closed; from += ASKED_MAX) {
      int[] some = new int[Math.min(ASKED_MAX, posts.length - from)];
      for (int i = 0; i < some.length; i++) {
        long post = posts[from + i];
        some[i] = post == NONE ? 0 : (int) (count - post);
      }
      record(EventKind.ASKED, 0, some.length, some);
    }
  }

  /** A test of requests failed that these events began. */
  public void testFailed(long[] posts) {
    List<Long> poll = new ArrayList<>(List.of((long) call.ordinal()));
    Arrays.stream(posts).forEach(poll::add);
    if (isTold(poll)) {
      asked(posts);
      told(EventFlag.POLL.bit(), NONE, NONE, 0);
    } else {
      pollFailed();
    }
  }

  /**
   * A probe found nothing.
   *
   * @param pattern flags that say what of source and tag is any
   */
  public void probeFailed(Communicator comm, int pattern, int source, int tag) {
    List<Long> poll = List.of((long) call.ordinal(), comm.id(), (long) source, (long) tag);
    if (isTold(poll)) {
      told(EventFlag.POLL.bit() | pattern, source, tag, communicator(comm));
    } else {
      pollFailed();
    }
  }

  private boolean isTold(List<Long> poll) {
    if (!tellsPolls()) {
      return false;
    }
    if (pollsEnd != count) {
      failuresTold.clear();
    }
    pollsEnd = count;
    return failuresTold.merge(poll, 1, Integer::sum) <= pollsTold;
  }

  private void told(int flags, int source, int tag, int comm) {
    if (hold != null) {
      hold.leave();
    }
    put(EventKind.POLLS, flags, source, tag, comm, 1, begun, begun);
    openPolls = 0;
    pollsEnd = count;
  }

  /** A poll that found nothing. */
  public void pollFailed() {
    if (hold != null) {
      hold.leave();
    }
    writePollFailed();
  }

  private void writePollFailed() {
    if (closed) {
      return;
    }
    for (int i = 0; i < openPolls; i++) {
      if (pollSite[i] == site && pollCall[i] == call && pollCount[i] < SATURATED - 1) {
        again(i);
        return;
      }
    }
    int kept = openPolls < POLLS_OPEN_MAX ? openPolls : 0;
    put(EventKind.POLLS, 0, NONE, NONE, 0, 1, begun, begun);
    pollPlace[kept] = file.end() - RECORD_BYTES;
    pollSite[kept] = site;
    pollCall[kept] = call;
    pollCount[kept] = 1;
    pollBegun[kept] = begun;
    openPolls = kept + 1;
    pollsEnd = count;
  }

  private void again(int poll) {
    if (!follows.getAsBoolean()) {
      cutOff();
      return;
    }
    if (!file.change(pollPlace[poll] + BYTES_AT, (int) ++pollCount[poll])) {
      openPolls = 0;
      writePollFailed();
      return;
    }
    long lasted = begun - pollBegun[poll];
    if (openPolls == 1 && begun > end && lasted < SATURATED) {
      file.change(pollPlace[poll] + DURATION_AT, (int) lasted);
      end = begun;
    }
  }

  /** The number of a communicator, which is described when it is first met. */
  public int communicator(Communicator comm) {
    Integer known = communicators.get(comm.id());
    if (known != null) {
      return known;
    }
    int number = communicators.size();
    communicators.put(comm.id(), number);
    if (!closed) {
      record(
          EventKind.COMM,
          comm.isInter() ? EventFlag.INTER.bit() : 0,
          0,
          (int) comm.id(),
          (int) (comm.id() >>> Integer.SIZE),
          comm.size(),
          comm.remoteSize());
      members(IntStream.range(0, comm.size()).map(comm::worldRank).toArray());
      if (comm.isInter()) {
        members(IntStream.range(0, comm.remoteSize()).map(comm::remoteWorldRank).toArray());
      }
    }
    return number;
  }

  /** Members as runs of equal stride, two to a record. */
  private void members(int[] world) {
    int[] words = new int[6];
    int runs = 0;
    for (int at = 0; at < world.length; ) {
      int after = at + 1;
      int stride = after < world.length ? world[after] - world[at] : 1;
      while (after < world.length && world[after] - world[after - 1] == stride) {
        after++;
      }
      words[3 * runs] = world[at];
      words[3 * runs + 1] = after - at;
      words[3 * runs + 2] = stride;
      at = after;
      if (++runs == 2 || at == world.length) {
        record(EventKind.MEMBERS, 0, runs, words);
        runs = 0;
        Arrays.fill(words, 0);
      }
    }
  }

  // Records

  private void stage(
      EventKind kind,
      int flags,
      int peer,
      int tag,
      long link,
      long bytes,
      long start,
      long duration) {
    if (thread != writtenThread) {
      writtenThread = thread;
      record(EventKind.THREAD, 0, 0, thread);
    }
    if (bytes >= SATURATED) {
      number(EventKind.BYTES, bytes);
    }
    record(
        kind,
        flags,
        call.ordinal(),
        site,
        peer,
        tag,
        (int) link,
        (int) Math.min(bytes, SATURATED),
        (int) start,
        (int) duration);
    count++;
  }

  private void number(EventKind kind, long value) {
    record(kind, 0, 0, (int) value, (int) (value >>> Integer.SIZE));
  }

  private void record(EventKind kind, int flags, int number, int... words) {
    if (staged.remaining() < RECORD_BYTES) {
      ByteBuffer more = ByteBuffer.allocate(2 * staged.capacity()).order(ByteOrder.LITTLE_ENDIAN);
      staged = more.put(staged.flip());
    }
    staged.putInt(kind.ordinal() | flags << 8 | number << 16);
    for (int i = 0; i < WORDS; i++) {
      staged.putInt(i < words.length ? words[i] : 0);
    }
  }

  private void commit() {
    if (!follows.getAsBoolean()) {
      cutOff();
      return;
    }
    staged.flip();
    boolean room = file.append(staged, staged.limit() / RECORD_BYTES);
    staged.clear();
    if (!room && !complained) {
      complained = true;
      System.err.println("reprise: events end here: the disk is full; the program runs on");
      cutOff();
    }
  }

  // Sites

  private int newSite(CallSite place) {
    boolean written =
        !place.frames().isEmpty() && sites.append(ByteBuffer.wrap(place.linesRecord()), 1);
    return written ? ++siteCount : 0;
  }

  // The end

  /** The rank ended in this state; nothing more is written. */
  public void end(Wire.State state, int status) {
    if (hold != null && state != Wire.State.ABORTED) {
      hold.afterLastCall();
    }
    if (closed) {
      return;
    }
    for (LiveRankFile each : List.of(file, sites)) {
      each.put(HeaderField.EXIT_CODE, status);
      each.put(HeaderField.END_NANOS, FileJournal.wallNanos());
      each.put(HeaderField.STATE, state.ordinal());
    }
    cutOff();
  }

  /** Nothing more is written; the rank stays as it was. */
  public void cutOff() {
    if (!closed) {
      closed = true;
      file.close();
      sites.close();
    }
  }
}
