package org.reprise.ranks.journal;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.trace.Counted;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.NumberedOutcome;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.PlanDirectory;

/**
 * What a rank is to do in a replay: its recorded order file, read back. It follows the rules of the
 * interposer's plan (interposer/src/plan.c): the k-th call that left something open comes to what
 * the k-th came to, polls fail as often as they did, posts are looked up by number; and where the
 * program does something else, that is noted once and nothing is forced any more.
 */
public final class Plan {
  public static final Set<Wire.Kind> RECEIVES = EnumSet.of(Wire.Kind.RECV, Wire.Kind.RECV_TAG);
  public static final Set<Wire.Kind> PROBES = EnumSet.of(Wire.Kind.PROBE, Wire.Kind.PROBE_TAG);
  public static final Set<Wire.Kind> FINDS = EnumSet.of(Wire.Kind.FOUND, Wire.Kind.FOUND_TAG);
  public static final Set<Wire.Kind> HITS = EnumSet.of(Wire.Kind.HIT);
  public static final Set<Wire.Kind> INDEX = EnumSet.of(Wire.Kind.INDEX);
  public static final Set<Wire.Kind> INDICES = EnumSet.of(Wire.Kind.INDICES);

  /** Nothing is forced: the call comes to whatever it comes to. */
  public static final Choice FREE = new Choice(-1, new Outcome.FailedPolls(0));

  /** A recorded outcome of a call. */
  public record Choice(long number, Outcome outcome) {
    public int source() {
      return switch (outcome) {
        case Outcome.Recv(int source, _) -> source;
        case Outcome.Probe(int source, _) -> source;
        case Outcome.Found(int source, _) -> source;
        default -> Fabric.ANY_SOURCE;
      };
    }

    public int tagOr(int asked) {
      OptionalInt tag =
          switch (outcome) {
            case Outcome.Recv(_, OptionalInt recorded) -> recorded;
            case Outcome.Probe(_, OptionalInt recorded) -> recorded;
            case Outcome.Found(_, OptionalInt recorded) -> recorded;
            default -> OptionalInt.empty();
          };
      return tag.orElse(asked);
    }

    public boolean isHit() {
      return outcome instanceof Outcome.Hit;
    }

    public int[] indices() {
      return switch (outcome) {
        case Outcome.Index(OptionalInt index) ->
            index.isPresent() ? new int[] {index.getAsInt()} : Fabric.NONE_ACTIVE;
        case Outcome.Indices(_, List<Integer> indices) ->
            indices.stream().mapToInt(Integer::intValue).toArray();
        default -> Fabric.NONE_ACTIVE;
      };
    }
  }

  /** What became of a recorded post. */
  public record Fate(@Nullable Outcome outcome) {
    public static final Fate UNKNOWN = new Fate(null);

    /** Whether it may take a message at all: not if it was cancelled, or never took one. */
    public boolean matches() {
      return !(outcome instanceof Outcome.PostEnd);
    }

    /** Whether it had taken nothing when its rank ended. */
    public boolean isNever() {
      return outcome instanceof Outcome.PostEnd(_, Wire.PostEnd end) && end == Wire.PostEnd.NEVER;
    }

    public boolean isForced() {
      return outcome instanceof Outcome.Post;
    }

    public int source() {
      return outcome instanceof Outcome.Post(_, int source, _) ? source : Fabric.ANY_SOURCE;
    }

    public int tagOr(int asked) {
      return outcome instanceof Outcome.Post(_, _, OptionalInt tag) ? tag.orElse(asked) : asked;
    }
  }

  /** What the calls of one thread of the rank came to. */
  private static final class Stream {
    final List<NumberedOutcome> calls = new ArrayList<>();
    int next;

    /** Blocking wildcards that need not be forced, before the front outcome: of distilled runs. */
    long free;

    /** How often the last outcome is the next one, too. */
    long again;

    @Nullable NumberedOutcome last;
    long pollsLeft;
  }

  private final RankHeader recorded;
  private final FileJournal journal;
  private final Map<Integer, Stream> streams = new HashMap<>();
  private final List<Outcome.Turn> turns = new ArrayList<>();

