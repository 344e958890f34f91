package org.reprise.anomaly.agent.block;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A block has the number of its loop only as long as it is like every other iteration: it knows no
 * more than they do, and holds no lock.
 */
class PlainIterationTest {
  private static final Origin LOOP = new Origin(Origin.Kind.LOOP, "");

  private final Tags tags = new Tags();
  private final OpenForks open = new OpenForks();
  private final ThreadOrder first = new ThreadOrder(tags, open);
  private final ThreadOrder worker = new ThreadOrder(tags, open, Fork.NOWHERE);
  private final ThreadOrder other = new ThreadOrder(tags, open, Fork.NOWHERE);
  private final Fork loop = first.forkLoop(LOOP);

  @BeforeEach
  void iterate() {
    worker.pushIterations(loop, 1, -1);
    other.pushIterations(loop, 1, -1);
  }

  @Test
  void iterationsOfOneLoopHaveItsNumber() {
    assertThat(worker.loop).isNotZero().isEqualTo(other.loop);
    worker.pop();
    assertThat(worker.loop).isZero();
    first.join(loop);
    worker.pushIterations(first.forkLoop(LOOP), 1, -1);
    assertThat(worker.loop).isNotZero().isNotEqualTo(other.loop);
  }

  @Test
  void aLockIsADifferenceAsLongAsItIsHeld() {
    worker.hold(1);
    assertThat(worker.loop).isZero();
    worker.hold(0);
    assertThat(worker.loop).isEqualTo(other.loop);
  }

  @Test
  void whatOneHasWaitedForTheOthersDoNotKnow() {
    worker.acquire(other.release());
    assertThat(worker.loop).isZero();
    assertThat(other.loop).as("a new block, after what it released").isZero();
  }

  @Test
  void aTaskOfAnIterationIsNone() {
    Fork task = worker.fork(new Origin(Origin.Kind.TASK, ""));
    assertThat(worker.loop).as("the block after the fork").isZero();
    other.push(task);
    assertThat(other.loop).isZero();
    other.pop();
    assertThat(other.loop).as("back in the iteration").isNotZero();
  }

  @Test
  void theNextIterationIsPlainAgain() {
    worker.acquire(other.release());
    worker.iterate(loop, worker.takeIterations(loop, 1, -1));
    assertThat(worker.loop).isNotZero();
  }
}
