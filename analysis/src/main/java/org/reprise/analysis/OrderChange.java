package org.reprise.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.reprise.causality.Alternatives.Obstacle;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;
import org.reprise.causality.races.RacingSite;
import org.reprise.exploration.Decision;
import org.reprise.exploration.Execution;
import org.reprise.exploration.Prefix;
import org.reprise.exploration.Taken;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.RunDescription;

/**
 * A change of one outcome of a run, as a user asks for it: made into a plan if an execution can
 * have it, and refused with the reason if none can.
 *
 * @param words what is changed, for the user
 * @param choice the same for programs, if a receive or probe gets another message
 * @param plan what each rank is to do
 * @param forced how many outcomes of the run are forced besides
 * @param freed how many others of the run are left free, since they may depend on the changed one
 */
public record OrderChange(
    String words,
    Optional<RunDescription.Choice> choice,
    List<RankPlan> plan,
    int forced,
    int freed) {
  /** Makes the changes of one run. */
  public static final class Maker {
    private final Execution execution;
    private final RunEvents lines;
    private final EventTable events;

    public Maker(Execution execution, RunEvents lines) {
      this.execution = execution;
      this.lines = lines;
      events = execution.graph().events();
    }

    /** A receive or probe gets a message of another source. */
    public OrderChange take(int rank, int number, int source, OptionalInt tag) {
      int event = receive(rank, number);
      return takeMessage(event, candidate(event, source, tag));
    }

    /** What a report of races gives as an example happens. */
    public OrderChange race(RacingSite race) {
      int could = race.example().couldTake();
      if (could == EventTable.NONE) {
        throw impossible(
            "nothing is known that this receive could have taken instead",
            race.example().receive());
      }
      return takeMessage(race.example().receive(), execution.graph().pairing().message(could));
    }

    private OrderChange takeMessage(int event, int message) {
      Optional<Obstacle> obstacle = execution.alternatives().instead(event, message);
      if (obstacle.isPresent()) {
        throw impossible(reason(obstacle.get(), event), event);
      }
      var flip = execution.flip(event, message);
      Pairing pairing = execution.graph().pairing();
      int now = pairing.message(event);
      String instead = now < 0 ? "" : " instead of that of rank " + events.rank(pairing.send(now));
      return of(
          "%s of rank %d (event %d%s) %s the message of rank %d, tag %d,%s"
              .formatted(
                  lines.call(events, event),
                  events.rank(event),
                  events.number(event),
                  lines.at(events, event),
                  events.kind(event) == EventKind.PROBE ? "sees" : "takes",
                  events.rank(pairing.send(message)),
                  events.tag(pairing.send(message)),
                  instead),
          Optional.of(choice(event, now, message)),
          flip.plan(),
          flip.prefix());
    }

    private RunDescription.Choice choice(int event, int now, int message) {
      Pairing pairing = execution.graph().pairing();
      return new RunDescription.Choice(
          new Rank(events.rank(event)),
          events.number(event),
          now < 0 ? Optional.empty() : Optional.of(new Rank(events.rank(pairing.send(now)))),
          new Rank(events.rank(pairing.send(message))));
    }

    private OrderChange of(
        String words, Optional<RunDescription.Choice> choice, List<RankPlan> plan, Prefix prefix) {
      int kept = Taken.of(prefix.plan()).size();
      return new OrderChange(
          words.endsWith(",") ? words.substring(0, words.length() - 1) : words,
          choice,
          plan,
          kept,
          execution.taken().size() - kept);
    }

    /** A call that chooses among requests completes another one. */
    public OrderChange index(int rank, int number, int index) {
      int event = event(rank, number);
      Decision decision = decided(event);
      Outcome outcome = outcome(decision);
      if (!(outcome instanceof Outcome.Index(OptionalInt chosen))) {
        throw impossible("it does not choose one of several requests", event);
      }
      if (chosen.equals(OptionalInt.of(index))) {
        throw impossible("it completed request " + index + " in the run already", event);
      }
      Prefix prefix = execution.before(event);
      return of(
          "%s of rank %d (event %d%s) completes request %d%s"
              .formatted(
                  lines.call(events, event),
                  events.rank(event),
                  events.number(event),
                  lines.at(events, event),
                  index,
                  chosen.isPresent() ? " instead of " + chosen.getAsInt() : ""),
          Optional.empty(),
          prefix.plan(
              events.rank(event),
              with(failedBefore(decision), new Outcome.Index(OptionalInt.of(index)))),
          prefix);
    }

    /** A poll is answered otherwise. */
    public OrderChange poll(int rank, int number, boolean yes, OptionalInt source) {
      int event = event(rank, number);
      boolean failed = events.kind(event) == EventKind.POLLS;
      boolean succeeded = events.kind(event) != EventKind.POLLS && isPoll(event);
      if (!failed && !succeeded) {
        throw impossible("it is not a poll", event);
      }
      if (failed != yes) {
        throw impossible("it was answered so in the run already", event);
      }
      Prefix prefix = execution.before(event);
      List<Outcome> then =
          failed
              ? with(failedUpTo(event), answer(event, source))
              : List.of(new Outcome.FailedPolls(failedBefore(decided(event)) + 1));
      return of(
          "%s of rank %d (event %d%s) is answered %s"
              .formatted(
                  lines.call(events, event),
                  rank,
                  events.number(event),
                  lines.at(events, event),
                  yes ? "yes" : "no"),
          Optional.empty(),
          prefix.plan(rank, then),
          prefix);
    }

    private boolean isPoll(int event) {
      return !events.kind(event).isCollective()
          && events.is(event, EventFlag.POLL)
          && poll(event).isPresent();
    }

    /**
     * What it polls, if that is a request or a message: of windows and partitions no more is known.
     */
    private Optional<Wire.Poll> poll(int event) {
      return Wire.Poll.ofCall(lines.call(events, event))
          .filter(poll -> poll != Wire.Poll.WIN_TEST && poll != Wire.Poll.PARRIVED);
    }

    private Outcome answer(int event, OptionalInt source) {
      Wire.Poll poll =
          poll(event)
              .orElseThrow(
                  () ->
                      impossible("only Test, Testall, Iprobe and Improbe can be answered", event));
      return poll == Wire.Poll.IPROBE || poll == Wire.Poll.IMPROBE
          ? found(event, poll, source)
          : new Outcome.Hit(poll);
    }

    /** A failed probe is not written down with what it asked for; the next that succeeds is. */
    private Outcome found(int event, Wire.Poll poll, OptionalInt source) {
      int rank = events.rank(event);
      for (int e = event + 1; e < events.first(rank) + events.size(rank); e++) {
        boolean probe = events.kind(e) == EventKind.PROBE || events.kind(e) == EventKind.MPROBE;
        if (probe && events.call(e) == events.call(event) && events.site(e) == events.site(event)) {
          Optional<Decision> decision = execution.decision(e);
          if (decision.isPresent() && outcome(decision.get()) instanceof Outcome.Found seen) {
            return source.isPresent() ? new Outcome.Found(source.getAsInt(), seen.tag()) : seen;
          }
          return new Outcome.Hit(poll);
        }
      }
      throw impossible("no such probe of this line succeeded in the run", event);
    }

    private static List<Outcome> with(long failed, Outcome then) {
      return failed == 0 ? List.of(then) : List.of(new Outcome.FailedPolls(failed), then);
    }

    /** How many polls in a row had failed before the call of a decision. */
    private long failedBefore(Decision decision) {
      long failed = 0;
      long call = 0;
      for (Outcome outcome : execution.orders().get(decision.rank()).calls()) {
        if (outcome instanceof Outcome.FailedPolls(long count)) {
          failed += count;
        } else if (RankPlan.isOfCall(outcome)) {
          if (call++ == decision.number()) {
            return failed;
          }
          failed = 0;
        }
      }
      return failed;
    }

    /** How many had failed since the last call that left something open, up to these polls. */
    private long failedUpTo(int polls) {
      long failed = 0;
      for (int e = polls - 1; e >= events.first(events.rank(polls)); e--) {
        if (events.kind(e) == EventKind.POLLS) {
          failed += events.bytes(e);
        } else if (execution
            .decision(e)
            .filter(decision -> decision.kind() == Decision.Kind.CALL)
            .isPresent()) {
          break;
        }
      }
      return failed;
    }

    private Outcome outcome(Decision decision) {
      return execution.taken().stream()
          .filter(each -> each.decision().equals(decision))
          .map(Taken::outcome)
          .findFirst()
          .orElse(new Outcome.FailedPolls(0));
    }

    private Decision decided(int event) {
      return execution
          .decision(event)
          .orElseThrow(() -> impossible("it leaves nothing open", event));
    }

    private int event(int rank, int number) {
      if (rank >= events.ranks() || number >= events.size(rank)) {
        throw new UserError(
            "there is no event " + rank + ":" + number + " in this run",
            rank >= events.ranks()
                ? "it has " + events.ranks() + " ranks, from 0"
                : "rank " + rank + " has " + events.size(rank) + " events, from 0",
            "see reprise events for their numbers");
      }
      return events.event(rank, number);
    }

    /** The post, where its completion is named. */
    private int receive(int rank, int number) {
      int event = event(rank, number);
      int post =
          events.kind(event) == EventKind.COMPLETE && events.link(event) >= 0
              ? events.link(event)
              : event;
      switch (events.kind(post)) {
        case RECV, POST_RECV, PROBE, MPROBE -> {}
        default -> throw impossible("it is neither a receive nor a probe", event);
      }
      if (!events.is(post, EventFlag.ANY_SOURCE)) {
        throw impossible("it names its source", post);
      }
      decided(post);
      return post;
    }

    /** The first message of a source that the receive accepts and that could be it. */
    private int candidate(int event, int source, OptionalInt tag) {
      Pairing pairing = execution.graph().pairing();
      List<Integer> accepted = new ArrayList<>();
      for (int message = 0; message < pairing.messages(); message++) {
        int sent = pairing.send(message);
        if (events.rank(sent) == source
            && events.peer(sent) == events.rank(event)
            && (tag.isEmpty() || events.tag(sent) == tag.getAsInt())
            && execution.alternatives().accepts(event, sent)) {
          accepted.add(message);
        }
      }
      accepted.sort((a, b) -> Integer.compare(pairing.send(a), pairing.send(b)));
      if (accepted.isEmpty()) {
        throw impossible(
            "rank "
                + source
                + " sends it no message that it accepts"
                + (tag.isPresent() ? ", with tag " + tag.getAsInt() : ""),
            event);
      }
      int own = pairing.message(event);
      if (own >= 0 && accepted.contains(own) && tag.isEmpty()) {
        throw impossible("it took a message of rank " + source + " in the run already", event);
      }
      return accepted.stream()
          .filter(message -> execution.alternatives().instead(event, message).isEmpty())
          .findFirst()
          .orElseGet(
              () ->
                  accepted.stream()
                      .filter(message -> !isTakenBefore(message, event))
                      .findFirst()
                      .orElse(accepted.getFirst()));
    }

    private boolean isTakenBefore(int message, int event) {
      int receive = execution.graph().pairing().receive(message);
      return receive >= 0 && receive < event;
    }

    private String reason(Obstacle obstacle, int event) {
      return switch (obstacle) {
        case Obstacle.NotAccepted() -> "it does not accept that message";
        case Obstacle.NotPosted() -> "it is posted because of what it took";
        case Obstacle.SentBecause(int send) ->
            "that message is sent because of this "
                + (events.kind(event) == EventKind.PROBE ? "probe" : "receive")
                + ": "
                + place(send);
        case Obstacle.Taken(int receive) ->
            "another receive has taken that message before: " + place(receive);
        case Obstacle.PostedBefore(int receive) ->
            "a receive that was posted earlier takes it: " + place(receive);
        case Obstacle.Overtakes(int earlier) ->
            "messages do not overtake each other, and an earlier one comes first: "
                + place(earlier);
        case Obstacle.Unknown(int receive) ->
            "it is not known what became of a receive posted earlier: " + place(receive);
      };
    }

    private String place(int event) {
      return "event "
          + events.rank(event)
          + ":"
          + events.number(event)
          + ", "
          + lines.words(events, event);
    }

    private UserError impossible(String reason, int event) {
      String could =
          execution.flips().stream()
              .map(flip -> execution.event(flip.taken().decision()))
              .flatMapToInt(OptionalInt::stream)
              .distinct()
              .limit(5)
              .mapToObj(e -> events.rank(e) + ":" + events.number(e))
              .collect(Collectors.joining(", "));
      return new UserError(
          "no execution can have this change: " + reason,
          place(event),
          could.isEmpty()
              ? "no receive of this run could have taken another message"
              : "these could have taken another message: " + could + "; see reprise races");
    }
  }
}
