package org.reprise.ranks.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.MpiCall;

/** What a rank's call waits for. A poll is such a wait, too, as far as a scheduler decides it. */
public abstract sealed class Wait {
  public final MpiCall call;

  Wait(MpiCall call) {
    this.call = call;
  }

  /** Whether the call can return, whatever anybody decides. */
  public abstract boolean isOver();

  /** What it waits for, in words. */
  abstract String what();

  /** World ranks whose doing could end it. */
  abstract List<Integer> ranks();

  /** Operations that are to be complete: all of them, or one at least. */
  public static final class ForOperations extends Wait {
    public final @Nullable Pending[] operations;
    public final CompletionMode mode;

    public ForOperations(MpiCall call, @Nullable Pending[] operations, CompletionMode mode) {
      super(call);
      this.operations = operations;
      this.mode = mode;
    }

    public ForOperations(MpiCall call, Pending operation) {
      this(call, new Pending[] {operation}, CompletionMode.WAIT);
    }

    public boolean wantsAll() {
      return switch (mode) {
        case WAIT, WAIT_ALL, TEST, TEST_ALL -> true;
        case WAIT_ANY, WAIT_SOME, TEST_ANY, TEST_SOME -> false;
      };
    }

    @Override
    public boolean isOver() {
      boolean all = wantsAll();
      for (Pending operation : operations) {
        if (operation != null && operation.done != all) {
          return !all;
        }
      }
      return all;
    }

    private List<Pending> open() {
      return Arrays.stream(operations)
          .filter(Objects::nonNull)
          .filter(operation -> !operation.done)
          .toList();
    }

    @Override
    String what() {
      List<Pending> open = open();
      String first =
          open.stream().limit(3).map(Pending::waitsFor).collect(Collectors.joining(" and "));
      return open.size() > 3 ? first + " and " + (open.size() - 3) + " more" : first;
    }

    @Override
    List<Integer> ranks() {
      List<Integer> ranks = new ArrayList<>();
      for (Pending operation : open()) {
        switch (operation) {
          case PendingSend send -> ranks.add(send.dest);
          case PendingCollective collective -> ranks.addAll(collective.missing());
          case PendingReceive receive ->
              ranks.addAll(sources(receive.comm, receive.source, receive.owner.number));
        }
      }
      return ranks;
    }
  }

  /** A message that a probe may see. */
  public static final class ForMessage extends Wait {
    final JobRank rank;
    public final Member comm;
    public final int source;
    public final int tag;

    /** The message a scheduler lets it see; null: the first one there. */
    @Nullable Message seen;

    public ForMessage(MpiCall call, JobRank rank, Member comm, int source, int tag) {
      super(call);
      this.rank = rank;
      this.comm = comm;
      this.source = source;
      this.tag = tag;
    }

    @Nullable
    public Message find() {
      synchronized (rank.mailbox) {
        return rank.mailbox.firstMessage(comm.context, source, tag);
      }
    }

    @Override
    public boolean isOver() {
      return find() != null;
    }

    @Override
    String what() {
      return "a message from " + Words.pattern(source, tag);
    }

    @Override
    List<Integer> ranks() {
      return sources(comm, source, rank.number);
    }
  }

  /** The others' part in a collective operation. */
  public static final class ForRound extends Wait {
    public final Round round;
    public final int member;

    public ForRound(MpiCall call, Round round, int member) {
      super(call);
      this.round = round;
      this.member = member;
    }

    @Override
    public boolean isOver() {
      return round.isReady(member);
    }

    @Override
    String what() {
      return round.what(member);
    }

    @Override
    List<Integer> ranks() {
      return round.missing(member);
    }
  }

  private static List<Integer> sources(Member comm, int source, int self) {
    if (source != Fabric.ANY_SOURCE) {
      return List.of(comm.peers()[source]);
    }
    return Arrays.stream(comm.peers()).filter(peer -> peer != self).boxed().toList();
  }
}
