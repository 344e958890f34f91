package org.reprise.ranks.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.Fabric;

/**
 * What waits for each other at one rank: posted receives and messages that no receive has taken
 * yet. A receive that names its source is found by its channel (communicator and source), so that
 * many outstanding operations cost no search; those from any source stand in a list of their own,
 * in the order of posting.
 *
 * <p>It decides nothing: the machine says when a receive takes a message. Callers hold its lock.
 *
 * <p>Hot: the ping-pong of bench/ goes through {@link #firstReceive} and {@link #firstMessage}.
 */
public final class Mailbox {
  /** Receives and messages of the channels that fall together. */
  private static final class Bucket {
    @Nullable PendingReceive firstReceive;
    @Nullable PendingReceive lastReceive;
    @Nullable Message firstMessage;
    @Nullable Message lastMessage;
  }

  /** For so many patterns the first messages of each source are kept. */
  private static final int HEADS_MAX = 8;

  private Bucket[] buckets = {new Bucket(), new Bucket()};
  private int size;
  private long posted;

  private long arrived;
  private int named;

  /** Places in the list of those from any source where the pattern changes. */
  private int patternChanges;

  /** Messages whose sends wait for them to be received. */
  private int awaited;

  private int messages;

  /** Kept for the patterns that were last asked for; empty where nobody asks. */
  private final List<MailboxHeads> heads = new ArrayList<>(0);

  private int headsMade;

  private final Bucket anySource = new Bucket();
  private @Nullable Message oldest;
  private @Nullable Message newest;

  private Bucket bucket(CommContext context, int source) {
    int hash = Long.hashCode(context.id) + source * 0x9E3779B9;
    return buckets[(hash ^ hash >>> 16) & buckets.length - 1];
  }

  private Bucket bucketOf(PendingReceive receive) {
    return receive.source == Fabric.ANY_SOURCE
        ? anySource
        : bucket(receive.comm.context, receive.source);
  }

  void add(PendingReceive receive) {
    receive.place = ++posted;
    receive.posted = true;
    grow();
    append(bucketOf(receive), receive);
    if (receive.source == Fabric.ANY_SOURCE) {
      patternChanges += differ(receive.before, receive);
    } else {
      named++;
    }
  }

  private static int differ(@Nullable PendingReceive one, @Nullable PendingReceive other) {
    return one == null
            || other == null
            || (one.comm.context == other.comm.context && one.tag == other.tag)
        ? 0
        : 1;
  }

  private static void append(Bucket bucket, PendingReceive receive) {
    receive.before = bucket.lastReceive;
    receive.next = null;
    if (bucket.lastReceive == null) {
      bucket.firstReceive = receive;
    } else {
      bucket.lastReceive.next = receive;
    }
    bucket.lastReceive = receive;
  }

  public void remove(PendingReceive receive) {
    Bucket bucket = bucketOf(receive);
    if (receive.source == Fabric.ANY_SOURCE) {
      patternChanges +=
          differ(receive.before, receive.next)
              - differ(receive.before, receive)
              - differ(receive, receive.next);
    } else {
      named--;
    }
    if (receive.before == null) {
      bucket.firstReceive = receive.next;
    } else {
      receive.before.next = receive.next;
    }
    if (receive.next == null) {
      bucket.lastReceive = receive.before;
    } else {
      receive.next.before = receive.before;
    }
    receive.before = null;
    receive.next = null;
    receive.posted = false;
    size--;
  }

  void add(Message message) {
    grow();
    append(bucket(message.context, message.source), message);
    message.before = newest;
    if (newest == null) {
      oldest = message;
    } else {
      newest.next = message;
    }
    newest = message;
    message.place = ++arrived;
    messages++;
    awaited += message.send == null ? 0 : 1;
    for (int i = 0; i < heads.size(); i++) {
      heads.get(i).added(message);
    }
  }

  private static void append(Bucket bucket, Message message) {
    message.beforeInChannel = bucket.lastMessage;
    message.nextInChannel = null;
    if (bucket.lastMessage == null) {
      bucket.firstMessage = message;
    } else {
      bucket.lastMessage.nextInChannel = message;
    }
    bucket.lastMessage = message;
  }

