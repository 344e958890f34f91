package org.reprise.ranks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.Decision;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.engine.Matching;
import org.reprise.ranks.engine.Message;
import org.reprise.ranks.engine.Observer;
import org.reprise.ranks.engine.Pending;
import org.reprise.ranks.engine.PendingCollective;
import org.reprise.ranks.engine.PendingReceive;
import org.reprise.ranks.engine.PendingSend;
import org.reprise.ranks.engine.RankProgram;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.schedule.ChosenScheduler;
import org.reprise.ranks.schedule.PossibleEvent;
import org.reprise.ranks.schedule.Scheduler;
import org.reprise.ranks.schedule.SeededScheduler;
import org.reprise.ranks.schedule.SerialMachine;

/**
 * Runs small programs to be looked at: what happened in an execution, all executions there are, and
 * what could have happened along one. Analyses of traces are tested against it.
 */
public final class Laboratory {
  /** A receive and a message that it takes, or could take. */
  public record Match(Happening.ReceiveId receive, Happening.MessageId message) {}

  /** A probe, counted from 0 among those of its rank, and a message that it sees or could see. */
  public record Sight(int rank, int probe, Happening.MessageId message) {}

  /** What was possible in some state. */
  public record Possible(Set<Match> matches, Set<Sight> sights) {
    public Possible {
      matches = Set.copyOf(matches);
      sights = Set.copyOf(sights);
    }
  }

  /**
   * An execution and everything that happened in it.
   *
   * @param happenings in the order in which they happened
   * @param matches what every receive took, of those that took something
   * @param choices for {@link Schedule.Chosen}
   */
  public record Observation(
      JobResult result,
      List<Happening> happenings,
      Map<Happening.ReceiveId, Happening.MessageId> matches,
      List<Integer> choices) {
    public Observation {
      happenings = List.copyOf(happenings);
      matches = Map.copyOf(matches);
      choices = List.copyOf(choices);
    }
  }

  /** What a program is run with. */
  public record Setting(int ranks, boolean syncSends, int failedPollsMax) {
    public static Setting of(int ranks) {
      return new Setting(ranks, false, SerialMachine.FAILURES_MAX);
    }
  }

  private final Setting setting;
  private final RankProgram program;

  public Laboratory(Setting setting, RankProgram program) {
    this.setting = setting;
    this.program = program;
  }

  /** One execution, drawn from a seed. */
  public Observation observe(long seed) {
    return observe(new SeededScheduler(seed));
  }

  /**
   * Every execution, each once. What can happen is tried at every point, and nothing is concluded
   * from what depends on what: analyses that do are held against this.
   */
  public List<Observation> all() {
    List<Observation> all = new ArrayList<>();
    Enumeration.explore(
        new Enumeration.Request(
            setting.ranks,
            setting.syncSends,
            setting.failedPollsMax,
            Long.MAX_VALUE,
            Enumeration.Reduction.SLEEP_SETS),
        () -> program,
        execution -> all.add(observe(new ChosenScheduler(execution.choices()))));
    return all;
  }

  private Observation observe(Scheduler scheduler) {
    Watching watch = new Watching();
    Remembering remembering = new Remembering(scheduler);
    JobResult result = run(machine(remembering, watch));
    return new Observation(result, watch.happenings, watch.matches, remembering.choices);
  }

  private SerialMachine machine(Scheduler scheduler, Observer observer) {
    return new SerialMachine(
        setting.ranks, setting.syncSends, observer, scheduler, setting.failedPollsMax);
  }

  private JobResult run(SerialMachine machine) {
    return EmbeddedJob.run(
        new JobRequest(
            setting.ranks,
            new Schedule.Chosen(List.of()),
            setting.syncSends,
            Optional.empty(),
            true),
        program,
        machine);
  }

  /**
   * Every pair of a receive from any source and a message that the receive could take in some state
   * which is reached by taking only this execution's own outcomes, and every pair of a probe that
   * saw something and a message that it could see there; its own are among them.
   */
  public Possible possibleAlong(Observation execution) {
    Along along = new Along(this, execution);
    along.explore();
    return new Possible(along.possible, along.sights);
  }

  /**
   * Runs programs of which every rank makes the first calls of an execution and then waits for
   * ever, and lets nothing happen but that execution's own outcomes: each comes as far as these
   * allow.
   */
  public void follow(Observation execution, List<? extends RankProgram> parts) {
    Along along = new Along(this, execution);
    along.learnOutcomes();
    parts.forEach(along::follow);
  }

