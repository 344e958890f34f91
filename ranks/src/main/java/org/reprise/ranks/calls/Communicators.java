package org.reprise.ranks.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.CommContext;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Machine;
import org.reprise.ranks.engine.Member;
import org.reprise.ranks.engine.Message;
import org.reprise.ranks.engine.PendingReceive;
import org.reprise.ranks.engine.Round;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.journal.Identity;

/** Makes communicators for one rank, together with the other members: MPI_Comm_dup and its like. */
final class Communicators {
  /** What a member says in a split. */
  private record Colour(int color, int key) {}

  /** Where a member of the parent finds itself in what was made. */
  private record Place(CommContext context, int rank) {}

  private final JobRank rank;

  /** How often this rank, as a leader, made an intercommunicator with another one and a tag. */
  private final Map<Long, Long> pairings = new HashMap<>();

  Communicators(JobRank rank) {
    this.rank = rank;
  }

  Member dup(Member parent) {
    long number = ++parent.children;
    CommContext made =
        together(
            parent,
            MpiCall.COMM_DUP,
            true,
            round -> {
              int[] group = parent.context.group;
              return new CommContext(
                  Identity.child(parent.id(), MpiCall.COMM_DUP, number, group[0]), group, null);
            });
    return new Member(made, false, parent.rank());
  }

  /** All members bring something, and the first who is ready makes one thing of it for all. */
  private <T> T together(Member comm, MpiCall call, Object brought, Making<T> making) {
    return Collective.inRound(
        rank,
        comm,
        call,
        0,
        Round.Flow.ALL_TO_ALL,
        brought,
        round -> {
          @SuppressWarnings("unchecked") // Of one round all members ask for the same.
          T made = (T) round.result(() -> making.make(round));
          return made;
        });
  }

  private interface Making<T> {
    T make(Round round);
  }

  @Nullable Member split(Member parent, int color, int key) {
    long number = ++parent.children;
    Place[] places =
        together(
            parent,
            MpiCall.COMM_SPLIT,
            new Colour(color, key),
            round -> places(parent, round, number));
    Place mine = places[parent.rank()];
    return mine == null ? null : new Member(mine.context, false, mine.rank);
  }

  private static Place[] places(Member parent, Round round, long number) {
    Map<Integer, List<Integer>> byColor = new LinkedHashMap<>();
    for (int i = 0; i < round.size(); i++) {
      int color = ((Colour) round.contribution(i)).color;
      if (color != Fabric.UNDEFINED) {
        byColor.computeIfAbsent(color, _ -> new ArrayList<>()).add(i);
      }
    }
    Place[] places = new Place[round.size()];
    for (List<Integer> members : byColor.values()) {
      members.sort(Comparator.comparingInt(i -> ((Colour) round.contribution(i)).key));
      int[] group = members.stream().mapToInt(i -> parent.context.group[i]).toArray();
      CommContext made =
          new CommContext(
              Identity.child(parent.id(), MpiCall.COMM_SPLIT, number, group[0]), group, null);
      for (int i = 0; i < group.length; i++) {
        places[members.get(i)] = new Place(made, i);
      }
    }
    return places;
  }

  @Nullable Member create(Member parent, int[] ranks, MpiCall how) {
    for (int member : ranks) {
      if (member < 0 || member >= parent.size()) {
        throw new FabricError(
            FabricError.Kind.GROUP,
            how + " with rank " + member + ", which is not in the communicator");
      }
    }
    long number = ++parent.children;
    Place[] places =
        together(
            parent,
            how,
            true,
            round -> {
              Place[] made = new Place[round.size()];
              if (ranks.length > 0) {
                int[] group = Arrays.stream(ranks).map(i -> parent.context.group[i]).toArray();
                CommContext context =
                    new CommContext(
                        Identity.child(parent.id(), how, number, group[0]), group, null);
                for (int i = 0; i < ranks.length; i++) {
                  made[ranks[i]] = new Place(context, i);
                }
              }
              return made;
            });
    Place mine = places[parent.rank()];
    return mine == null ? null : new Member(mine.context, false, mine.rank);
  }

  Member createInter(Member local, int leader, @Nullable Member peer, int remoteLeader, int tag) {
    if (leader < 0 || leader >= local.size()) {
      throw new FabricError(
          FabricError.Kind.RANK, "the leader " + leader + " is not in the local communicator");
    }
    CommContext made =
        Collective.inRound(
            rank,
            local,
            MpiCall.INTERCOMM_CREATE,
            leader,
            Round.Flow.ROOT_TO_ALL,
            local.rank() == leader ? meet(local, peer, remoteLeader, tag) : true,
            round -> (CommContext) round.contribution(leader));
    int second = indexIn(Objects.requireNonNull(made.second));
    return second >= 0
        ? new Member(made, true, second)
        : new Member(made, false, indexIn(made.group));
  }

  private int indexIn(int[] group) {
    for (int i = 0; i < group.length; i++) {
      if (group[i] == rank.number) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The leaders tell each other who is in their groups, where no message of the program is seen.
   */
  private CommContext meet(Member local, @Nullable Member peer, int remoteLeader, int tag) {
    if (peer == null || remoteLeader < 0 || remoteLeader >= peer.peers().length) {
      throw new FabricError(
          FabricError.Kind.RANK, "the remote leader is not a rank of the peer communicator");
    }
    Machine machine = rank.machine;
    int otherLeader = peer.peers()[remoteLeader];
    if (otherLeader == rank.number) {
      throw new FabricError(
          FabricError.Kind.RANK, "both sides of an intercommunicator have the same leader");
    }
    Member hidden = new Member(peer.context.hidden(), peer.inSecond, peer.rank());
    PendingReceive receive =
        new PendingReceive(rank, -1, hidden, remoteLeader, tag, null, false, false);
    machine.post(receive);
    int[] mine = local.context.group;
    Message message =
        new Message(hidden, rank, tag, new Payload(BasicType.INT, mine, 0, mine.length), null, -1);
    machine.send(message, machine.ranks[otherLeader]);
    if (!rank.goesOn(receive.done)) {
      rank.await(new Wait.ForOperations(MpiCall.INTERCOMM_CREATE, receive));
    }
    int[] theirs = (int[]) Objects.requireNonNull(receive.received().payload()).array();
    long number = pairings.merge(Identity.inter(rank.number, otherLeader, tag, 0), 1L, Long::sum);
    long id = Identity.inter(rank.number, otherLeader, tag, number);
    boolean first = rank.number < otherLeader;
    return machine.intercommunicators.computeIfAbsent(
        id, _ -> new CommContext(id, first ? mine : theirs, first ? theirs : mine));
  }

  Member merge(Member inter, boolean high) {
    long number = ++inter.children;
    CommContext parent = inter.context;
    CommContext made =
        together(
            inter,
            MpiCall.INTERCOMM_MERGE,
            high,
            round -> {
              boolean firstIsHigh = (Boolean) round.contribution(0);
              boolean secondIsHigh = (Boolean) round.contribution(parent.group.length);
              int[] all = inter.everybody();
              int[] group = firstIsHigh && !secondIsHigh ? rotated(all, parent.group.length) : all;
              return new CommContext(
                  Identity.child(parent.id, MpiCall.INTERCOMM_MERGE, number, group[0]),
                  group,
                  null);
            });
    return new Member(made, false, indexIn(made.group));
  }

  private static int[] rotated(int[] all, int first) {
    int[] rotated = new int[all.length];
    System.arraycopy(all, first, rotated, 0, all.length - first);
    System.arraycopy(all, 0, rotated, all.length - first, first);
    return rotated;
  }
}
