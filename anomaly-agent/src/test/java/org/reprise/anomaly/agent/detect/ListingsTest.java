package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.instrument.program.Site;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;
import org.reprise.anomaly.agent.report.Findings;
import org.reprise.anomaly.hooks.Hooks;
import org.reprise.anomaly.hooks.Route;

/**
 * Loops that go through the same lists of indices again and again are not looked at again, and
 * whatever is a little different in the last of them is.
 */
class ListingsTest {
  private static final int PROGRAMS = 60;
  private static final int THREADS = 3;
  private static final int LOOPS = 12;
  private static final int BLOCKS = 8;
  private static final int LISTS = 24;
  private static final int PER_LIST = 3;
  private static final int SIZE = LISTS * PER_LIST;
  private static final int LENGTH = BLOCKS * SIZE;

  /** What the last loop does; those before go through the blocks of one partition each. */
  private enum Last {
    /** The same as the loops before it. */
    AS_BEFORE,
    /** Some of the same. */
    FEWER,
    /** Blocks of two partitions, of which each is known to be apart. */
    TWO_PARTITIONS,
    /** Two iterations go through one block. */
    ONE_BLOCK_TWICE,
    /** An iteration goes through two blocks, one of which is another's, too. */
    A_BLOCK_MORE,
    /** An iteration goes through the lists of a block and one of another block. */
    A_LIST_MORE,
    /** Another statement writes an element of another iteration's block. */
    AN_ELEMENT,
    /** Another statement writes a range. */
    A_RANGE,
    /** Another statement reads one of the blocks. */
    A_READ,
    /** Another statement writes in the same iterations what the first one does. */
    TWO_STATEMENTS,
    /** An array in which blocks have elements in common that others are too short for. */
    A_LONGER_ARRAY,
    /** An iteration forks a task that goes through the block of another one. */
    A_TASK
  }

  @ParameterizedTest
  @EnumSource(Last.class)
  void theLastLoopHasTheAnomaliesThatComparingEveryAccessFinds(Last last) {
    compare(last, false);
  }

  @ParameterizedTest
  @EnumSource(Last.class)
  void soHasALoopThatGoesAlongRoutes(Last last) {
    compare(last, true);
  }

