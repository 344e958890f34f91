package org.reprise.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.order.RankPlan;

/** A search that was interrupted reads back what it had written. */
class OrderTextTest {
  private static final List<RankPlan> ORDERS =
      List.of(
          new RankPlan(
              List.of(
                  new Outcome.Recv(3, OptionalInt.empty()),
                  new Outcome.Recv(3, OptionalInt.of(7)),
                  new Outcome.FailedPolls(1_000_000_000_000L),
                  new Outcome.Hit(Wire.Poll.IPROBE),
                  new Outcome.Probe(0, OptionalInt.of(0)),
                  new Outcome.Found(12, OptionalInt.empty()),
                  new Outcome.Index(OptionalInt.empty()),
                  new Outcome.Index(OptionalInt.of(4)),
                  new Outcome.Errors(15, List.of(1, 2)),
                  new Outcome.Errors(15, List.of()),
                  new Outcome.Indices(true, List.of(3, 1)),
                  new Outcome.Indices(true, List.of()),
                  new Outcome.Indices(false, List.of())),
              Map.of(
                  5L, new Outcome.Post(5, 2, OptionalInt.of(9)),
                  6L, new Outcome.Post(6, 2, OptionalInt.empty()),
                  9L, new Outcome.PostEnd(9, Wire.PostEnd.NEVER),
                  10L, new Outcome.PostEnd(10, Wire.PostEnd.CANCELLED))),
          RankPlan.FREE);

  @Test
  void ordersAreReadBack() {
    assertThat(OrderText.orders(OrderText.of(ORDERS))).isEqualTo(ORDERS);
  }

  @Test
  void flipsAreReadBack() {
    Flip flip =
        new Flip(
            new Taken(
                new Decision(0, Decision.Kind.POST, 6),
                new Outcome.Post(6, 1, OptionalInt.empty())),
            new Prefix(
                ORDERS,
                List.of(17, 0),
                List.of(3, 0),
                List.of(Set.of(5L, 10L), Set.of()),
                List.of(0L, 12_000_000_000L)),
            99);
    assertThat(OrderText.flip(OrderText.of(flip), ORDERS)).isEqualTo(flip);
  }

  @Test
  void flipsOfPollsAreReadBack() {
    Taken failed = new Taken(new Decision(1, Decision.Kind.POLL, -7L), new Outcome.FailedPolls(1));
    Taken seen =
        new Taken(
            new Decision(0, Decision.Kind.POLL, Long.MAX_VALUE),
            new Outcome.Found(3, OptionalInt.of(5)));
    Flip flip =
        new Flip(
            seen,
            new Prefix(
                ORDERS, List.of(1, 2), List.of(0, 0), List.of(Set.of(), Set.of()), List.of(1L, 0L)),
            3,
            Set.of(failed, seen),
            List.of(
                new Outcome.FailedPolls(4),
                new Outcome.Indices(true, List.of(1, 2)),
                new Outcome.Index(OptionalInt.of(1))));
    assertThat(OrderText.flip(OrderText.of(flip), ORDERS)).isEqualTo(flip);
  }
}
