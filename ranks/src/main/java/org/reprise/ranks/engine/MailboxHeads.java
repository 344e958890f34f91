package org.reprise.ranks.engine;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.Fabric;

/**
 * Of the messages in a mailbox that a receive from any source accepts, the first one of each
 * source, in the order in which they came. It is kept while messages come and go: ten thousand
 * ranks send to one, and each of its ten thousand receives has to know how many it may choose from
 * and which is the k-th. Both take no more than a logarithm.
 *
 * <p>Every accepted message has a slot, in the order of arrival; a Fenwick tree counts the slots
 * whose message is the first of its source.
 */
final class MailboxHeads extends AbstractList<Message> implements RandomAccess {
  private static final int SLOTS_MIN = 64;

  private final Mailbox mailbox;
  final CommContext context;
  final int tag;

  private @Nullable Message[] slots = new Message[0];
  private long[] places = {};
  private boolean[] isHead = {};
  private int[] counts = {};
  private int used;
  private int size;

  MailboxHeads(Mailbox mailbox, CommContext context, int tag) {
    this.mailbox = mailbox;
    this.context = context;
    this.tag = tag;
    rebuild();
  }

  private boolean accepts(Message message) {
    return message.context == context && (tag == Fabric.ANY_TAG || tag == message.tag);
  }

  private void rebuild() {
    int accepted = 0;
    for (Message message = mailbox.oldest(); message != null; message = message.next) {
      accepted += accepts(message) ? 1 : 0;
    }
    int capacity = Math.max(SLOTS_MIN, 2 * accepted);
    slots = new Message[capacity];
    places = new long[capacity];
    isHead = new boolean[capacity];
    counts = new int[capacity + 1];
    used = 0;
    size = 0;
    for (Message message = mailbox.oldest(); message != null; message = message.next) {
      if (accepts(message)) {
        append(message);
      }
    }
  }

  /** A message has come; it is in the mailbox already. */
  void added(Message message) {
    if (!accepts(message)) {
      return;
    }
    if (used == slots.length) {
      rebuild();
    } else {
      append(message);
    }
  }

  private void append(Message message) {
    int slot = used++;
    slots[slot] = message;
    places[slot] = message.place;
    if (mailbox.firstMessage(context, message.source, tag) == message) {
      set(slot, true);
    }
  }

  /** A message has gone; it is in the mailbox no more. */
  void removed(Message message) {
    if (!accepts(message)) {
      return;
    }
    int slot = slot(message);
    slots[slot] = null;
    if (isHead[slot]) {
      set(slot, false);
      Message next = mailbox.firstMessage(context, message.source, tag);
      if (next != null) {
        set(slot(next), true);
      }
    }
  }

  private void set(int slot, boolean head) {
    isHead[slot] = head;
    int change = head ? 1 : -1;
    size += change;
    for (int i = slot + 1; i < counts.length; i += i & -i) {
      counts[i] += change;
    }
  }

  private int slot(Message message) {
    return Arrays.binarySearch(places, 0, used, message.place);
  }

  @Override
  public Message get(int index) {
    int at = 0;
    int left = index + 1;
    for (int step = Integer.highestOneBit(slots.length); step > 0; step >>= 1) {
      if (at + step < counts.length && counts[at + step] < left) {
        at += step;
        left -= counts[at];
      }
    }
    Message head = index < size ? slots[at] : null;
    if (head == null) {
      throw new IndexOutOfBoundsException(index + " of " + size);
    }
    return head;
  }

  @Override
  public int size() {
    return size;
  }
}
