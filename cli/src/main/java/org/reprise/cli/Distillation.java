package org.reprise.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntPredicate;
import org.reprise.causality.EventTable;
import org.reprise.trace.EventFlag;
import org.reprise.trace.EventKind;
import org.reprise.trace.OrderReader;
import org.reprise.trace.OrderWriter;
import org.reprise.trace.Outcome;
import org.reprise.trace.Rank;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.UserError;
import org.reprise.trace.Wire;

/**
 * The order of one rank with the outcomes that must be forced and no others. Which outcome belongs
 * to which event follows from the order of both: blocking wildcards come one after the other, and
 * non-blocking operations are numbered as they are started.
 */
final class Distillation {
  /** Each takes a post number, whether or not it is a receive. */
  private static final Set<String> POSTING =
      Set.of(
          "Isend",
          "Issend",
          "Ibsend",
          "Irsend",
          "Irecv",
          "Imrecv",
          "Isendrecv",
          "Isendrecv_replace");

  private static final Set<String> STARTING = Set.of("Start", "Startall");

  private final RunDirectory run;
  private final EventTable events;
  private final List<String> callNames;
  private final IntPredicate mustBeForced;
  private final List<Integer> blocking = new ArrayList<>();
  private final Map<Long, Integer> posts = new HashMap<>();
  private int next;
  private long leftFree;

  private Distillation(
      RunDirectory run, EventTable events, List<String> callNames, IntPredicate mustBeForced) {
    this.run = run;
    this.events = events;
    this.callNames = callNames;
    this.mustBeForced = mustBeForced;
  }

  /**
   * Writes the distilled order of one rank; how many receives and probes from any source it leaves
   * free.
   */
  static long of(
      Rank rank,
      RunDirectory from,
      RunDirectory to,
      EventTable events,
      List<String> callNames,
      IntPredicate mustBeForced) {
    Distillation distillation = new Distillation(from, events, callNames, mustBeForced);
    distillation.number(rank);
    try (OrderReader order = from.openOrder(rank);
        OrderWriter writer = new OrderWriter(to.orderFile(rank), order.header())) {
      distillation.copy(rank, order, writer);
    }
    return distillation.leftFree;
  }

  private void number(Rank rank) {
    long post = 0;
    int first = events.first(rank.number());
    for (int event = first; event < first + events.size(rank.number()); event++) {
      EventKind kind = events.kind(event);
      if (kind.isCollective()) {
        continue;
      }
      boolean wild = events.is(event, EventFlag.ANY_SOURCE) || events.is(event, EventFlag.ANY_TAG);
      boolean probes = kind == EventKind.PROBE || kind == EventKind.MPROBE;
      if (wild && (kind == EventKind.RECV || (probes && !events.is(event, EventFlag.POLL)))) {
        blocking.add(event);
      }
      String call = callNames.get(events.call(event)).replaceFirst("_c$", "");
      boolean takesNumber =
          STARTING.contains(call)
              ? kind.isPost()
              : POSTING.contains(call) && !events.is(event, EventFlag.JOINED);
      if (takesNumber) {
        posts.put(post++, event);
      }
    }
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
            rows.free(Optional.empty(), blocking.get(next));
            next++;
          }
        }
        case Outcome.Post(long post, _, _) -> {
          Integer event = posts.get(post);
          if (event == null || isForced(rank, event, outcome)) {
            writer.write(outcome);
          } else {
            leftFree += ofAnySource(event);
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
    if (next >= blocking.size() || isForced(rank, blocking.get(next), outcome)) {
      rows.choice(outcome);
    } else {
      rows.free(Optional.of(outcome), blocking.get(next));
    }
    next++;
  }

  private int ofAnySource(int event) {
    return events.is(event, EventFlag.ANY_SOURCE) ? 1 : 0;
  }

  private void requireEvents(Rank rank, long count) {
    if (count > blocking.size() - next) {
      throw doNotFit(rank, "there are " + blocking.size() + " blocking wildcards among them");
    }
  }

  private UserError doNotFit(Rank rank, String found) {
    return new UserError(
        "the events of " + rank + " do not fit its order",
        found,
        "learn them again: reprise events --stack 1 " + ShellWords.quote(run.path().toString()));
  }

  private boolean isForced(Rank rank, int event, Outcome outcome) {
    EventKind kind = events.kind(event);
    boolean fits =
        switch (outcome) {
          case Outcome.Recv _ -> kind == EventKind.RECV;
          case Outcome.Probe _ -> kind == EventKind.PROBE || kind == EventKind.MPROBE;
          default -> kind == EventKind.POST_RECV;
        };
    if (!fits) {
      throw doNotFit(rank, "event " + events.number(event) + " is " + Words.word(kind));
    }
    return mustBeForced.test(event);
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
      if (free == 1 && firstFree.filter(Distillation::isOneByte).isPresent()) {
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