  static Happening.ReceiveId id(PendingReceive receive) {
    return new Happening.ReceiveId(receive.owner.number, receive.number);
  }

  static Happening.MessageId id(Message message) {
    return new Happening.MessageId(message.sender.number, message.number);
  }

  /** Writes down what happens. */
  private static class Watching implements Observer {
    final List<Happening> happenings = new ArrayList<>();
    final Map<Happening.ReceiveId, Happening.MessageId> matches = new HashMap<>();

    /** How many messages each rank's probes have seen. */
    final Map<Integer, Integer> probes = new HashMap<>();

    @Override
    public void called(JobRank rank, MpiCall call) {
      happenings.add(new Happening.Called(rank.number, call));
    }

    @Override
    public void sent(Message message, JobRank dest) {
      happenings.add(
          new Happening.Sent(
              message.sender.number,
              id(message),
              dest.number,
              message.tag,
              message.context.id,
              message.send != null));
    }

    @Override
    public void posted(PendingReceive receive) {
      happenings.add(
          new Happening.Posted(
              receive.owner.number,
              id(receive),
              receive.askedAnySource ? Fabric.ANY_SOURCE : receive.source,
              receive.askedAnyTag ? Fabric.ANY_TAG : receive.tag,
              receive.comm.id()));
    }

    @Override
    public void matched(Message message, PendingReceive receive) {
      happenings.add(new Happening.Matched(receive.owner.number, id(receive), id(message)));
      matches.put(id(receive), id(message));
    }

    @Override
    public void completed(JobRank rank, Pending operation) {
      happenings.add(
          switch (operation) {
            case PendingReceive receive -> new Happening.ReceiveCompleted(rank.number, id(receive));
            case PendingSend send -> new Happening.SendCompleted(rank.number, send.post);
            case PendingCollective collective ->
                new Happening.Left(
                    rank.number,
                    collective.call.kind(),
                    collective.call.root(),
                    collective.comm.id());
          });
    }

    @Override
    public void probed(JobRank rank, Message seen, int source, int tag) {
      probes.merge(rank.number, 1, Integer::sum);
      happenings.add(new Happening.Probed(rank.number, id(seen), source, tag, seen.context.id));
    }

    @Override
    public void pollFailed(JobRank rank) {
      happenings.add(new Happening.PollFailed(rank.number));
    }

    @Override
    public void entered(JobRank rank, Communicator comm, CollectiveCall call) {
      happenings.add(new Happening.Entered(rank.number, call.kind(), call.root(), comm.id()));
    }

    @Override
    public void left(JobRank rank, Communicator comm, CollectiveCall call) {
      happenings.add(new Happening.Left(rank.number, call.kind(), call.root(), comm.id()));
    }
  }

  /** Remembers what another scheduler chose. */
  private static final class Remembering implements Scheduler {
    private final Scheduler scheduler;
    final List<Integer> choices = new ArrayList<>();

    Remembering(Scheduler scheduler) {
      this.scheduler = scheduler;
    }

    @Override
    public int next(int runnable) {
      // Who runs first changes nothing that is seen, and choices alone say what came next.
      return 0;
    }

    @Override
    public int choose(List<PossibleEvent> events) {
      int choice = scheduler.choose(events);
      choices.add(choice);
      return choice;
    }
  }

  /** Goes through the states that an execution's own outcomes lead to, in every order. */
  private static final class Along implements Scheduler {
    /** What a call came to. */
    private record Came(@Nullable List<Integer> indices, Happening.@Nullable MessageId seen) {}

    private record Call(int rank, long number) {}

    /** A state: how many calls each rank has made, and which receives have their message. */
    private record State(List<Long> calls, Set<Happening.ReceiveId> matched) {}

    /** A choice on the way, of those that the execution made. */
    private static final class Step {
      final int choices;
      int taken;

      Step(int choices) {
        this.choices = choices;
      }
    }

    private final Laboratory laboratory;
    private final Observation execution;
    private final Map<Call, Came> came = new HashMap<>();
    private final Set<State> visited = new HashSet<>();
    private final List<Step> path = new ArrayList<>();
    private int depth;
    private @Nullable SerialMachine machine;
    private Watching watch = new Watching();
    final Set<Match> possible = new LinkedHashSet<>();
    final Set<Sight> sights = new LinkedHashSet<>();