  /** Of the thread that calls now. */
  private Stream own;

  /** Of the thread that the failed polls in the header belong to. */
  private final Stream lastMarked;

  private final Map<Long, Fate> posts = new HashMap<>();
  private final List<Integer> checks = new ArrayList<>();
  private boolean tailTaken;
  private boolean inForce = true;

  /** Whether the rank did something else than was recorded. */
  private boolean departed;

  private boolean reachedEnd;
  private long replayed;

  /** Of a plan that is no recording: posts that it forces and that were not made yet. */
  private final Set<Long> postsUnused = new HashSet<>();

  private Plan(RankHeader recorded, Iterator<NumberedOutcome> order, FileJournal journal) {
    this.recorded = recorded;
    this.journal = journal;
    this.own = stream(0);
    Stream marked = own;
    while (order.hasNext()) {
      NumberedOutcome numbered = order.next();
      switch (numbered.outcome()) {
        case Outcome.Post post -> posts.put(post.post(), new Fate(post));
        case Outcome.PostEnd end -> posts.put(end.post(), new Fate(end));
        case Outcome.Check(int hash) -> checks.add(hash);
        case Outcome.ThreadSwitch(long thread) -> marked = stream((int) thread);
        case Outcome.Turn turn -> turns.add(turn);
        default -> marked.calls.add(numbered);
      }
    }
    if (isPlanned()) {
      postsUnused.addAll(posts.keySet());
    }
    this.lastMarked = marked;
    returned(0);
  }

  /** Whether Reprise chose what is forced; behind it the rank is free. */
  private boolean isPlanned() {
    return recorded.has(Wire.Flag.PLAN);
  }

  public static Plan read(OrderReader order, FileJournal journal) {
    return new Plan(order.header(), order, journal);
  }

  /**
   * A plan that is no recording.
   *
   * @param recorded the header of the rank in the run that the plan is for
   */
  public static Plan of(RankHeader recorded, RankPlan plan, FileJournal journal) {
    List<NumberedOutcome> outcomes = new ArrayList<>();
    for (Outcome post : plan.orderedPosts()) {
      outcomes.add(new NumberedOutcome(outcomes.size(), 0, post));
    }
    for (Outcome call : plan.calls()) {
      outcomes.add(new NumberedOutcome(outcomes.size(), 0, call));
    }
    return new Plan(PlanDirectory.header(recorded, plan), outcomes.iterator(), journal);
  }

  private Stream stream(int thread) {
    return streams.computeIfAbsent(thread, _ -> new Stream());
  }

  /** What follows is done by this thread of the rank, 0 at first. */
  public void goOnIn(int thread) {
    own = stream(thread);
  }

  /** In which order the threads of the rank took their steps. */
  public List<Outcome.Turn> turns() {
    return turns;
  }

  /** Whether all that was recorded has happened. */
  public boolean hasReachedEnd() {
    return reachedEnd;
  }

  public boolean isInForce() {
    return inForce;
  }

  /** Otherwise the rank was killed, or its disk was full: the program runs on where it stops. */
  private boolean recordedToTheEnd() {
    return recorded.state() == Wire.State.FINALIZED && !recorded.has(Wire.Flag.DISK_FULL);
  }

  /** Whether the recorded rank failed and made so many calls in all: it failed in this one. */
  public boolean isLastCall(long calls) {
    return recorded.state() == Wire.State.ABORTED && recorded.calls() == calls;
  }

  private @Nullable NumberedOutcome front() {
    return front(own);
  }

  private static @Nullable NumberedOutcome front(Stream of) {
    while (of.again == 0 && of.next < of.calls.size()) {
      NumberedOutcome numbered = of.calls.get(of.next);
      switch (numbered.outcome()) {
        case Outcome.Free(long count) -> of.free += count;
        case Outcome.Again(long count) -> of.again = of.last == null ? 0 : count;
        default -> {
          return numbered;
        }
      }
      of.next++;
    }
    return of.again > 0 ? of.last : null;
  }

