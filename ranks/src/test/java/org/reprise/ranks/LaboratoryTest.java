package org.reprise.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.reprise.ranks.Programs.recv;
import static org.reprise.ranks.Programs.send;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.reprise.ranks.Happening.MessageId;
import org.reprise.ranks.Happening.ReceiveId;
import org.reprise.ranks.engine.RankProgram;

/** What happened is seen, and what could have happened instead. */
class LaboratoryTest {
  /**
   * 1 sends a to 0 and then x to 2, which then sends b to 0: a and b race, though a comes first.
   */
  private static final RankProgram TRIANGLE =
      rank -> {
        switch (rank) {
          case 0 -> {
            recv();
            recv();
          }
          case 1 -> {
            send(0, 0, 1);
            send(2, 0, 2);
          }
          default -> {
            recv(1, 0);
            send(0, 0, 3);
          }
        }
      };

  @Test
  void aTriangleOfMessagesRaces() {
    Laboratory laboratory = new Laboratory(Laboratory.Setting.of(3), TRIANGLE);
    List<Laboratory.Observation> all = laboratory.all();
    assertThat(all).hasSize(2);
    for (Laboratory.Observation execution : all) {
      assertThat(laboratory.possibleAlong(execution).matches())
          .contains(
              new Laboratory.Match(new ReceiveId(0, 0), new MessageId(1, 0)),
              new Laboratory.Match(new ReceiveId(0, 0), new MessageId(2, 0)));
    }
  }

  @Test
  void aMessageThatIsSentBecauseAnotherWasReceivedDoesNotRaceWithIt() {
    Laboratory laboratory =
        new Laboratory(
            Laboratory.Setting.of(2),
            rank -> {
              if (rank == 0) {
                recv();
                send(1, 0, 1);
                recv();
              } else {
                send(0, 0, 1);
                recv(0, 0);
                send(0, 0, 2);
              }
            });
    Laboratory.Observation only = laboratory.all().getFirst();
    assertThat(laboratory.possibleAlong(only).matches())
        .containsExactlyInAnyOrder(
            new Laboratory.Match(new ReceiveId(0, 0), new MessageId(1, 0)),
            new Laboratory.Match(new ReceiveId(0, 1), new MessageId(1, 1)));
  }

  @Test
  void whatHappensIsSeenInOrder() {
    Laboratory laboratory =
        new Laboratory(
            Laboratory.Setting.of(2),
            rank -> {
              if (rank == 0) {
                send(1, 7, 1);
              } else {
                recv();
              }
            });
    assertThat(laboratory.observe(1).happenings())
        .filteredOn(happening -> !(happening instanceof Happening.Called))
        .map(happening -> happening.getClass().getSimpleName())
        .containsExactlyInAnyOrder("Sent", "Posted", "Matched", "ReceiveCompleted");
    assertThat(laboratory.observe(1).matches())
        .isEqualTo(Map.of(new ReceiveId(1, 0), new MessageId(0, 0)));
  }

  /** If a receive could have taken another message, some other execution lets it do so. */
  @Test
  void whatIsPossibleAlongAnExecutionHappensInAnother() {
    for (int i = 0; i < 60; i++) {
      long seed = 70_000L + i;
      Script script = new RandomScripts(seed, false).next();
      RankProgram program = rank -> script.program(new ArrayList<>()).run(rank);
      Laboratory laboratory = new Laboratory(Laboratory.Setting.of(script.ranks().size()), program);
      List<Laboratory.Observation> all = laboratory.all();
      Set<Laboratory.Match> happened = new HashSet<>();
      all.forEach(
          execution ->
              happened.addAll(
                  execution.matches().entrySet().stream()
                      .map(match -> new Laboratory.Match(match.getKey(), match.getValue()))
                      .collect(Collectors.toSet())));
      for (Laboratory.Observation execution : all) {
        assertThat(wantedOnly(laboratory.possibleAlong(execution).matches(), execution))
            .as("seed %d, script %s", seed, script)
            .isSubsetOf(happened);
      }
    }
  }

  /** A receive that never got a message may be one that nobody asked for. */
  private static Set<Laboratory.Match> wantedOnly(
      Set<Laboratory.Match> possible, Laboratory.Observation execution) {
    return possible.stream()
        .filter(match -> execution.matches().containsKey(match.receive()))
        .collect(Collectors.toSet());
  }
}
