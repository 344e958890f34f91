package org.reprise.ranks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.ThreadScript.Step;
import org.reprise.ranks.fabric.Fabric;

/**
 * The oracle for {@link ThreadScript}: every interleaving of the threads' calls and of the matches
 * of their messages, one by one, with nothing of the engine in it.
 */
final class ThreadInterleavings {
  /** A message in the mailbox of its receiver. {@code sync} is the sending thread if it waits. */
  private record Envelope(int source, int tag, int label, @Nullable String sync) {
    boolean suits(int wantedSource, int wantedTag) {
      return (wantedSource == Fabric.ANY_SOURCE || wantedSource == source)
          && (wantedTag == Fabric.ANY_TAG || wantedTag == tag);
    }
  }

  /** A receive that waits in a mailbox. */
  private record Receive(int source, int tag, String owner, boolean isBlocking) {}

  private static final class Mailbox {
    final List<Envelope> messages = new ArrayList<>();
    final List<Receive> receives = new ArrayList<>();

    @Override
    public String toString() {
      return messages + "|" + receives;
    }
  }

  private static final class Runner {
    int at;
    int sent;
    boolean isWaiting;
    boolean isReady;
    int got = -1;
    int posted = -1;
    List<String> log = new ArrayList<>();

    Runner copy() {
      Runner copy = new Runner();
      copy.at = at;
      copy.sent = sent;
      copy.isWaiting = isWaiting;
      copy.isReady = isReady;
      copy.got = got;
      copy.posted = posted;
      copy.log = new ArrayList<>(log);
      return copy;
    }

    @Override
    public String toString() {
      return at + "," + sent + "," + isWaiting + isReady + "," + got + "," + posted + log;
    }
  }

  private record State(Mailbox[] mailboxes, TreeMap<String, Runner> runners) {
    State copy() {
      Mailbox[] copies = new Mailbox[mailboxes.length];
      for (int i = 0; i < copies.length; i++) {
        copies[i] = new Mailbox();
        copies[i].messages.addAll(mailboxes[i].messages);
        copies[i].receives.addAll(mailboxes[i].receives);
      }
      TreeMap<String, Runner> others = new TreeMap<>();
      runners.forEach((name, runner) -> others.put(name, runner.copy()));
      return new State(copies, others);
    }

    Runner runner(String name) {
      return Objects.requireNonNull(runners.get(name));
    }

    String key() {
      return Arrays.toString(mailboxes) + runners;
    }
  }

  private final ThreadScript script;
  private final int statesMax;
  private final Set<String> visited = new HashSet<>();
  private final Set<Map<String, List<String>>> outcomes = new HashSet<>();

  private ThreadInterleavings(ThreadScript script, int statesMax) {
    this.script = script;
    this.statesMax = statesMax;
  }

  /** What the threads can see, in all executions; empty if there are too many states. */
  static Optional<Set<Map<String, List<String>>>> of(ThreadScript script, int statesMax) {
    ThreadInterleavings all = new ThreadInterleavings(script, statesMax);
    Mailbox[] mailboxes = new Mailbox[script.ranks().size()];
    TreeMap<String, Runner> runners = new TreeMap<>();
    for (int rank = 0; rank < mailboxes.length; rank++) {
      mailboxes[rank] = new Mailbox();
      for (int thread = 0; thread < script.ranks().get(rank).size(); thread++) {
        runners.put(rank + "." + thread, new Runner());
      }
    }
    return all.explore(new State(mailboxes, runners))
        ? Optional.of(all.outcomes)
        : Optional.empty();
  }

  private boolean explore(State state) {
    if (!visited.add(state.key())) {
      return true;
    }
    if (visited.size() > statesMax) {
      return false;
    }
    List<State> next = new ArrayList<>();
    for (int rank = 0; rank < state.mailboxes.length; rank++) {
      matches(state, rank, next);
    }
    for (String name : state.runners.keySet()) {
      steps(state, name, next);
    }
    if (next.isEmpty()) {
      Map<String, List<String>> logs = new TreeMap<>();
      state.runners.forEach((name, runner) -> logs.put(name, List.copyOf(runner.log)));
      outcomes.add(logs);
    }
    return next.stream().allMatch(this::explore);
  }

