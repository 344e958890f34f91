package org.reprise.causality;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Small programs, from a source of random numbers. */
final class RandomPrograms {
  private static final int TOKEN = 9;

  /** A program without polls. */
  static Machine.Program program(Random random) {
    return program(random, false);
  }

  static Machine.Program program(Random random, boolean polls) {
    int ranks = 2 + random.nextInt(3);
    boolean branches = random.nextInt(4) == 0;
    boolean sync = random.nextInt(3) == 0;
    List<List<Step>> program = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      program.add(new ArrayList<>());
    }
    int messages = 2 + random.nextInt(ranks == 2 ? 4 : 3);
    int receiver = random.nextInt(ranks);
    int request = 0;
    int collectives = random.nextInt(3) == 0 ? 1 : 0;
    for (int i = 0; i < messages; i++) {
      int to = random.nextInt(3) == 0 ? random.nextInt(ranks) : receiver;
      int from = random.nextInt(ranks);
      if (from == to && random.nextInt(4) != 0) {
        from = (to + 1 + random.nextInt(ranks - 1)) % ranks;
      }
      int tag = random.nextInt(3) == 0 ? 1 : 0;
      boolean waits = sync && random.nextBoolean();
      List<Step> sender = program.get(from);
      if (from != to && random.nextInt(4) == 0) {
        // Told to by the receiver, somewhere in what it does: the message may depend on receives.
        List<Step> teller = program.get(to);
        teller.add(random.nextInt(teller.size() + 1), Step.send(from, TOKEN));
        sender.add(Step.recv(to, TOKEN));
      } else if (!sender.isEmpty() && random.nextInt(5) == 0) {
        relay(random, program, from, to, tag);
      }
      if (random.nextInt(3) == 0) {
        sender.add(Step.isend(to, tag, waits, ++request));
        if (random.nextBoolean()) {
          sender.add(Step.await(request));
        }
      } else {
        sender.add(waits ? Step.ssend(to, tag) : Step.send(to, tag));
      }
      receive(random, program.get(to), from, tag, ++request, branches, polls);
      if (collectives > 0 && random.nextInt(messages) == 0) {
        collectives--;
        collective(random, program);
      }
    }
    return new Machine.Program(program);
  }

  /** What a rank did makes a third rank send, too: as a message is received, or has been. */
  private static void relay(Random random, List<List<Step>> program, int from, int to, int tag) {
    int third = random.nextInt(program.size());
    if (third == from || third == to || from == to) {
      return;
    }
    program.get(from).add(Step.send(third, TOKEN));
    program.get(third).add(Step.recv(from, TOKEN));
    program.get(third).add(Step.send(to, tag));
    program.get(to).add(Step.recv(Step.ANY, random.nextBoolean() ? Step.ANY : tag));
  }

  private static void receive(
      Random random,
      List<Step> receiver,
      int from,
      int tag,
      int request,
      boolean branches,
      boolean polls) {
    int source = random.nextInt(3) == 0 ? from : Step.ANY;
    int asked = random.nextInt(4) == 0 ? Step.ANY : tag;
    // Somewhere among what the receiver does already, so that not only senders wait.
    int place = random.nextInt(8) == 0 ? random.nextInt(receiver.size() + 1) : receiver.size();
    switch (random.nextInt(6)) {
      case 0 -> {
        boolean poll = polls && random.nextInt(3) != 0;
        receiver.add(place, poll ? Step.iprobe(source, asked) : Step.probe(source, asked));
        receiver.add(place + 1, Step.recv(random.nextBoolean() ? Step.LAST : source, asked));
      }
      case 1, 2, 3 -> {
        // Posted as early as one likes, waited for as late as one likes.
        int early = random.nextBoolean() ? place : random.nextInt(receiver.size() + 1);
        receiver.add(early, Step.irecv(source, asked, request));
        if (random.nextInt(8) != 0) {
          int later = early + 1 + random.nextInt(receiver.size() - early);
          receiver.add(random.nextBoolean() ? receiver.size() : later, Step.await(request));
          if (polls && random.nextBoolean()) {
            receiver.add(later, Step.test(request));
          }
        }
      }
      default -> receiver.add(place, Step.recv(source, asked));
    }
    if (branches && random.nextInt(2) == 0) {
      receiver.add(Step.unless(from, 1));
      receiver.add(random.nextBoolean() ? Step.send(from, 0) : Step.recv(Step.ANY, Step.ANY));
    }
  }

  private static void collective(Random random, List<List<Step>> program) {
    int root = random.nextInt(program.size());
    Step step =
        switch (random.nextInt(3)) {
          case 0 -> Step.barrier();
          case 1 -> Step.bcast(root);
          default -> Step.reduce(root);
        };
    program.forEach(steps -> steps.add(step));
  }

  private RandomPrograms() {}
}
