package org.reprise.ranks.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Reduction;

/**
 * One collective operation of a communicator, from its first member's entry to its last one's exit.
 * Members wait for each other along the flow of data only: a root that has nothing to receive goes
 * on at once. Contributions are combined in the order of ranks, whoever comes first.
 */
public final class Round {
  /** Whose entry a member's exit waits for. */
  public enum Flow {
    ALL_TO_ALL,
    ROOT_TO_ALL,
    ALL_TO_ROOT,
    /** From every rank to those above it. */
    UPWARDS
  }

  private final int[] members;
  private final MpiCall call;
  private final int root;
  private final int firstCaller;
  private final Flow flow;
  private final @Nullable Object[] contributions;
  private final @Nullable JobRank[] waiting;

  /** Of members whose call does not wait: what is complete when the round is ready for them. */
  private final @Nullable PendingCollective[] started;

  private int arrived;
  private int gone;

  /** How many members from the first on have arrived, without a gap. */
  private int prefix;

  private @Nullable Object result;

  /** Contributions of the members up to each, combined; as far as somebody has asked. */
  private final List<Payload> partials = new ArrayList<>();

  public Round(int[] members, MpiCall call, int root, int firstCaller, Flow flow) {
    this.members = members;
    this.call = call;
    this.root = root;
    this.firstCaller = firstCaller;
    this.flow = flow;
    this.contributions = new Object[members.length];
    this.waiting = new JobRank[members.length];
    this.started = new PendingCollective[members.length];
  }

  /** What a member brings; throws if its call is another one than the first member's. */
  public void arrive(
      int member, MpiCall memberCall, int memberRoot, Object contribution, Machine machine) {
    List<JobRank> over = new ArrayList<>();
    synchronized (this) {
      if (memberCall != call || memberRoot != root) {
        throw new FabricError(
            FabricError.Kind.ORDER,
            "collective calls differ: "
                + described(memberCall, memberRoot, member)
                + ", "
                + described(call, root, firstCaller));
      }
      contributions[member] = contribution;
      arrived++;
      int before = prefix;
      while (prefix < contributions.length && contributions[prefix] != null) {
        prefix++;
      }
      int from = flow == Flow.UPWARDS ? before : 0;
      int to = flow == Flow.UPWARDS ? prefix : waiting.length;
      boolean everybody =
          switch (flow) {
            case ALL_TO_ALL -> arrived == contributions.length;
            case ROOT_TO_ALL -> member == root;
            case ALL_TO_ROOT -> arrived == contributions.length;
            case UPWARDS -> true;
          };
      for (int i = everybody ? from : to; i < to; i++) {
        JobRank rank = waiting[i];
        if (rank != null) {
          over.add(rank);
          waiting[i] = null;
          PendingCollective pending = started[i];
          if (pending != null) {
            pending.done = true;
          }
        }
      }
    }
    over.forEach(machine::wake);
  }

  private String described(MpiCall which, int whichRoot, int member) {
    String rooted =
        flow == Flow.ALL_TO_ALL || flow == Flow.UPWARDS ? "" : " with root " + whichRoot;
    return "rank " + members[member] + " called " + which + rooted;
  }

  /** Whether the member can go on; if not, it is woken when it can. */
  public synchronized boolean isReadyOrWaits(int member, JobRank rank) {
    if (isReady(member)) {
      return true;
    }
    waiting[member] = rank;
    return false;
  }

  /** The operation is complete when the round is ready for the member, which may be at once. */
  public synchronized void completes(PendingCollective operation, int member) {
    if (isReady(member)) {
      operation.done = true;
    } else {
      started[member] = operation;
      waiting[member] = operation.owner;
    }
  }

  synchronized boolean isReady(int member) {
    return switch (flow) {
      case ALL_TO_ALL -> arrived == contributions.length;
      case ROOT_TO_ALL -> contributions[root] != null;
      case ALL_TO_ROOT -> member != root || arrived == contributions.length;
      case UPWARDS -> prefix > member;
    };
  }

  public synchronized Object contribution(int member) {
    Object contribution = contributions[member];
    if (contribution == null) {
      throw new IllegalStateException("member " + member + " has not arrived");
    }
    return contribution;
  }

  /** The combined contributions, made by the first who asks: same for all members. */
  public synchronized Object result(Supplier<Object> make) {
    if (result == null) {
      result = make.get();
    }
    return result;
  }

  /** The contributions of the members from the first to this one, combined. */
  public synchronized Payload partial(int member, Reduction reduction) {
    while (partials.size() <= member) {
      Payload next = ((CollectiveCall) contribution(partials.size())).send().copy();
      if (!partials.isEmpty()) {
        Payload sum = partials.getLast().copy();
        reduction.combine(sum, next);
        next = sum;
      }
      partials.add(next);
    }
    return partials.get(member);
  }

  /** True for the last member that leaves. */
  public synchronized boolean leave() {
    return ++gone == contributions.length;
  }

  public int size() {
    return contributions.length;
  }

  synchronized List<Integer> missing(int member) {
    List<Integer> missing = new ArrayList<>();
    for (int i = 0; i < contributions.length; i++) {
      boolean needed =
          switch (flow) {
            case ALL_TO_ALL, ALL_TO_ROOT -> true;
            case ROOT_TO_ALL -> i == root;
            case UPWARDS -> i < member;
          };
      if (needed && contributions[i] == null) {
        missing.add(members[i]);
      }
    }
    return missing;
  }

  String what(int member) {
    List<Integer> missing = missing(member);
    String first = String.join(", ", missing.stream().limit(5).map(String::valueOf).toList());
    String more = missing.size() > 5 ? " and " + (missing.size() - 5) + " more" : "";
    return (missing.size() == 1 ? "rank " : "ranks ") + first + more + " to call " + call;
  }
}
