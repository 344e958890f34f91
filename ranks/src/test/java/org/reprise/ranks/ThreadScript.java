package org.reprise.ranks;

import static org.reprise.ranks.Programs.complete;
import static org.reprise.ranks.Programs.irecv;
import static org.reprise.ranks.Programs.mpi;
import static org.reprise.ranks.Programs.recv;
import static org.reprise.ranks.Programs.send;
import static org.reprise.ranks.Programs.ssend;
import static org.reprise.ranks.Programs.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.reprise.ranks.engine.RankProgram;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.inputs.SeededNumbers;

/**
 * A small program whose ranks have threads, as data: a list of steps for each thread of each rank.
 * {@link ThreadInterleavings} runs it without the engine.
 */
record ThreadScript(List<List<List<Step>>> ranks) {
  /** One call. Messages are told apart by who sent them: rank, thread, and the n-th of those. */
  sealed interface Step {
    record Send(int dest, int tag, boolean sync) implements Step {}

    record Recv(int source, int tag) implements Step {}

    /** Starts a receive, of which each thread has at most one. */
    record Post(int source, int tag) implements Step {}

    /** Waits for it. */
    record Await() implements Step {}

    record Poll(int source, int tag) implements Step {}
  }

  static int label(int rank, int thread, int number) {
    return (rank * 10 + thread) * 10 + number;
  }

  /** The program; {@code logs} gets what each thread saw, by rank and thread. */
  RankProgram program(Map<String, List<String>> logs) {
    logs.clear();
    return rank -> {
      List<List<Step>> threads = ranks.get(rank);
      List<Thread> started = new ArrayList<>();
      for (int i = 1; i < threads.size(); i++) {
        int thread = i;
        started.add(Thread.ofPlatform().daemon().unstarted(() -> run(rank, thread, threads, logs)));
      }
      started.forEach(Thread::start);
      run(rank, 0, threads, logs);
      for (Thread thread : started) {
        thread.join();
      }
    };
  }

  private static void run(
      int rank, int thread, List<List<Step>> threads, Map<String, List<String>> logs) {
    List<String> log = logs.computeIfAbsent(rank + "." + thread, _ -> new ArrayList<>());
    int sent = 0;
    Operation posted = null;
    for (Step step : threads.get(thread)) {
      switch (step) {
        case Step.Send(int dest, int tag, boolean sync) -> {
          if (sync) {
            ssend(dest, tag, label(rank, thread, sent++));
          } else {
            send(dest, tag, label(rank, thread, sent++));
          }
          log.add("sent");
        }
        case Step.Recv(int source, int tag) -> log.add("got " + value(recv(source, tag)));
        case Step.Post(int source, int tag) -> posted = irecv(source, tag);
        case Step.Await _ -> {
          Operation awaited = Objects.requireNonNull(posted);
          complete(CompletionMode.WAIT, awaited);
          log.add("got " + value(awaited.received()));
        }
        case Step.Poll(int source, int tag) ->
            log.add(
                mpi()
                    .iprobe(mpi().world(), source, tag)
                    .map(seen -> "saw " + seen.source() + "/" + seen.tag())
                    .orElse("saw nothing"));
      }
    }
    log.add("end");
  }

  static Map<String, List<String>> empty() {
    return new ConcurrentHashMap<>();
  }

  static Map<String, List<String>> copy(Map<String, List<String>> logs) {
    Map<String, List<String>> copy = new TreeMap<>();
    logs.forEach((thread, lines) -> copy.put(thread, List.copyOf(lines)));
    return copy;
  }

  /** Two or three ranks, of which at least one has two threads; as many receives as messages. */
  static ThreadScript draw(long seed) {
    SeededNumbers numbers = new SeededNumbers(seed);
    int count = 2 + numbers.below(2);
    List<List<List<Step>>> ranks = new ArrayList<>();
    for (int rank = 0; rank < count; rank++) {
      List<List<Step>> threads = new ArrayList<>();
      int own = rank == 0 ? 2 : 1 + numbers.below(2);
      for (int thread = 0; thread < own; thread++) {
        threads.add(new ArrayList<>());
      }
      ranks.add(threads);
    }
    int messages = 2 + numbers.below(2);
    for (int i = 0; i < messages; i++) {
      int from = numbers.below(count);
      int to = i == 0 ? 0 : numbers.below(count);
      int tag = numbers.below(2);
      drawn(ranks.get(from), numbers).add(new Step.Send(to, tag, numbers.below(5) == 0));
      int source = numbers.below(3) > 0 ? Fabric.ANY_SOURCE : from;
      int wanted = numbers.below(3) > 0 ? Fabric.ANY_TAG : tag;
      List<Step> taker = drawn(ranks.get(to), numbers);
      switch (numbers.below(4)) {
        case 0 -> {
          boolean isFree = taker.stream().noneMatch(step -> step instanceof Step.Post);
          taker.add(isFree ? new Step.Post(source, wanted) : new Step.Recv(source, wanted));
        }
        case 1 -> {
          taker.add(new Step.Poll(source, wanted));
          taker.add(new Step.Recv(source, wanted));
        }
        default -> taker.add(new Step.Recv(source, wanted));
      }
    }
    for (List<List<Step>> threads : ranks) {
      for (List<Step> steps : threads) {
        if (steps.stream().anyMatch(step -> step instanceof Step.Post)) {
          steps.add(new Step.Await());
        }
      }
    }
    return new ThreadScript(ranks);
  }

  private static List<Step> drawn(List<List<Step>> threads, SeededNumbers numbers) {
    return threads.get(numbers.below(threads.size()));
  }
}
