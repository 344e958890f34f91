package org.reprise.causality;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.reprise.ranks.Happening;
import org.reprise.ranks.Laboratory;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.schedule.SerialMachine;

/**
 * A small program for another engine than the embedded one, with what the embedded one says of it.
 *
 * @param text a word for each statement: its name, peer, tag, whether it is synchronous, and
 *     request, between colons; of each rank one line
 * @param executions what every receive and probe of any source came to that told its program of it:
 *     {@code 0:1=2} is rank 0's receive number 1, which took rank 2's message, {@code 0:p0=2} its
 *     first probe
 */
public record SmallProgram(int ranks, String text, Set<Set<String>> executions) {
  /** One with so many executions that an MPI can run, drawn at random. */
  public static SmallProgram draw(Random random, int fewest, int most) {
    while (true) {
      Machine.Program program =
          random.nextBoolean()
              ? RandomPrograms.program(random)
              : SmallGrammar.program(random.nextInt(SmallGrammar.SIZE));
      if (!isForMpi(program)) {
        continue;
      }
      Set<Set<String>> executions = executions(program);
      if (executions.size() >= fewest && executions.size() <= most) {
        return new SmallProgram(program.ranks().size(), text(program), executions);
      }
    }
  }

  /**
   * The engine waits in collectives that carry no data, where MPI need not; and a program that
   * leaves requests open behind MPI_Finalize is none of MPI's.
   */
  private static boolean isForMpi(Machine.Program program) {
    for (List<Step> steps : program.ranks()) {
      boolean branches = steps.stream().anyMatch(step -> step.op() == Step.Op.UNLESS);
      for (Step step : steps) {
        boolean starts = step.op() == Step.Op.ISEND || step.op() == Step.Op.IRECV;
        boolean awaited =
            steps.subList(steps.indexOf(step), steps.size()).stream()
                .anyMatch(each -> each.op() == Step.Op.WAIT && each.request() == step.request());
        if (step.op() == Step.Op.BCAST
            || step.op() == Step.Op.REDUCE
            || starts && (branches || !awaited)) {
          return false;
        }
      }
    }
    return true;
  }

  private static String text(Machine.Program program) {
    return program.ranks().stream()
        .map(
            steps ->
                steps.stream()
                    .map(
                        step ->
                            "%s:%d:%d:%d:%d"
                                .formatted(
                                    step.op(),
                                    step.peer(),
                                    step.tag(),
                                    step.sync() ? 1 : 0,
                                    step.request()))
                    .collect(Collectors.joining(" ")))
        .collect(Collectors.joining("\n"));
  }

  /**
   * What every receive and probe of any source came to that told its program of it, in all
   * executions that the embedded engine enumerates.
   */
  static Set<Set<String>> executions(Machine.Program program) {
    return executions(program, SerialMachine.FAILURES_MAX);
  }

  /**
   * The same, with what every poll came to: {@code 0:t1=no} if rank 0's second poll fails.
   *
   * @param failuresMax so often the same poll may fail in a row
   */
  static Set<Set<String>> executions(Machine.Program program, int failuresMax) {
    Laboratory laboratory =
        new Laboratory(
            new Laboratory.Setting(program.ranks().size(), false, failuresMax),
            EngineProgram.halting(program));
    Set<Set<String>> all = new HashSet<>();
    for (Laboratory.Observation one : laboratory.all()) {
      Set<String> key = new TreeSet<>();
      Map<Happening.ReceiveId, String> names = new HashMap<>();
      Map<Integer, Integer> receives = new HashMap<>();
      Map<Integer, Integer> probes = new HashMap<>();
      Map<String, String> polls = new HashMap<>();
      Map<Integer, Integer> polled = new HashMap<>();
      for (Happening each : one.happenings()) {
        switch (each) {
          case Happening.Posted(int rank, Happening.ReceiveId receive, int source, _, _) -> {
            int number = receives.merge(rank, 1, Integer::sum) - 1;
            if (source == Fabric.ANY_SOURCE) {
              names.put(receive, rank + ":" + number + "=");
            }
          }
          case Happening.Probed(int rank, Happening.MessageId seen, _, _, _) ->
              key.add(
                  rank + ":p" + (probes.merge(rank, 1, Integer::sum) - 1) + "=" + seen.sender());
          case Happening.ReceiveCompleted(_, Happening.ReceiveId receive) -> {
            String name = names.get(receive);
            Happening.MessageId took = one.matches().get(receive);
            if (name != null && took != null) {
              key.add(name + took.sender());
            }
          }
          case Happening.Called(int rank, MpiCall call) -> {
            if (call == MpiCall.IPROBE || call == MpiCall.TEST) {
              polls.put(rank + ":t" + (polled.merge(rank, 1, Integer::sum) - 1), "yes");
            }
          }
          case Happening.PollFailed(int rank) ->
              polls.put(rank + ":t" + (polled.getOrDefault(rank, 0) - 1), "no");
          default -> {}
        }
      }
      polls.forEach((poll, answer) -> key.add(poll + "=" + answer));
      all.add(key);
    }
    return all;
  }
}