    Along(Laboratory laboratory, Observation execution) {
      this.laboratory = laboratory;
      this.execution = execution;
    }

    void explore() {
      learnOutcomes();
      boolean more = true;
      while (more) {
        depth = 0;
        watch = new Watching();
        SerialMachine fresh = laboratory.machine(this, watch);
        machine = fresh;
        laboratory.run(fresh);
        if (!fresh.wasStopped()) {
          lookAround();
        }
        more = backtrack();
      }
    }

    /** Own outcomes take nothing from each other, so any order of them leads as far as another. */
    void follow(RankProgram part) {
      Scheduler firstOwn =
          new Scheduler() {
            @Override
            public int next(int runnable) {
              return 0;
            }

            @Override
            public int choose(List<PossibleEvent> events) {
              for (int i = 0; i < events.size(); i++) {
                if (isOwn(events.get(i))) {
                  return i;
                }
              }
              return STOP;
            }
          };
      SerialMachine fresh = laboratory.machine(firstOwn, new Watching());
      machine = fresh;
      new Laboratory(laboratory.setting, part).run(fresh);
    }

    /** Runs the execution once more to see what each of its calls came to. */
    private void learnOutcomes() {
      Scheduler again = new ChosenScheduler(execution.choices);
      Scheduler learning =
          new Scheduler() {
            @Override
            public int next(int runnable) {
              return 0;
            }

            @Override
            public int choose(List<PossibleEvent> events) {
              int choice = again.choose(events);
              PossibleEvent event = events.get(choice);
              Decision decision = event.decision;
              if (decision != null) {
                came.put(call(event), came(decision));
              }
              return choice;
            }
          };
      machine = laboratory.machine(learning, new Watching());
      laboratory.run(machine);
    }

    private Call call(PossibleEvent event) {
      return new Call(event.rank(), machine().ranks[event.rank()].fabric().calls());
    }

    private SerialMachine machine() {
      return Objects.requireNonNull(machine);
    }

    private static Came came(Decision decision) {
      Message seen = decision.seen();
      return new Came(decision.indices(), seen == null ? null : id(seen));
    }

    private boolean isOwn(PossibleEvent event) {
      for (Matching.Pair pair : event.matches) {
        if (!id(pair.message()).equals(execution.matches.get(id(pair.receive())))) {
          return false;
        }
      }
      Decision decision = event.decision;
      return decision == null || came(decision).equals(came.get(call(event)));
    }

    @Override
    public int next(int runnable) {
      return 0;
    }

    @Override
    public int choose(List<PossibleEvent> events) {
      List<Integer> own = new ArrayList<>();
      for (int i = 0; i < events.size(); i++) {
        if (isOwn(events.get(i))) {
          own.add(i);
        }
      }
      if (depth == path.size()) {
        if (!visited.add(state())) {
          return STOP;
        }
        lookAround();
        if (own.isEmpty()) {
          return STOP;
        }
        path.add(new Step(own.size()));
      }
      return own.get(path.get(depth++).taken);
    }

    private State state() {
      List<Long> calls = new ArrayList<>();
      for (JobRank rank : machine().ranks) {
        calls.add(rank.fabric().calls());
      }
      return new State(calls, Set.copyOf(watch.matches.keySet()));
    }

    private void lookAround() {
      for (JobRank rank : machine().ranks) {
        for (PendingReceive receive = rank.mailbox.firstFromAnySource();
            receive != null;
            receive = receive.next) {
          for (Message message : Matching.candidates(rank.mailbox, receive)) {
            possible.add(new Match(id(receive), id(message)));
          }
        }
        if (rank.main.wait instanceof Wait.ForMessage probe) {
          lookWith(rank, probe);
        }
      }
    }

    /** A poll that failed in the execution saw nothing, whatever it could have seen. */
    private void lookWith(JobRank rank, Wait.ForMessage probe) {
      Came own = came.get(new Call(rank.number, rank.fabric().calls()));
      if (own != null && own.seen == null) {
        return;
      }
      int number = watch.probes.getOrDefault(rank.number, 0);
      for (Message message :
          Matching.candidates(
              rank.mailbox, probe.comm.context, probe.source, probe.tag, null, List.of())) {
        sights.add(new Sight(rank.number, number, id(message)));
      }
    }

    private boolean backtrack() {
      while (!path.isEmpty()) {
        Step last = path.getLast();
        if (++last.taken < last.choices) {
          return true;
        }
        path.removeLast();
      }
      return false;
    }
  }
}
