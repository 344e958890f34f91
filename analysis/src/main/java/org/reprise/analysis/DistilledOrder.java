package org.reprise.analysis;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.reprise.causality.EventTable;
import org.reprise.exploration.CallNumbering;
import org.reprise.launch.explore.TracedRun;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.OrderWriter;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.text.ShellWords;
import org.reprise.trace.text.Words;

/**
 * The order of one rank with the outcomes that must be forced and no others. Which outcome belongs
 * to which event follows from the order of both: blocking wildcards come one after the other, and
 * non-blocking operations are numbered as they are started.
 */
final class DistilledOrder {
  private final RecordedRun run;
  private final CallNumbering calls;
  private final EventTable events;
  private final IntPredicate mustBeForced;

  /** Events of blocking wildcards, in their order. */
  private int[] blocking = {};

  /** Events of non-blocking operations, by post number. */
  private int[] posts = {};

  private int next;
  private long leftFree;

  private DistilledOrder(RecordedRun run, EventTable events, IntPredicate mustBeForced) {
    this.run = run;
    this.calls = TracedRun.numbering(run);
    this.events = events;
    this.mustBeForced = mustBeForced;
  }

  /**
   * Writes the distilled order of one rank; how many receives and probes from any source it leaves
   * free.
   */
  static long of(
      Rank rank, RecordedRun from, RunDirectory to, EventTable events, IntPredicate mustBeForced) {
    DistilledOrder distilled = new DistilledOrder(from, events, mustBeForced);
    distilled.number(rank);
    try (OrderReader order = from.directory().openOrder(rank);
        OrderWriter writer = new OrderWriter(to.orderFile(rank), order.header())) {
      distilled.copy(rank, order, writer);
    }
    return distilled.leftFree;
  }

  private void number(Rank rank) {
    IntStream.Builder wildcards = IntStream.builder();
    IntStream.Builder posted = IntStream.builder();
    int first = events.first(rank.number());
    for (int event = first; event < first + events.size(rank.number()); event++) {
      EventKind kind = events.kind(event);
      if (kind.isCollective()) {
        continue;
      }
      boolean wild = events.is(event, EventFlag.ANY_SOURCE) || events.is(event, EventFlag.ANY_TAG);
      boolean probes = kind == EventKind.PROBE || kind == EventKind.MPROBE;
      boolean failed = kind == EventKind.LOCAL;
      if (wild
          && (failed || kind == EventKind.RECV || (probes && !events.is(event, EventFlag.POLL)))) {
        wildcards.add(event);
      }
      // Each takes a post number, whether or not it is a receive.
      if (calls.takesPost(events.call(event), kind, events.is(event, EventFlag.JOINED))) {
        posted.add(event);
      }
    }
    blocking = wildcards.build().toArray();
    posts = posted.build().toArray();
  }

  private void copy(Rank rank, OrderReader order, OrderWriter writer) {
    Rows rows = new Rows(writer);
    Outcome last = new Outcome.FailedPolls(0);
    while (order.hasNext()) {
      Outcome outcome = order.next().outcome();
      switch (outcome) {
        case Outcome.Recv _, Outcome.Probe _ -> {
          choice(rank, outcome, rows);
          last = outcome;
        }
        // Of a run that was distilled before.
        case Outcome.Again(long count) -> {
          requireEvents(rank, count);
          for (long i = 0; i < count; i++) {
            choice(rank, last, rows);
          }
        }
        case Outcome.Free(long count) -> {
          requireEvents(rank, count);
          for (long i = 0; i < count; i++) {
            rows.free(Optional.empty(), blocking[next]);
            next++;
          }
        }
        case Outcome.Post(long post, _, _) -> {
          if (post >= posts.length || isForced(rank, posts[(int) post], outcome)) {
            writer.write(outcome);
          } else {
            leftFree += ofAnySource(posts[(int) post]);
          }
        }
        case Outcome.PostEnd _, Outcome.Check _, Outcome.Turn _ -> writer.write(outcome);
        default -> rows.other(outcome);
      }
    }
    rows.end();
  }

  /** The outcome of the next blocking wildcard. */
  private void choice(Rank rank, Outcome outcome, Rows rows) {
    if (next >= blocking.length || isForced(rank, blocking[next], outcome)) {
      rows.choice(outcome);
    } else {
      rows.free(Optional.of(outcome), blocking[next]);
    }
    next++;
  }

  private int ofAnySource(int event) {
    return events.is(event, EventFlag.ANY_SOURCE) ? 1 : 0;
  }

  private void requireEvents(Rank rank, long count) {
    if (count > blocking.length - next) {
      throw doNotFit(rank, "there are " + blocking.length + " blocking wildcards among them");
    }
  }

  private UserError doNotFit(Rank rank, String found) {
    return new UserError(
        "the events of " + rank + " do not fit its order",
        found,
        "learn them again: reprise events --stack 1 "
            + ShellWords.quote(run.directory().path().toString()));
  }

  private boolean isForced(Rank rank, int event, Outcome outcome) {
    EventKind kind = events.kind(event);
    // A call that failed got nothing; its outcome keeps the place.
    boolean failed = kind == EventKind.LOCAL;
    boolean fits =
        switch (outcome) {
          case Outcome.Recv _ -> failed || kind == EventKind.RECV;
          case Outcome.Probe _ -> failed || kind == EventKind.PROBE || kind == EventKind.MPROBE;
          default -> kind == EventKind.POST_RECV;
        };
    if (!fits) {
      throw doNotFit(rank, "event " + events.number(event) + " is " + Words.word(kind));
    }
    return failed || mustBeForced.test(event);
  }

  /**
   * Writes outcomes of calls; rows of the same are one record. A record that says so takes two
   * bytes or more, so that a lone outcome of one byte is written even if it need not be forced:
   * otherwise a distilled order could be longer than the recorded one.
   */
  private final class Rows {
    private final OrderWriter writer;
    private Optional<Outcome> last = Optional.empty();
    private long again;
    private Optional<Outcome> firstFree = Optional.empty();
    private long free;
    private long freeOfAnySource;

    Rows(OrderWriter writer) {
      this.writer = writer;
    }

    void choice(Outcome outcome) {
      if (free == 0 && last.equals(Optional.of(outcome))) {
        again++;
        return;
      }
      end();
      writer.write(outcome);
      last = Optional.of(outcome);
    }

    /** The next one need not be forced; what it was is not known of a run distilled before. */
    void free(Optional<Outcome> outcome, int event) {
      if (free == 0) {
        end();
        firstFree = outcome;
      }
      free++;
      freeOfAnySource += ofAnySource(event);
    }

    void other(Outcome outcome) {
      end();
      writer.write(outcome);
    }

    void end() {
      if (again == 1) {
        last.ifPresent(writer::write);
      } else if (again > 1) {
        writer.write(new Outcome.Again(again));
      }
      if (free == 1 && firstFree.filter(DistilledOrder::isOneByte).isPresent()) {
        firstFree.ifPresent(writer::write);
      } else if (free > 0) {
        leftFree += freeOfAnySource;
        writer.write(new Outcome.Free(free));
      }
      again = 0;
      free = 0;
      freeOfAnySource = 0;
      last = Optional.empty();
    }
  }

  private static boolean isOneByte(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Recv(int source, OptionalInt tag) -> source < Wire.INLINE && tag.isEmpty();
      case Outcome.Probe(int source, OptionalInt tag) -> source < Wire.INLINE && tag.isEmpty();
      default -> false;
    };
  }
}
