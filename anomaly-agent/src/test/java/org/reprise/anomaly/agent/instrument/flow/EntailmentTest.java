package org.reprise.anomaly.agent.instrument.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What follows from inequalities, against what all small numbers say. */
class EntailmentTest {
  private static final int BOUND = 4;

  private static final List<Value> VALUES = List.of(value(0), value(1), value(2));

  private static Value value(int number) {
    return new Value(Value.Kind.ENTRY, number, 0, null, null, null, 1, number);
  }

  private static Linear linear(long constant, long... coefficients) {
    Linear sum = Linear.number(constant);
    for (int i = 0; i < coefficients.length; i++) {
      sum = sum.plus(Linear.of(VALUES.get(i)), coefficients[i]);
    }
    return sum;
  }

  @Test
  void whatIsBetweenTwoIsNotBeyondTheThird() {
    Linear oneLessTwo = linear(0, -1, 1);
    Linear twoLessThree = linear(0, 0, -1, 1);
    assertThat(Entailment.follows(List.of(oneLessTwo, twoLessThree), linear(0, -1, 0, 1))).isTrue();
    assertThat(Entailment.follows(List.of(oneLessTwo, twoLessThree), linear(-1, -1, 0, 1)))
        .isFalse();
  }

  @Test
  void halfOfASumLiesBetweenItsTerms() {
    List<Linear> facts = List.of(linear(0, -1, 1), linear(0, 1, 1, -2), linear(1, -1, -1, 2));
    assertThat(Entailment.follows(facts, linear(0, -1, 0, 1))).isTrue();
    assertThat(Entailment.follows(facts, linear(0, 0, 1, -1))).isTrue();
    assertThat(Entailment.follows(facts, linear(-1, 0, 1, -1))).isFalse();
  }

  @Test
  void intsHaveBounds() {
    assertThat(Entailment.follows(List.of(), linear(Integer.MAX_VALUE, -1))).isTrue();
    assertThat(Entailment.follows(List.of(), linear(Integer.MAX_VALUE - 1, -1))).isFalse();
    assertThat(Entailment.follows(List.of(linear(0, -1, 1)), linear(Integer.MAX_VALUE - 1, -1)))
        .isFalse();
    assertThat(Entailment.follows(List.of(linear(-1, -1, 1)), linear(Integer.MAX_VALUE - 1, -1)))
        .isTrue();
  }

  @Test
  void everythingFollowsFromAContradiction() {
    assertThat(Entailment.follows(List.of(linear(-1, 1), linear(0, -1)), linear(-1))).isTrue();
    assertThat(Entailment.follows(List.of(linear(0, 1), linear(0, -1)), linear(-1))).isFalse();
  }

  /** Nothing follows that is wrong; and what has multipliers of its own is found. */
  @Test
  void whatFollowsIsRightForAllSmallNumbers() {
    Random random = new Random(3);
    int found = 0;
    for (int round = 0; round < 2000; round++) {
      List<Linear> facts = new ArrayList<>();
      for (Value value : VALUES) {
        facts.add(Linear.of(value).plus(BOUND));
        facts.add(Linear.number(BOUND).minus(Linear.of(value)));
      }
      for (int i = 0; i < 3; i++) {
        facts.add(random(random));
      }
      Linear goal = random(random);
      boolean follows = Entailment.follows(facts, goal);
      found += follows ? 1 : 0;
      assertThat(!follows || holdsWherever(facts, goal)).as("%s from %s", goal, facts).isTrue();
      Linear sum = facts.get(6).plus(facts.get(7), 2).plus(facts.get(0)).plus(1);
      assertThat(Entailment.follows(facts, sum)).as("%s from %s", sum, facts).isTrue();
    }
    assertThat(found).isBetween(100, 1900);
  }

  private static Linear random(Random random) {
    return linear(
        random.nextInt(9) - 4, random.nextInt(5) - 2, random.nextInt(5) - 2, random.nextInt(5) - 2);
  }

  private static boolean holdsWherever(List<Linear> facts, Linear goal) {
    for (int x = -BOUND; x <= BOUND; x++) {
      for (int y = -BOUND; y <= BOUND; y++) {
        for (int z = -BOUND; z <= BOUND; z++) {
          int[] numbers = {x, y, z};
          if (facts.stream().allMatch(fact -> at(fact, numbers) >= 0) && at(goal, numbers) < 0) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private static long at(Linear sum, int[] numbers) {
    return sum.constant()
        + sum.terms().entrySet().stream()
            .mapToLong(term -> term.getValue() * numbers[term.getKey().number])
            .sum();
  }
}
