package org.reprise.ranks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.reprise.ranks.EmbeddedJob;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.Programs;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.SendMode;
import org.reprise.ranks.schedule.SeededScheduler;
import org.reprise.ranks.schedule.SerialMachine;

/** What a mailbox keeps for receives from any source is what a look at all its messages finds. */
final class MailboxHeadsTest {
  private static final int SOURCES = 5;
  private static final int TAGS = 3;
  private static final int STEPS = 2_000;

  @Test
  void theFirstMessagesOfEachSourceAreKeptInTheOrderOfArrival() {
    for (long seed = 1; seed <= 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Machine machine = new SerialMachine(SOURCES, false, null, new SeededScheduler(1));
      JobRank receiver = machine.ranks[0];
      Mailbox mailbox = receiver.mailbox;
      Member world = new Member(machine.world, false, 0);
      List<Message> inside = new ArrayList<>();
      for (int step = 0; step < STEPS; step++) {
        // Long stretches in which it fills, and in which it empties.
        boolean comes = inside.isEmpty() || random.nextInt(100) < (step / 300 % 2 == 0 ? 70 : 30);
        if (comes) {
          Message message = message(machine, random.nextInt(SOURCES), random.nextInt(TAGS));
          mailbox.add(message);
          inside.add(message);
        } else {
          mailbox.remove(inside.remove(random.nextInt(inside.size())));
        }
        int tag = random.nextInt(TAGS + 1) - 1;
        int asked = tag < 0 ? Fabric.ANY_TAG : tag;
        PendingReceive receive =
            new PendingReceive(receiver, -1, world, Fabric.ANY_SOURCE, asked, null, true, tag < 0);
        mailbox.add(receive);
        assertThat(mailbox.heads(machine.world, asked))
            .as("seed %d, step %d, tag %d", seed, step, asked)
            .isEqualTo(Matching.candidates(mailbox, receive));
        mailbox.remove(receive);
      }
    }
  }

  private static Message message(Machine machine, int source, int tag) {
    return new Message(
        new Member(machine.world, false, source),
        machine.ranks[source],
        tag,
        new Payload(BasicType.INT, new int[1], 0, 1),
        null,
        0);
  }

  @Test
  void aSeededGatherFromManyTakesEveryMessageOnce() {
    int count = 200;
    List<Integer> sources = new ArrayList<>();
    RankProgram gather =
        rank -> {
          Fabric mpi = CurrentRank.fabric();
          if (rank > 0) {
            mpi.send(mpi.world(), 0, 0, Programs.ints(rank), SendMode.STANDARD);
          } else {
            for (int i = 1; i < count; i++) {
              sources.add(mpi.receive(mpi.world(), Fabric.ANY_SOURCE, 0, null).source());
            }
          }
          mpi.finish();
        };
    List<Integer> first = gathered(gather, sources, 1);
    assertThat(first).doesNotHaveDuplicates().hasSize(count - 1);
    assertThat(gathered(gather, sources, 1)).isEqualTo(first);
    assertThat(gathered(gather, sources, 2)).isNotEqualTo(first);
  }

  private static List<Integer> gathered(RankProgram gather, List<Integer> sources, long seed) {
    sources.clear();
    JobResult result = EmbeddedJob.run(JobRequest.of(200, new Schedule.Seeded(seed)), gather);
    assertThat(result.succeeded()).isTrue();
    return List.copyOf(sources);
  }
}