  private static void compare(Last last, boolean hasRoutes) {
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Program program = new Program(seed, last, hasRoutes);
      program.run();
      assertThat(program.findings.conflicts().isEmpty())
          .as("%s, seed %d: nothing is found", last, seed)
          .isEqualTo(!program.conflicts);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsKnownToBeApartIsNotLookedAt(boolean hasRoutes) {
    Program program = new Program(1, Last.AS_BEFORE, hasRoutes);
    program.run();
    assertThat(program.unread).isTrue();
  }

  private static final class Program {
    private final Random random;
    private final Last last;
    private final boolean hasRoutes;
    private final Sites sites = new Sites();
    private final Findings findings = new Findings();
    private final AnomalyDetector detector =
        new AnomalyDetector(sites, new Variables(), findings, false);
    private final int site = sites.add(new Site("V", "m", "V.java", 1, "v", ""));
    private final int otherSite = sites.add(new Site("V", "m", "V.java", 2, "v", ""));
    private final double[] array = new double[LENGTH];
    private final double[] longer = new double[2 * LENGTH];
    private final int[][][][] partitions = new int[2][BLOCKS][LISTS][];

    /** Who wrote or read what in the last loop: the iteration, negative for a read. */
    private final Map<Integer, List<Integer>> accesses = new HashMap<>();

    private int loops;
    private boolean conflicts;
    private boolean unread;

    Program(long seed, Last last, boolean hasRoutes) {
      this.hasRoutes = hasRoutes;
      this.random = new Random(seed);
      this.last = last;
      for (int[][][] partition : partitions) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, LENGTH).boxed().toList());
        Collections.shuffle(order, random);
        for (int i = 0; i < LENGTH; i++) {
          int[][] block = partition[i / SIZE];
          int list = i % SIZE / PER_LIST;
          if (block[list] == null) {
            // What follows the places in use is beyond the shorter array, and all have it.
            block[list] = new int[] {0, 0, 0, LENGTH + 7};
          }
          block[list][i % PER_LIST] = order.get(i);
        }
      }
    }

    void run() {
      List<Checker> threads = new ArrayList<>(List.of(detector.first()));
      while (threads.size() < THREADS) {
        threads.add(detector.checker(Fork.NOWHERE));
      }
      for (loops = 0; loops < LOOPS; loops++) {
        loop(threads, partitions[loops % 2], false);
      }
      loop(threads, partitions[0], true);
      detector.finish();
    }

    private void loop(List<Checker> threads, int[][][] partition, boolean isLast) {
      Fork loop = detector.first().forkLoop(new Origin(Origin.Kind.LOOP, ""));
      for (int iteration = 0; iteration < BLOCKS; ) {
        Checker thread = threads.get(random.nextInt(THREADS));
        int count = 1 + random.nextInt(BLOCKS - iteration);
        int tag = thread.pushIterations(loop, count, iteration);
        for (int k = 0; k < count; k++, iteration++) {
          thread.iterate(loop, tag++);
          if (isLast) {
            last(thread, iteration);
          } else {
            before(thread, partition[iteration]);
          }
        }
        thread.pop();
      }
      unread =
          threads.stream()
              .flatMap(each -> each.log.stamped().stream())
              .anyMatch(Stamped::hasUnread);
      detector.first().join(loop);
      assertThat(isLast || findings.conflicts().isEmpty()).isTrue();
    }

    private void before(Checker thread, int[][] block) {
      if (last != Last.A_LONGER_ARRAY) {
        through(thread, array, site, true, PER_LIST, block);
      } else if (loops < LOOPS / 2) {
        through(thread, longer, otherSite, true, PER_LIST, block);
      } else {
        through(thread, array, site, true, PER_LIST + 1, block);
      }
    }

    private void last(Checker thread, int iteration) {
      int[][][] blocks = partitions[0];
      int other = (iteration + 3) % BLOCKS;
      boolean isSpecial = iteration == 2;
      if (last == Last.A_LONGER_ARRAY) {
        write(thread, longer, otherSite, PER_LIST + 1, iteration, blocks[iteration]);
        return;
      }
      if (last == Last.FEWER && iteration % 3 == 0) {
        return;
      }
      int[][] own =
          last == Last.TWO_PARTITIONS && isSpecial
              ? partitions[1][iteration]
              : last == Last.ONE_BLOCK_TWICE && isSpecial ? blocks[other] : blocks[iteration];
      write(thread, array, site, PER_LIST, iteration, own);
      if (last == Last.TWO_STATEMENTS) {
        write(thread, array, otherSite, PER_LIST, iteration, own);
      }
      if (isSpecial) {
        special(thread, iteration, blocks[other]);
      }
    }

    private void special(Checker thread, int iteration, int[][] block) {
      int index = block[0][0];
      switch (last) {
        case A_BLOCK_MORE -> write(thread, array, site, PER_LIST, iteration, block);
        case A_LIST_MORE ->
            write(thread, array, site, PER_LIST, iteration, new int[][] {block[random.nextInt(9)]});
        case AN_ELEMENT -> {
          detector.writeElement(array, index, otherSite, thread);
          note(index, iteration, true);
        }
        case A_RANGE -> {
          detector.writeRange(array, index, index + 1, 1, otherSite, thread);
          note(index, iteration, true);
        }
        case A_READ -> {
          through(thread, array, otherSite, false, PER_LIST, block);
          note(index, iteration, false);
        }
        case A_TASK -> {
          thread.fork(new Origin(Origin.Kind.TASK, ""));
          write(thread, array, site, PER_LIST, iteration, block);
        }
        default -> {}
      }
    }

    private void write(
        Checker thread, double[] to, int from, int places, int iteration, int[][] lists) {
      through(thread, to, from, true, places, lists);
      for (int[] list : lists) {
        for (int i = 0; i < places; i++) {
          note(list[i], iteration, true);
        }
      }
    }

    private void through(
        Checker thread, double[] to, int from, boolean isWrite, int places, int[][] lists) {
      Route route = hasRoutes ? detector.route(lists, null, 0, lists.length, 0, places) : null;
      if (route != null) {
        along(thread, to, from, isWrite, places, route);
        return;
      }
      for (int[] list : lists) {
        if (isWrite) {
          Hooks.writeThrough(to, list, 0, places, 1, true, from, thread);
        } else {
          Hooks.readThrough(to, list, 0, places, 1, true, from, thread);
        }
      }
    }

    private static void along(
        Checker thread, double[] to, int from, boolean isWrite, int places, Route route) {
      if (isWrite) {
        Hooks.writeThrough(to, route, 0, places, 1, from, thread);
      } else {
        Hooks.readThrough(to, route, 0, places, 1, from, thread);
      }
    }

    private void note(int index, int iteration, boolean isWrite) {
      List<Integer> others = accesses.computeIfAbsent(index, any -> new ArrayList<>());
      int own = isWrite ? 1 + iteration : -1 - iteration;
      for (int other : others) {
        conflicts |= Math.abs(other) != Math.abs(own) && (other > 0 || own > 0);
      }
      others.add(own);
    }
  }
}
