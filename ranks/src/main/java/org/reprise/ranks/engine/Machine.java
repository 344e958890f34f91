package org.reprise.ranks.engine;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.RankEnded;
import org.reprise.ranks.journal.Identity;

/**
 * What all ranks of a job stand on: it brings messages to mailboxes, lets ranks wait, and knows
 * when the job has ended. {@code FreeMachine} lets them run in parallel, {@code SerialMachine} one
 * at a time, as a {@code Scheduler} says.
 */
public abstract class Machine {
  /** Up to here a message that nobody waits for is copied while the mailbox is locked. */
  private static final int COPIED_UNDER_LOCK_BYTES = 8 << 10;

  /** Why a job ended before its ranks did. */
  public record Ending(@Nullable Deadlock deadlock, int abortCode, boolean isAbort) {}

  public final JobRank[] ranks;
  public final boolean syncSends;

  /** Whether the program may cancel receives. */
  public boolean cancels;

  /**
   * Whether warnings name lines of the program: for what runs once, not a hundred thousand times.
   */
  public boolean namesLines = true;

  /** What the user is to know besides. */
  public final List<String> warnings = new CopyOnWriteArrayList<>();

  public final @Nullable Observer observer;
  public final CommContext world;

  /** Contexts that are made by two groups which share no communicator. */
  public final Map<Long, CommContext> intercommunicators = new ConcurrentHashMap<>();

  public volatile @Nullable Ending ending;

  /** Whether a rank that ends the job lets the others go on until none of them can. */
  public boolean endsAtRest;

  /** Whether it did, and none could go on. */
  public volatile boolean endedAtRest;

  /** Whether somebody outside wants the job to end. */
  public volatile boolean interrupted;

  public Machine(int count, boolean syncSends, @Nullable Observer observer) {
    this.syncSends = syncSends;
    this.observer = observer;
    this.ranks = new JobRank[count];
    int[] all = new int[count];
    for (int i = 0; i < count; i++) {
      ranks[i] = new JobRank(i, this);
      all[i] = i;
    }
    this.world = new CommContext(Identity.world(), all, null);
  }

  /** Runs the ranks' threads until all have ended. */
  public abstract void run(RankThread thread);

  /** What a machine runs in the thread of a rank. */
  public interface RankThread {
    void run(JobRank rank);
  }

  /** Returns when the wait is over. */
  public abstract void await(JobRank rank, Wait wait);

  /** Something that this rank may be waiting for has happened. */
  protected abstract void wake(JobRank rank);

  /** A scheduler's word on a poll or choice; see {@link Decision}. */
  public abstract Decision decide(JobRank rank, Wait wait);

  /** Ends the job: every rank that calls or waits is thrown out. */
  public abstract void end(Ending why);

  /**
   * A rank ends the job, but not before the others have gone as far as they can: returns then. Its
   * open receives still take what is sent to them.
   */
  public void stop(JobRank rank, Ending why) {
    end(why);
  }

  /** Ends the job soon, from outside: for those who cannot wait for its end. */
  public abstract void interrupt();

  /** Whether a receive from any source takes what comes first, without asking anybody. */
  public abstract boolean matchesAtOnce();

  /** Whether other threads than the first of each rank may call. */
  public abstract boolean threadsMayCall();

  /** Another thread than the rank's first one calls: throws if that cannot be. */
  public abstract void checkThread(JobRank rank);

  /** The calling thread, one of the rank's, creates another one. */
  protected void threadCreated(JobRank rank) {}

  /** A thread of a rank that has several is about to take a step: returns when it may. */
  protected void beginStep(JobRank rank) {}

  /** It goes on in its program's own code. */
  protected void endStep(JobRank rank) {}

  public final void checkRunning() {
    if (ending != null) {
      throw jobEnded();
    }
  }

  /** To be thrown by a thread that the job has ended under: nobody needs to hear of that. */
  protected static RankEnded jobEnded() {
    Thread self = Thread.currentThread();
    Thread.UncaughtExceptionHandler handler = self.getUncaughtExceptionHandler();
    if (!(handler instanceof SilentEnd)) {
      self.setUncaughtExceptionHandler(new SilentEnd(handler));
    }
    return new RankEnded(RankEnded.Why.JOB_ENDED, 0);
  }

  /** Says nothing of threads that end because their job has; by then nobody else may listen. */
  private record SilentEnd(Thread.UncaughtExceptionHandler handler)
      implements Thread.UncaughtExceptionHandler {
    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
      if (!(thrown instanceof RankEnded)) {
        handler.uncaughtException(thread, thrown);
      }
    }
  }

  /** Brings a message to its receiver's mailbox. Hot. */
  public final void send(Message message, JobRank dest) {
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
  protected abstract void arrived(JobRank dest, Message message);

  private static boolean isExpected(Message message, Mailbox mailbox) {
    synchronized (mailbox) {
      return mailbox.firstReceive(message) != null;
    }
  }

  /** The receive takes the message; both are in no mailbox any more. Hot. */
  protected final void deliver(Message message, PendingReceive receive) {
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
  public final void post(PendingReceive receive) {
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
  public final boolean withdraw(PendingReceive receive) {
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