  private Choice taken(NumberedOutcome outcome) {
    if (own.again > 0) {
      own.again--;
    } else {
      own.next++;
    }
    own.last = outcome;
    replayed = Math.max(replayed, outcome.number() + 1);
    journal.replayed(replayed);
    return new Choice(outcome.number(), outcome.outcome());
  }

  /** What a blocking receive or probe came to; null if it is not forced. */
  @Nullable
  public Choice choice(MpiCall call, Set<Wire.Kind> kinds, long found0, long found1) {
    front();
    skipPolls();
    if (own.free > 0) {
      // It has no choice, as long as those are forced that have one.
      own.free--;
      return null;
    }
    return take(call, kinds, found0, found1);
  }

  /** What the call came to; null if nothing is forced any more. */
  @Nullable
  public Choice take(MpiCall call, Set<Wire.Kind> kinds, long found0, long found1) {
    skipPolls();
    NumberedOutcome front = front();
    if (front == null) {
      atTheEnd(call);
      return null;
    }
    if (!kinds.contains(front.outcome().kind())) {
      diverged(Wire.DivergenceKind.OTHER_CALL, call, front, found0, found1);
      return null;
    }
    return taken(front);
  }

  public Choice takeOrFree(MpiCall call, Set<Wire.Kind> kinds, long found0, long found1) {
    Choice choice = take(call, kinds, found0, found1);
    return choice == null ? FREE : choice;
  }

  /**
   * Recorded failures that the program did not ask for: it polls by something outside. Those behind
   * a receive that is not forced are not its.
   */
  private void skipPolls() {
    long skipped = own.pollsLeft;
    own.pollsLeft = 0;
    while (front() instanceof NumberedOutcome(_, _, Outcome.FailedPolls(long count))
        && own.free == 0) {
      skipped += count;
      own.next++;
    }
    if (skipped > 0) {
      journal.pollsSkipped(skipped);
    }
  }

  /** What a poll came to: null if it fails, {@link #FREE} if nothing is forced any more. */
  @Nullable
  public Choice poll(MpiCall call, Set<Wire.Kind> kinds, int detail) {
    while (true) {
      if (own.pollsLeft > 0) {
        own.pollsLeft--;
        return null;
      }
      NumberedOutcome front = front();
      if (front != null) {
        if (front.outcome() instanceof Outcome.FailedPolls(long count)) {
          own.pollsLeft = count;
          own.next++;
          continue;
        }
        boolean sameDetail =
            !(front.outcome() instanceof Outcome.Hit(Wire.Poll poll)) || poll.ordinal() == detail;
        if (kinds.contains(front.outcome().kind()) && sameDetail) {
          return taken(front);
        }
      } else {
        if (!tailTaken && own == lastMarked) {
          tailTaken = true;
          own.pollsLeft = recorded.get(HeaderField.FAILED_POLLS);
          continue;
        }
        if (!recordedToTheEnd()) {
          atTheEnd(call);
          return FREE;
        }
      }
      journal.pollBeyond();
      return null;
    }
  }

  public Fate post(MpiCall call, long post, boolean open) {
    Fate fate = posts.get(post);
    if (fate != null) {
      postsUnused.remove(post);
      return fate;
    }
    if (open && post >= recorded.get(HeaderField.POSTS)) {
      atTheEnd(call);
    }
    return Fate.UNKNOWN;
  }

  /**
   * Nothing is left. A recording that was cut short ends here, and the program runs on by itself.
   * Messages that it recorded may still come, if this time the program polls more often before.
   */
  private void atTheEnd(MpiCall call) {
    if (recordedToTheEnd()) {
      diverged(Wire.DivergenceKind.MORE_CALLS, call, null, 0, 0);
    } else {
      inForce = false;
      returned(journal.events());
    }
  }

  /** A recorded source that this communicator does not have: the program uses another one here. */
  public void checkSource(MpiCall call, @Nullable Choice choice, int source, int size) {
    if (source != Fabric.ANY_SOURCE && (source < 0 || source >= size)) {
      diverged(
          Wire.DivergenceKind.OTHER_CALL,
          call,
          choice == null ? null : new NumberedOutcome(choice.number, 0, choice.outcome),
          source,
          0);
      throw new FabricError(
          FabricError.Kind.RANK,
          "the recorded source "
              + source
              + " is not a rank of a communicator of "
              + Counted.of(size, "rank"));
    }
  }