  /** MPI 4.0, 3.5: in the order of posting, and messages of one sender do not overtake. */
  private static void matches(State state, int rank, List<State> next) {
    Mailbox mailbox = state.mailboxes[rank];
    for (int r = 0; r < mailbox.receives.size(); r++) {
      for (int m = 0; m < mailbox.messages.size(); m++) {
        Receive receive = mailbox.receives.get(r);
        Envelope message = mailbox.messages.get(m);
        boolean mayMatch =
            message.suits(receive.source, receive.tag)
                && mailbox.receives.subList(0, r).stream()
                    .noneMatch(before -> message.suits(before.source, before.tag))
                && isFirst(mailbox, m, receive.source, receive.tag);
        if (mayMatch) {
          State after = state.copy();
          after.mailboxes[rank].receives.remove(r);
          after.mailboxes[rank].messages.remove(m);
          Runner owner = after.runner(receive.owner);
          if (receive.isBlocking) {
            owner.got = message.label;
            owner.isReady = true;
          } else {
            owner.posted = message.label;
          }
          if (message.sync != null) {
            after.runner(message.sync).isReady = true;
          }
          next.add(after);
        }
      }
    }
  }

  private static boolean isFirst(Mailbox mailbox, int message, int source, int tag) {
    int sender = mailbox.messages.get(message).source;
    return mailbox.messages.subList(0, message).stream()
        .noneMatch(before -> before.source == sender && before.suits(source, tag));
  }

  private void steps(State state, String name, List<State> next) {
    int dot = name.indexOf('.');
    int rank = Integer.parseInt(name.substring(0, dot));
    int thread = Integer.parseInt(name.substring(dot + 1));
    List<Step> steps = script.ranks().get(rank).get(thread);
    Runner now = state.runner(name);
    if (now.at > steps.size() || (now.isWaiting && !now.isReady)) {
      return;
    }
    State after = state.copy();
    Runner runner = after.runner(name);
    Mailbox mailbox = after.mailboxes[rank];
    if (now.at == steps.size()) {
      runner.log.add("end");
      runner.at++;
      next.add(after);
      return;
    }
    Step step = steps.get(now.at);
    if (now.isWaiting) {
      runner.log.add(step instanceof Step.Send ? "sent" : "got " + runner.got);
      runner.isWaiting = false;
      runner.isReady = false;
      runner.at++;
      next.add(after);
      return;
    }
    switch (step) {
      case Step.Send(int dest, int tag, boolean sync) -> {
        int label = ThreadScript.label(rank, thread, runner.sent++);
        after.mailboxes[dest].messages.add(new Envelope(rank, tag, label, sync ? name : null));
        if (sync) {
          runner.isWaiting = true;
        } else {
          runner.log.add("sent");
          runner.at++;
        }
      }
      case Step.Recv(int source, int tag) -> {
        mailbox.receives.add(new Receive(source, tag, name, true));
        runner.isWaiting = true;
      }
      case Step.Post(int source, int tag) -> {
        mailbox.receives.add(new Receive(source, tag, name, false));
        runner.at++;
      }
      case Step.Await _ -> {
        if (now.posted < 0) {
          return;
        }
        runner.log.add("got " + now.posted);
        runner.at++;
      }
      case Step.Poll(int source, int tag) -> {
        for (int m = 0; m < mailbox.messages.size(); m++) {
          Envelope message = mailbox.messages.get(m);
          boolean isVisible =
              message.suits(source, tag)
                  && mailbox.receives.stream()
                      .noneMatch(posted -> message.suits(posted.source, posted.tag))
                  && isFirst(mailbox, m, source, tag);
          if (isVisible) {
            State seen = state.copy();
            Runner finder = seen.runner(name);
            finder.log.add("saw " + message.source + "/" + message.tag);
            finder.at++;
            next.add(seen);
          }
        }
        runner.log.add("saw nothing");
        runner.at++;
      }
    }
    next.add(after);
  }
}
