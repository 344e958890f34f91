package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.detect.library.QueueCalls;

/** What is asked of queues that others use meanwhile. */
class QueueCallsTest {
  @Test
  void aQueueMayRefuseIfItHasABound() {
    assertThat(QueueCalls.isBounded(new ArrayBlockingQueue<>(3))).isTrue();
    assertThat(QueueCalls.isBounded(new LinkedBlockingDeque<>(1_000_000))).isTrue();
    assertThat(QueueCalls.isBounded(new LinkedBlockingQueue<>(List.of(1, 2)))).isFalse();
    assertThat(QueueCalls.mayRefuse("put", new ArrayBlockingQueue<>(3))).isFalse();
    assertThat(QueueCalls.mayRefuse("offer", new LinkedBlockingQueue<>())).isFalse();
  }

  @Test
  void whoOffersToThoseWhoWaitIsRefusedIfNobodyDoes() {
    assertThat(QueueCalls.mayRefuse("offer", new SynchronousQueue<>())).isTrue();
    assertThat(QueueCalls.mayRefuse("put", new SynchronousQueue<>())).isFalse();
    assertThat(QueueCalls.mayRefuse("tryTransfer", new LinkedTransferQueue<>())).isTrue();
    assertThat(QueueCalls.mayRefuse("offer", new LinkedTransferQueue<>())).isFalse();
  }

  /** Seen once: an element was taken between one question and the next. */
  @Test
  void whoeverTakesMeanwhileMakesNoBound() {
    LinkedBlockingDeque<Integer> taken =
        new LinkedBlockingDeque<>(List.of(1)) {
          @Override
          public int remainingCapacity() {
            int room = super.remainingCapacity();
            poll();
            return room;
          }
        };

    assertThat(QueueCalls.isBounded(taken)).isFalse();
  }
}