  public void otherRequests(MpiCall call, Choice expected, int count, int index) {
    diverged(
        Wire.DivergenceKind.OTHER_REQUESTS,
        call,
        new NumberedOutcome(expected.number, 0, expected.outcome),
        count,
        index);
  }

  /** The hash is compared every 1,024 events, and at the recorded number of them. */
  void check(long events, long hash) {
    if (departed) {
      return;
    }
    if (events == recorded.events()) {
      journal.hashAtEnd(hash);
    }
    if (inForce && events % FileJournal.EVENTS_PER_CHECK == 0) {
      int check = (int) (events / FileJournal.EVENTS_PER_CHECK) - 1;
      if (check < checks.size() && checks.get(check) != (int) hash) {
        journal.diverged(
            Wire.DivergenceKind.OTHER_MESSAGES,
            journal.currentCall(),
            outcomeNumber(),
            Wire.Kind.MORE,
            new long[] {Wire.More.CHECK.ordinal(), Integer.toUnsignedLong(checks.get(check))},
            new long[] {Integer.toUnsignedLong((int) hash), events});
        inForce = false;
        departed = true;
      }
    }
  }

  /**
   * A call is over: is that all that was recorded? Of a process that was killed the hash may be 64
   * events older than its last outcome, so both must have been reached.
   */
  void returned(long events) {
    if (!departed
        && !reachedEnd
        && events >= recorded.events()
        && (!inForce || left() == null)
        && postsUnused.isEmpty()) {
      reachedEnd = true;
      journal.flag(Wire.Flag.REACHED_END);
    }
  }

  /** The first outcome that is left, of whichever thread. */
  private @Nullable NumberedOutcome left() {
    if (streams.size() == 1) {
      return front();
    }
    NumberedOutcome first = null;
    for (Stream each : streams.values()) {
      NumberedOutcome front = front(each);
      if (front != null && (first == null || front.number() < first.number())) {
        first = front;
      }
    }
    return first;
  }

  private long outcomeNumber() {
    NumberedOutcome front = left();
    return front == null ? recorded.outcomes() : front.number();
  }

  public void finish() {
    if (!inForce) {
      return;
    }
    Stream finishing = own;
    for (Stream each : List.copyOf(streams.values())) {
      own = each;
      skipPolls();
    }
    own = finishing;
    NumberedOutcome front = left();
    if (front != null && (recordedToTheEnd() || isPlanned())) {
      diverged(Wire.DivergenceKind.FEWER_CALLS, MpiCall.FINALIZE, front, 0, 0);
    }
  }

  private void diverged(
      Wire.DivergenceKind what,
      MpiCall call,
      @Nullable NumberedOutcome expected,
      long found0,
      long found1) {
    journal.diverged(
        what,
        call,
        expected == null ? outcomeNumber() : expected.number(),
        expected == null ? Wire.Kind.END : expected.outcome().kind(),
        expected == null ? new long[2] : operands(expected.outcome()),
        new long[] {found0, found1});
    inForce = false;
    departed = true;
  }

  /** The first operands as they stand in the file: source and tag, or index. */
  private static long[] operands(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Recv(int source, OptionalInt tag) -> new long[] {source, tag.orElse(0)};
      case Outcome.Probe(int source, OptionalInt tag) -> new long[] {source, tag.orElse(0)};
      case Outcome.Found(int source, OptionalInt tag) -> new long[] {source, tag.orElse(0)};
      case Outcome.Index(OptionalInt index) ->
          new long[] {index.isPresent() ? index.getAsInt() + 1L : 0, 0};
      case Outcome.Indices(boolean defined, List<Integer> indices) ->
          new long[] {defined ? indices.size() + 1L : 0, 0};
      case Outcome.Hit(Wire.Poll poll) -> new long[] {poll.ordinal(), 0};
      default -> new long[2];
    };
  }
}
