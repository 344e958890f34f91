package org.reprise.ranks.journal;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.LiveRankFile;
import org.reprise.trace.file.RankFiles;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.LiveRecorder;

/**
 * A rank's journal that goes into {@code rank-<r>.order}, record for record as the interposer
 * writes it (interposer/src/order.c). In a replay it has the header only, for the judge; a plan
 * that is followed is recorded, too.
 *
 * <p>Hot: what it adds to a small message is measured by bench/.
 */
public final class FileJournal extends Journal {
  static final int EVENTS_PER_CHECK = 1024;
  private static final int INDEX_BYTES = 5;
  private static final Wire.Kind[] KINDS = Wire.Kind.values();

  private final LiveRankFile file;
  private final boolean records;
  private @Nullable Plan plan;
  private long expectedPost;
  private long failedPolls;
  private boolean complained;
  private boolean waiting;
  private long calls;
  private MpiCall current = MpiCall.INIT;

  /** The calls that the other threads are in. */
  private final Map<Integer, MpiCall> calledBy = new HashMap<>(0);

  private int lastThread;

  /** Whose outcomes follow in the file. */
  private int marked;

  /** Whose turn it is. */
  private int turnOf;

  private FileJournal(LiveRankFile file, boolean records) {
    this.file = file;
    this.records = records;
  }

  public static FileJournal create(RankFiles files, Wire.Mode mode, int rank, int ranks) {
    try {
      return new FileJournal(
          files.create("rank-" + rank + ".order", header(Wire.FileKind.ORDER, mode, rank, ranks)),
          mode == Wire.Mode.RECORD || mode == Wire.Mode.FOLLOW);
    } catch (IOException e) {
      throw new UserError(
          "cannot write the file of a rank",
          files + ": " + e.getMessage(),
          "make room, or set REPRISE_HOME to a directory you may write to");
    }
  }

  /** A header as ranks of the embedded engine have it. */
  public static RankHeader header(Wire.FileKind kind, Wire.Mode mode, int rank, int ranks) {
    return RankHeader.create(kind, mode, new Rank(rank), ranks)
        .with(
            Map.of(
                HeaderField.MPI,
                (long) MpiFamily.EMBEDDED.wire(),
                HeaderField.PID,
                ProcessHandle.current().pid(),
                HeaderField.START_NANOS,
                wallNanos()),
            LiveRecorder.hostName());
  }

