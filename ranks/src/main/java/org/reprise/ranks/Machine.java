package org.reprise.ranks;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What all ranks of a job stand on: it brings messages to mailboxes, lets ranks wait, and knows
 * when the job has ended. {@link FreeMachine} lets them run in parallel, {@link SerialMachine} one
 * at a time, as a {@link Scheduler} says.
 */
abstract sealed class Machine permits FreeMachine, SerialMachine {
  /** Up to here a message that nobody waits for is copied while the mailbox is locked. */
  private static final int COPIED_UNDER_LOCK_BYTES = 8 << 10;

  /** Why a job ended before its ranks did. */
  record Ending(@Nullable Deadlock deadlock, int abortCode, boolean isAbort) {}

  final Rank[] ranks;
  final boolean syncSends;

  /** Whether the program may cancel receives. */
  boolean cancels;

  /**
   * Whether warnings name lines of the program: for what runs once, not a hundred thousand times.
   */
  boolean namesLines = true;

  final @Nullable Observer observer;
  final Context world;

  /** Contexts that are made by two groups which share no communicator. */
  final Map<Long, Context> intercommunicators = new ConcurrentHashMap<>();

  volatile @Nullable Ending ending;

  /** Whether somebody outside wants the job to end. */
  volatile boolean interrupted;

  Machine(int count, boolean syncSends, @Nullable Observer observer) {
    this.syncSends = syncSends;
    this.observer = observer;
    this.ranks = new Rank[count];
    int[] all = new int[count];
    for (int i = 0; i < count; i++) {
      ranks[i] = new Rank(i, this);
      all[i] = i;
    }
    this.world = new Context(Identity.world(), all, null);
  }

  /** Runs the ranks' threads until all have ended. */
  abstract void run(RankThread thread);

  /** What a machine runs in the thread of a rank. */
  interface RankThread {
    void run(Rank rank);
  }

  /** Returns when the wait is over. */
  abstract void await(Rank rank, Wait wait);

  /** Something that this rank may be waiting for has happened. */
  abstract void wake(Rank rank);

  /** A scheduler's word on a poll or choice; see {@link Decision}. */
  abstract Decision decide(Rank rank, Wait wait);

  /** Ends the job: every rank that calls or waits is thrown out. */
  abstract void end(Ending why);

  /** Ends the job soon, from outside: for those who cannot wait for its end. */
  abstract void interrupt();

  /** Whether a receive from any source takes what comes first, without asking anybody. */
  abstract boolean matchesAtOnce();

  /** Whether other threads than the first of each rank may call. */
  abstract boolean threadsMayCall();

  /** Another thread than the rank's first one calls: throws if that cannot be. */
  abstract void checkThread(Rank rank);

  final void checkRunning() {
    if (ending != null) {
      throw new RankEnded(RankEnded.Why.JOB_ENDED, 0);
    }
  }

  /** Brings a message to its receiver's mailbox. Hot. */
  final void send(Message message, Rank dest) {
    PendingReceive taker;
    Mailbox mailbox = dest.mailbox;
    boolean keeps = message.send == null;
    boolean small = message.payload.bytes() <= COPIED_UNDER_LOCK_BYTES;
    if (keeps && !small && !isExpected(message, mailbox)) {
      message.ownCopy();
    }
    synchronized (mailbox) {
      taker = matchesAtOnce() ? mailbox.firstReceive(message) : Matching.taker(mailbox, message);
      if (taker != null) {
        mailbox.remove(taker);
      } else {
        if (keeps) {
          message.ownCopy();
        }
        mailbox.add(message);
      }
    }
    if (observer != null && !message.context.isHidden()) {
      observer.sent(message, dest);
    }
    if (taker != null) {
      deliver(message, taker);
    } else {
      arrived(dest, message);
    }
  }

  /** A message lies in a mailbox, and no receive has taken it. */
  abstract void arrived(Rank dest, Message message);

  private static boolean isExpected(Message message, Mailbox mailbox) {
    synchronized (mailbox) {
      return mailbox.firstReceive(message) != null;
    }
  }

  /** The receive takes the message; both are in no mailbox any more. Hot. */
  final void deliver(Message message, PendingReceive receive) {
    if (observer != null && !message.context.isHidden()) {
      observer.matched(message, receive);
    }
    receive.take(message);
    wake(receive.owner);
    PendingSend send = message.send;
    if (send != null) {
      send.complete();
      wake(send.owner);
    }
  }

  /** Posts a receive, which may take a message at once. Hot. */
  final void post(PendingReceive receive) {
    Mailbox mailbox = receive.owner.mailbox;
    if (observer != null && !receive.comm.context.isHidden()) {
      observer.posted(receive);
    }
    Message message;
    synchronized (mailbox) {
      message =
          matchesAtOnce()
              ? mailbox.firstMessage(receive.comm.context, receive.source, receive.tag)
              : Matching.message(mailbox, receive);
      if (message != null) {
        mailbox.remove(message);
      } else {
        mailbox.add(receive);
      }
    }
    if (message != null) {
      deliver(message, receive);
    }
  }

  /** Takes a receive out of its mailbox, unless it has a message; true if that was in time. */
  final boolean withdraw(PendingReceive receive) {
    synchronized (receive.owner.mailbox) {
      if (!receive.posted) {
        return false;
      }
      receive.owner.mailbox.remove(receive);
    }
    receive.cancel();
    return true;
  }
}
