package org.reprise.causality;

import java.util.ArrayList;
import java.util.List;

/**
 * All programs of this kind: rank 0 makes three receives, each blocking or not, from any source or
 * from 1, of any tag or 0; rank 1 sends two messages and rank 2 one, each of tag 0 or 1, the first
 * synchronous or not; what was not waited for is waited for at the end, in order or against it;
 * rank 2 sends at once, or when rank 0 tells it to after its second receive, with what is open
 * waited for or not; rank 1's second message is its own or rank 3's; and rank 0 probes before it
 * tells, or not. What rank 2 sends can so depend on a receive that an open one was posted before.
 */
final class SmallGrammar {
  static final int SIZE = 8 * 8 * 8 * 8 * 2 * 2 * 2 * 2 * 3;

  static Machine.Program program(int number) {
    int rest = number;
    List<Step> zero = new ArrayList<>();
    List<Step> waits = new ArrayList<>();
    boolean told = rest % 3 != 0;
    boolean atOnce = rest % 3 == 2;
    rest /= 3;
    boolean reversed = (rest & 1) != 0;
    boolean sync = (rest & 2) != 0;
    boolean spread = (rest & 4) != 0;
    boolean probed = (rest & 8) != 0;
    rest >>= 4;
    int tags = rest & 7;
    rest >>= 3;
    for (int i = 0; i < 3; i++, rest >>= 3) {
      int source = (rest & 1) == 0 ? Step.ANY : 1;
      int tag = (rest & 2) == 0 ? Step.ANY : 0;
      if ((rest & 4) == 0) {
        zero.add(Step.recv(source, tag));
      } else {
        zero.add(Step.irecv(source, tag, i));
        waits.add(reversed ? 0 : waits.size(), Step.await(i));
      }
      if (i == 1 && probed) {
        zero.add(Step.probe(Step.ANY, Step.ANY));
      }
      if (i == 1 && told) {
        if (!atOnce) {
          zero.addAll(waits);
          waits.clear();
        }
        zero.add(Step.send(2, 9));
      }
    }
    zero.addAll(waits);
    List<Step> one = new ArrayList<>();
    one.add(sync ? Step.ssend(0, tags & 1) : Step.send(0, tags & 1));
    Step second = Step.send(0, tags >> 1 & 1);
    if (!spread) {
      one.add(second);
    }
    List<Step> two = new ArrayList<>();
    if (told) {
      two.add(Step.recv(0, 9));
    }
    two.add(Step.send(0, tags >> 2));
    return new Machine.Program(
        spread ? List.of(zero, one, two, List.of(second)) : List.of(zero, one, two));
  }

  private SmallGrammar() {}
}