  public static long wallNanos() {
    java.time.Instant now = java.time.Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  public void obey(Plan replayed) {
    plan = replayed;
  }

  @Override
  public void called(MpiCall call) {
    current = call;
    calls++;
    file.enter(call.ordinal());
  }

  @Override
  public void waits() {
    waiting = true;
    file.waitIn(current.ordinal());
  }

  @Override
  public void returned() {
    if (waiting) {
      waiting = false;
      file.goOn();
    }
    if (plan != null) {
      plan.returned(events());
    }
  }

  @Override
  void switched(int next) {
    calledBy.put(lastThread, current);
    current = calledBy.getOrDefault(next, MpiCall.INIT);
    lastThread = next;
  }

  /**
   * The failed polls of the thread before come first: what stands in the header belongs to the
   * thread that was marked last.
   */
  @Override
  public void turn(int next, long steps) {
    file.set(Wire.Flag.MANY_THREADS);
    if (failedPolls > 0) {
      putPolls();
    }
    turnOf = next;
    if (beginPost(Wire.Kind.MORE, Wire.More.TURN.ordinal(), 0)) {
      file.operand(steps);
      file.operand(next);
      file.commit();
    }
  }

  @Override
  public boolean keepsTurns() {
    return records;
  }

  @Override
  public void turnsGivenUp() {
    file.set(Wire.Flag.TURNS_GIVEN_UP);
  }

  /** The outcomes that follow belong to the thread whose turn it is. */
  private void mark() {
    if (records
        && marked != turnOf
        && file.begin(Wire.Kind.MORE.ordinal(), Wire.More.THREAD.ordinal(), 0)) {
      marked = turnOf;
      file.operand(marked);
      file.commit();
    }
  }

  private void putPolls() {
    mark();
    if (records && file.begin(Wire.Kind.POLLS.ordinal(), failedPolls, 0)) {
      file.put(HeaderField.FAILED_POLLS, 0);
      failedPolls = 0;
      file.commit();
    }
  }

  MpiCall currentCall() {
    return current;
  }

  @Override
  public long nextPost() {
    long post = super.nextPost();
    file.put(HeaderField.POSTS, post + 1);
    return post;
  }

  /** The failed polls that came before an outcome of a call belong to it. */
  private boolean begin(Wire.Kind kind, long operand, int more) {
    if (!records) {
      return false;
    }
    if (failedPolls > 0) {
      putPolls();
    }
    mark();
    return beginPost(kind, operand, more);
  }

  private boolean beginPost(Wire.Kind kind, long operand, int more) {
    boolean begun = records && file.begin(kind.ordinal(), operand, more);
    if (!begun && file.isFull() && !complained) {
      complained = true;
      System.err.println(
          "reprise: a rank's file cannot grow: the disk is full; the program runs on, unrecorded");
    }
    return begun;
  }

  @Override
  public void chose(Wire.Kind kind, int source, int tag, boolean withTag) {
    if (!withTag
        && failedPolls == 0
        && marked == turnOf
        && records
        && file.single(kind.ordinal(), source)) {
      return;
    }
    Wire.Kind exact = withTag ? KINDS[kind.ordinal() + 1] : kind;
    if (begin(exact, source, 0)) {
      if (withTag) {
        file.operand32(tag);
      }
      file.commit();
    }
  }

  @Override
  public void postTook(long post, int source, int tag, boolean withTag) {
    if (beginPost(withTag ? Wire.Kind.POST_TAG : Wire.Kind.POST, source, 0)) {
      putPost(post);
      if (withTag) {
        file.operand32(tag);
      }
      file.commit();
    }
  }

  @Override
  public void postEnded(long post, Wire.PostEnd end) {
    if (beginPost(Wire.Kind.POST_END, end.ordinal(), 0)) {
      putPost(post);
      file.commit();
    }
  }

  private void putPost(long post) {
    file.zigzag(post - expectedPost);
    expectedPost = post + 1;
  }

  @Override
  public void pollFailed() {
    mark();
    failedPolls++;
    file.put(HeaderField.FAILED_POLLS, failedPolls);
    file.add(HeaderField.POLLS_FAILED_TOTAL, 1);
  }

  @Override
  public void pollHit(Wire.Poll poll) {
    if (begin(Wire.Kind.HIT, poll.ordinal(), 0)) {
      file.commit();
    }
  }

  @Override
  public void index(int index) {
    if (begin(Wire.Kind.INDEX, index == Fabric.UNDEFINED ? 0 : index + 1L, 0)) {
      file.commit();
    }
  }

  @Override
  public void indices(boolean defined, int[] indices) {
    if (begin(Wire.Kind.INDICES, defined ? indices.length + 1L : 0, indices.length * INDEX_BYTES)) {
      for (int index : indices) {
        file.operand32(index);
      }
      file.commit();
    }
  }

  @Override
  void countReceive() {
    file.received();
  }

  @Override
  void hashed(long eventCount, long orderHash) {
    file.hash(eventCount, orderHash);
    if (eventCount % EVENTS_PER_CHECK == 0
        && beginPost(Wire.Kind.MORE, Wire.More.CHECK.ordinal(), 0)) {
      file.operand32((int) orderHash);
      file.commit();
    }
    if (plan != null) {
      plan.check(eventCount, orderHash);
    }
  }

  @Override
  public void ended(Wire.State state, int status) {
    file.put(HeaderField.EXIT_CODE, status);
    file.put(HeaderField.END_NANOS, wallNanos());
    file.put(HeaderField.STATE, state.ordinal());
    file.close();
  }

  @Override
  public void cutOff() {
    file.put(HeaderField.END_NANOS, wallNanos());
    file.close();
  }

  @Override
  public void exited(int status) {
    if (file.get(HeaderField.STATE) != Wire.State.ABORTED.ordinal()) {
      file.put(HeaderField.EXIT_CODE, status);
    }
    file.set(Wire.Flag.EXIT_SEEN);
  }

  // Of a replay

  public void flag(Wire.Flag flag) {
    file.set(flag);
  }

  void replayed(long outcomes) {
    file.put(HeaderField.REPLAYED, outcomes);
  }

  void pollsSkipped(long count) {
    file.add(HeaderField.POLLS_SKIPPED, count);
  }

  void pollBeyond() {
    file.add(HeaderField.POLLS_BEYOND, 1);
  }

  void hashAtEnd(long hash) {
    file.put(HeaderField.HASH_AT_END, hash);
  }

  public void inputUnmatched() {
    file.add(HeaderField.INPUTS_UNMATCHED, 1);
  }

  /** Where the program left the record; only the first time counts. */
  void diverged(
      Wire.DivergenceKind what,
      MpiCall call,
      long outcome,
      Wire.Kind expectedKind,
      long[] expected,
      long[] found) {
    if (file.get(HeaderField.DIVERGENCE_WHAT) != Wire.DivergenceKind.SAME.ordinal()) {
      return;
    }
    file.put(HeaderField.DIVERGENCE_CALL, call.ordinal());
    file.put(HeaderField.DIVERGENCE_OUTCOME, outcome);
    file.put(HeaderField.DIVERGENCE_CALL_NUMBER, calls);
    file.put(HeaderField.DIVERGENCE_NANOS, System.nanoTime());
    file.put(HeaderField.DIVERGENCE_EXPECTED_KIND, expectedKind.ordinal());
    file.put(HeaderField.DIVERGENCE_EXPECTED_FIRST, expected[0]);
    file.put(HeaderField.DIVERGENCE_EXPECTED_SECOND, expected[1]);
    file.put(HeaderField.DIVERGENCE_FOUND_FIRST, found[0]);
    file.put(HeaderField.DIVERGENCE_FOUND_SECOND, found[1]);
    file.put(HeaderField.DIVERGENCE_WHAT, what.ordinal());
  }
}
