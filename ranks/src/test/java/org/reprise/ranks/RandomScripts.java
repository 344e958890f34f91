package org.reprise.ranks;

import java.util.ArrayList;
import java.util.List;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.inputs.SeededNumbers;

/** Small scripts drawn from a seed, with everything in them that the engine leaves open. */
final class RandomScripts {
  private final SeededNumbers numbers;
  private final boolean polls;
  private final boolean cancels;
  private final int ranksMax;

  RandomScripts(long seed, boolean polls) {
    this(seed, polls, false);
  }

  RandomScripts(long seed, boolean polls, boolean cancels) {
    this(seed, polls, cancels, 3);
  }

  RandomScripts(long seed, boolean polls, boolean cancels, int ranksMax) {
    this.numbers = new SeededNumbers(seed);
    this.polls = polls;
    this.cancels = cancels;
    this.ranksMax = ranksMax;
  }

  Script next() {
    int ranks = 2 + numbers.below(ranksMax - 1);
    List<List<Script.Step>> all = new ArrayList<>();
    int total = 1 + ranksMax + numbers.below(5);
    for (int i = 0; i < ranks; i++) {
      all.add(new ArrayList<>());
    }
    int[] slots = new int[ranks];
    List<List<Integer>> open = new ArrayList<>();
    for (int i = 0; i < ranks; i++) {
      open.add(new ArrayList<>());
    }
    for (int i = 0; i < total; i++) {
      int rank = numbers.below(ranks);
      List<Script.Step> steps = all.get(rank);
      int other = (rank + 1 + numbers.below(ranks - 1)) % ranks;
      int kind = numbers.below(polls ? 15 : 10);
      // A message and somebody who may receive it, mostly in pairs: else nearly all would hang.
      switch (kind) {
        case 0, 1, 2, 3 -> {
          steps.add(new Script.Step.Send(other, tag(false), numbers.below(5) == 0));
          all.get(other).add(new Script.Step.Recv(source(rank), tag(true)));
        }
        case 4 -> {
          int slot = slots[rank]++;
          open.get(rank).add(slot);
          steps.add(new Script.Step.Isend(slot, other, tag(false), numbers.coin()));
        }
        case 5, 6, 7 -> {
          int slot = slots[rank]++;
          open.get(rank).add(slot);
          steps.add(new Script.Step.Irecv(slot, source(other), tag(true)));
          all.get(other).add(new Script.Step.Send(rank, tag(false), numbers.below(6) == 0));
        }
        case 8 -> steps.add(new Script.Step.SkipIfFrom(other, 1));
        case 9 -> complete(steps, open.get(rank), false);
        case 10, 11 -> complete(steps, open.get(rank), true);
        case 12 -> steps.add(new Script.Step.Probe(source(other), tag(true), true));
        case 13 -> {
          steps.add(new Script.Step.Probe(source(other), tag(true), false));
        }
        default -> complete(steps, open.get(rank), true);
      }
    }
    if (numbers.below(4) == 0) {
      int root = numbers.below(ranks);
      for (List<Script.Step> steps : all) {
        steps.add(
            numbers.below(steps.size() + 1),
            root == 0 ? new Script.Step.Barrier() : new Script.Step.Bcast(root));
      }
      boolean barrier = root == 0;
      for (List<Script.Step> steps : all) {
        steps.replaceAll(
            step ->
                step instanceof Script.Step.Barrier || step instanceof Script.Step.Bcast
                    ? (barrier ? new Script.Step.Barrier() : new Script.Step.Bcast(root))
                    : step);
      }
    }
    if (cancels) {
      all.forEach(this::cancelSome);
    }
    for (int i = 0; i < ranks; i++) {
      if (!open.get(i).isEmpty() && numbers.below(3) > 0) {
        all.get(i).add(new Script.Step.Complete(CompletionMode.WAIT_ALL, List.copyOf(open.get(i))));
      }
    }
    return new Script(all);
  }

  private void cancelSome(List<Script.Step> steps) {
    for (Script.Step step : List.copyOf(steps)) {
      if (step instanceof Script.Step.Irecv(int slot, _, _) && numbers.below(3) > 0) {
        int from = steps.indexOf(step) + 1;
        steps.add(from + numbers.below(steps.size() - from + 1), new Script.Step.Cancel(slot));
      }
    }
  }

  private void complete(List<Script.Step> steps, List<Integer> open, boolean poll) {
    if (open.isEmpty()) {
      return;
    }
    CompletionMode[] blocking = {
      CompletionMode.WAIT,
      CompletionMode.WAIT_ALL,
      CompletionMode.WAIT_ANY,
      CompletionMode.WAIT_SOME
    };
    CompletionMode[] polling = {
      CompletionMode.TEST,
      CompletionMode.TEST_ALL,
      CompletionMode.TEST_ANY,
      CompletionMode.TEST_SOME
    };
    CompletionMode mode = (poll ? polling : blocking)[numbers.below(4)];
    boolean one = mode == CompletionMode.WAIT || mode == CompletionMode.TEST;
    List<Integer> wanted = new ArrayList<>(open);
    if (one) {
      wanted = List.of(wanted.get(numbers.below(wanted.size())));
    } else if (numbers.coin()) {
      wanted = wanted.reversed();
    }
    steps.add(new Script.Step.Complete(mode, List.copyOf(wanted)));
  }

  private int source(int rank) {
    return numbers.below(3) > 0 ? Script.ANY : rank;
  }

  private int tag(boolean pattern) {
    int tag = numbers.below(pattern ? 4 : 2);
    return tag < 2 ? tag : Script.ANY_TAG;
  }
}