  public void remove(Message message) {
    Bucket bucket = bucket(message.context, message.source);
    if (message.beforeInChannel == null) {
      bucket.firstMessage = message.nextInChannel;
    } else {
      message.beforeInChannel.nextInChannel = message.nextInChannel;
    }
    if (message.nextInChannel == null) {
      bucket.lastMessage = message.beforeInChannel;
    } else {
      message.nextInChannel.beforeInChannel = message.beforeInChannel;
    }
    if (message.before == null) {
      oldest = message.next;
    } else {
      message.before.next = message.next;
    }
    if (message.next == null) {
      newest = message.before;
    } else {
      message.next.before = message.before;
    }
    message.beforeInChannel = null;
    message.nextInChannel = null;
    message.before = null;
    message.next = null;
    size--;
    messages--;
    awaited -= message.send == null ? 0 : 1;
    for (int i = 0; i < heads.size(); i++) {
      heads.get(i).removed(message);
    }
  }

  /** The first message of each source that receives of this pattern accept, kept up to date. */
  public List<Message> heads(CommContext context, int tag) {
    for (MailboxHeads known : heads) {
      if (known.context == context && known.tag == tag) {
        return known;
      }
    }
    MailboxHeads made = new MailboxHeads(this, context, tag);
    if (heads.size() < HEADS_MAX) {
      heads.add(made);
    } else {
      heads.set(headsMade % HEADS_MAX, made);
    }
    headsMade++;
    return made;
  }

  /** Whether all receives are from any source and accept the same. */
  public boolean isUniform() {
    return named == 0 && patternChanges == 0;
  }

  /** Whether a receive that names its source is posted. */
  public boolean hasNamed() {
    return named > 0;
  }

  /** Whether a message is there whose send waits for it to be received. */
  public boolean hasAwaited() {
    return awaited > 0;
  }

  private void grow() {
    if (++size <= buckets.length * 2) {
      return;
    }
    Bucket[] old = buckets;
    buckets = new Bucket[old.length * 4];
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new Bucket();
    }
    for (Bucket bucket : old) {
      for (PendingReceive r = bucket.firstReceive; r != null; ) {
        PendingReceive next = r.next;
        append(bucketOf(r), r);
        r = next;
      }
      for (Message m = bucket.firstMessage; m != null; ) {
        Message next = m.nextInChannel;
        append(bucket(m.context, m.source), m);
        m = next;
      }
    }
  }

  /** The receive that was posted first of those that accept the message. */
  @Nullable
  public PendingReceive firstReceive(Message message) {
    PendingReceive named = first(bucket(message.context, message.source), message);
    PendingReceive open = first(anySource, message);
    return named == null || (open != null && open.place < named.place) ? open : named;
  }

  private static @Nullable PendingReceive first(Bucket bucket, Message message) {
    PendingReceive receive = bucket.firstReceive;
    while (receive != null && !receive.accepts(message)) {
      receive = receive.next;
    }
    return receive;
  }

  /** The message that came first of those that a receive or probe of this pattern accepts. */
  @Nullable Message firstMessage(CommContext context, int source, int tag) {
    if (source != Fabric.ANY_SOURCE) {
      return firstInChannel(context, source, tag);
    }
    Message message = oldest;
    while (message != null
        && (message.context != context || (tag != Fabric.ANY_TAG && tag != message.tag))) {
      message = message.next;
    }
    return message;
  }

  private @Nullable Message firstInChannel(CommContext context, int source, int tag) {
    Message message = bucket(context, source).firstMessage;
    while (message != null
        && (message.context != context
            || message.source != source
            || (tag != Fabric.ANY_TAG && tag != message.tag))) {
      message = message.nextInChannel;
    }
    return message;
  }

  @Nullable
  public Message oldest() {
    return oldest;
  }

  @Nullable
  public PendingReceive firstFromAnySource() {
    return anySource.firstReceive;
  }

  /** The first receive of the bucket in which those from this source stand, among others. */
  @Nullable PendingReceive firstNamed(CommContext context, int source) {
    return bucket(context, source).firstReceive;
  }

  /** All posted receives, the last posted first. */
  public List<PendingReceive> receivesLastFirst() {
    List<PendingReceive> all = new ArrayList<>();
    for (PendingReceive r = anySource.firstReceive; r != null; r = r.next) {
      all.add(r);
    }
    for (Bucket bucket : buckets) {
      for (PendingReceive r = bucket.firstReceive; r != null; r = r.next) {
        all.add(r);
      }
    }
    all.sort(Comparator.comparingLong((PendingReceive receive) -> receive.place).reversed());
    return all;
  }

  /** Messages that nobody has received. */
  public int messages() {
    return messages;
  }
}
