package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.detect.history.ObjectShadow;
import org.reprise.anomaly.hooks.Context;
import org.reprise.anomaly.hooks.Hooks;

/** The marks by which objects tell that further readers add nothing. */
class ShadowTest {
  /** A block of a loop; of none that matters, if the number is 0. */
  private static final class Block extends Context {
    Block(int loopNumber) {
      loop = (long) loopNumber << 32;
    }
  }

  private final ObjectShadow shadow = new ObjectShadow(null);
  private final Context seventh = new Block(7);

  private static int group(String owner) {
    return Hooks.group(owner, new int[] {1, 1});
  }

  @Test
  void aMarkHoldsForItsGroupAndItsLoop() {
    int read = group("aMarkHolds");
    int other = group("aMarkHolds");
    shadow.readByMany(read, seventh);
    assertThat(shadow.isReadByMany(read, seventh)).isTrue();
    assertThat(shadow.isReadByMany(other, seventh)).isFalse();
    assertThat(shadow.isReadByMany(read, new Block(8))).isFalse();
  }

  @Test
  void marksOfOneLoopAddUpAndThoseOfAnotherTakeTheirPlace() {
    int one = group("marksAddUp");
    int two = group("marksAddUp");
    shadow.readByMany(one, seventh);
    shadow.readByMany(two, seventh);
    assertThat(shadow.isReadByMany(one, seventh)).isTrue();
    assertThat(shadow.isReadByMany(two, seventh)).isTrue();
    Context eighth = new Block(8);
    shadow.readByMany(one, eighth);
    assertThat(shadow.isReadByMany(one, eighth)).isTrue();
    assertThat(shadow.isReadByMany(two, eighth)).isFalse();
    assertThat(shadow.isReadByMany(one, seventh)).isFalse();
  }

  /** A task, a block that waited, one that holds a lock: others may know less than they. */
  @Test
  void blocksThatAreNoPlainIterationsNeitherSetNorSeeMarks() {
    int read = group("noPlainIterations");
    Context other = new Block(0);
    assertThat(shadow.isReadByMany(read, other)).isFalse();
    shadow.readByMany(read, other);
    assertThat(shadow.isReadByMany(read, other)).isFalse();
    shadow.readByMany(read, seventh);
    assertThat(shadow.isReadByMany(read, other)).isFalse();
  }

  @Test
  void groupsForWhichThereIsNoBitAreNeverMarked() {
    int marked = 0;
    for (int i = 0; i < 100; i++) {
      int read = group("noBit");
      assertThat(shadow.isReadByMany(read, seventh)).isFalse();
      shadow.readByMany(read, seventh);
      marked += shadow.isReadByMany(read, seventh) ? 1 : 0;
    }
    assertThat(marked).isEqualTo(31);
  }

  @Test
  void groupsOfClassesOfWhichNotAllIsKnownAreNeverMarked() {
    int read = group("");
    shadow.readByMany(read, seventh);
    assertThat(shadow.isReadByMany(read, seventh)).isFalse();
  }
}
