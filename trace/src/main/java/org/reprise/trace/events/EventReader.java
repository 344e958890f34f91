package org.reprise.trace.events;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.RecordBytes;
import org.reprise.trace.file.Wire;

/**
 * Reads one {@code rank-<r>.events} file from front to back. Every field is checked before it is
 * shown: ranks are members of their communicator, and an event names only events that are open.
 * What follows from several files together is not checked here.
 *
 * <p>It reads a file that is still being written, too, and one whose rank was killed: it ends where
 * the header ended when the reader was opened, or last looked at it again.
 */
public final class EventReader implements EventCursor, AutoCloseable {
  static final int RECORD_BYTES = 32;
  static final int PEERS_MAX = 7;
  static final int ASKED_MAX = 7;
  static final int RUNS_MAX = 2;
  static final int SATURATED = -1;

  private static final EventKind[] KINDS = EventKind.values();
  private static final int PATTERN_FLAGS = EventFlag.ANY_SOURCE.bit() | EventFlag.ANY_TAG.bit();
  private static final int RECEIVE_FLAGS = PATTERN_FLAGS | EventFlag.POLL.bit();

  private final RecordBytes bytes;
  private final OpenPosts open;
  private final SiteEchoes echoes = new SiteEchoes();
  private final List<Communicator> communicators = new ArrayList<>();
  private long records;
  private int count;

  private EventKind kind = EventKind.NONE;
  private int flags;
  private int call;
  private int site;
  private int peer;
  private int tag;
  private CollectiveFlow flow = CollectiveFlow.NONE;
  private int comm;
  private long post;
  private EventKind postKind = EventKind.NONE;
  private long size;
  private long start;
  private long duration;
  private long end;
  private int thread;
  private int[] peers = new int[PEERS_MAX];
  private int peerCount;
  private long largeSize;
  private boolean peersPending;
  private boolean askedPending;

  private EventReader(RecordBytes bytes) {
    this.bytes = bytes;
    this.open = new OpenPosts(bytes.remaining() / RECORD_BYTES);
  }

  public static EventReader open(Path file) {
    return new EventReader(RecordBytes.open(file, Wire.FileKind.EVENTS));
  }

  /** Reads what would be in a file of this name. */
  public static EventReader of(byte[] contents, Path file) {
    return new EventReader(RecordBytes.of(contents, file, Wire.FileKind.EVENTS));
  }

  /**
   * Takes the events that a rank of a live recording writes: what was taken, nobody else can read.
   */
  public static EventReader take(Path file) {
    return new EventReader(RecordBytes.take(file));
  }

  public RankHeader header() {
    return bytes.header();
  }

  /**
   * Looks how far the rank has come meanwhile, of a rank that still writes.
   *
   * @return whether there are more events
   */
  public boolean refresh() {
    return bytes.refresh();
  }

  @Override
  public boolean advance() {
    peerCount = 0;
    largeSize = SATURATED;
    while (true) {
      if (!beginRecord()) {
        return false;
      }
      int head = bytes.nextWord();
      kind =
          Wire.constant(EventKind.class, head & 0xff)
              .orElseThrow(() -> bytes.damaged("a record of kind " + (head & 0xff)));
      flags = head >>> 8 & 0xff;
      call = head >>> 16;
      switch (kind) {
        case NONE -> throw bytes.damaged("a record of kind 0 among the committed ones");
        case COMM -> communicator();
        case MEMBERS -> throw bytes.damaged("members of no communicator");
        case PEERS -> peers();
        case ASKED -> asked();
        case TIME -> {
          end = word64();
          skip(5);
          if (end < 0) {
            throw bytes.damaged("a time of " + Long.toUnsignedString(end) + " nanoseconds");
          }
        }
        case BYTES -> {
          largeSize = word64();
          skip(5);
          if (largeSize < 0) {
            throw bytes.damaged("a size of " + Long.toUnsignedString(largeSize) + " bytes");
          }
        }
        case THREAD -> {
          thread = bytes.nextWord();
          skip(6);
          if (thread < 0) {
            throw bytes.damaged("thread " + thread + " is impossible");
          }
        }
        case AGAIN -> {
          again(head);
          return true;
        }
        default -> {
          event(head);
          return true;
        }
      }
    }
  }

  private boolean beginRecord() {
    if (bytes.atEnd()) {
      // Records and their number are committed one after the other, as in an order file.
      boolean killed = header().state() == Wire.State.RUNNING;
      if (records != header().outcomes() && !killed) {
        bytes.beginRecord();
        throw bytes.damaged(records + " records, though the header counts " + header().outcomes());
      }
      return false;
    }
    bytes.beginRecord();
    records++;
    return true;
  }

  private void event(int head) {
    site = bytes.nextWord();
    peer = bytes.nextWord();
    tag = bytes.nextWord();
    int link = bytes.nextWord();
    int shortSize = bytes.nextWord();
    if (!is(EventFlag.JOINED)) {
      echoes.keep(site, head, peer, tag, link, shortSize);
    }
    long since = Integer.toUnsignedLong(bytes.nextWord());
    event(link, shortSize, since, Integer.toUnsignedLong(bytes.nextWord()));
  }

  /** The last event of a site once more. */
  private void again(int low) {
    long record = Integer.toUnsignedLong(low) | (long) bytes.nextWord() << 32;
    site = SiteEchoes.site(record);
    if (!echoes.knows(site)) {
      throw bytes.damaged("a repeated event of call site " + site + ", which has none before");
    }
    int head = echoes.head(site);
    kind = KINDS[head & 0xff];
    flags = head >>> 8 & 0xff;
    call = head >>> 16;
    peer = echoes.peer(site);
    tag = echoes.tag(site);
    event(
        echoes.link(site),
        echoes.bytes(site),
        SiteEchoes.start(record),
        SiteEchoes.duration(record));
  }

  private void event(int link, int shortSize, long since, long length) {
    if (call >= Wire.CALLS_MAX) {
      throw bytes.damaged("call " + call + " is impossible");
    }
    if (count == Integer.MAX_VALUE) {
      throw bytes.damaged("more than 2147483647 events of one rank");
    }
    int allowed = allowedFlags();
    if ((flags & ~allowed) != 0) {
      throw bytes.damaged("flags " + flags + " of an event of kind " + kind);
    }
    start = end + since;
    duration = length;
    end = start + duration;
    if (end < 0) {
      throw bytes.damaged("a time beyond 2^63 nanoseconds");
    }
    if (site < 0) {
      throw bytes.damaged("call site " + Integer.toUnsignedString(site) + " is impossible");
    }
    size =
        shortSize == SATURATED && largeSize != SATURATED
            ? largeSize
            : Integer.toUnsignedLong(shortSize);
    flow = CollectiveFlow.NONE;
    post = NO_EVENT;
    comm = -1;
    if (kind.isLinked()) {
      linked(Integer.toUnsignedLong(link));
    } else if (kind != EventKind.LOCAL && (kind != EventKind.POLLS || asksForMessage())) {
      comm = link;
      if (link < 0 || link >= communicators.size()) {
        throw bytes.damaged(
            "communicator "
                + Integer.toUnsignedString(link)
                + ", though "
                + communicators.size()
                + " are known");
      }
    }
    if (kind.isCollective()) {
      collective();
    } else if (carriesMessage()) {
      message();
    } else {
      peer = ANY;
      tag = ANY;
    }
    if (askedPending && !mayAsk()) {
      throw bytes.damaged("a list of requests before an event that has none");
    }
    askedPending = false;
    if (peersPending && flow != CollectiveFlow.LISTED) {
      throw bytes.damaged("a list of ranks before an event that has none");
    }
    peersPending = false;
    if (kind.isPost() || kind == EventKind.MPROBE) {
      open.open(count, kind, comm);
    }
    count++;
  }

  private int allowedFlags() {
    int joined = EventFlag.JOINED.bit();
    return switch (kind) {
      case SEND, POST_SEND -> joined | EventFlag.SYNC.bit();
      case RECV, POST_RECV, MPROBE, PROBE, POLLS -> joined | RECEIVE_FLAGS;
      case COMPLETE -> joined | EventFlag.POLL.bit() | EventFlag.CANCELLED.bit();
      case LOCAL -> joined | PATTERN_FLAGS; // a receive or probe that failed
      default -> joined;
    };
  }

  /** Follows the link to an earlier event, which this one may end. */
  private void linked(long distance) {
    post = count - distance;
    EventKind named = distance == 0 ? EventKind.NONE : open.kind(post);
    boolean fits =
        switch (kind) {
          case MRECV, POST_MRECV -> named == EventKind.MPROBE;
          case MATCHED, UNMATCHED -> named == EventKind.POST_RECV;
          default -> named.isPost() && !open.isFreed(post);
        };
    if (!fits) {
      throw bytes.damaged(
          "an event of kind " + kind + " that names event " + post + ", which is not open for it");
    }
    comm = open.comm(post);
    postKind = named;
    switch (kind) {
      case CANCEL -> {}
      case FREE -> open.free(post);
      default -> open.close(post);
    }
  }

  private boolean carriesMessage() {
    return switch (kind) {
      case COMPLETE -> postKind == EventKind.POST_RECV && !is(EventFlag.CANCELLED);
      case POLLS -> asksForMessage();
      default -> kind.hasMessage();
    };
  }

  /** Whether these failed polls are a single one that says which message it asked for. */
  private boolean asksForMessage() {
    return is(EventFlag.POLL) && !askedPending;
  }

  private boolean mayAsk() {
    return switch (kind) {
      case COMPLETE, LOCAL -> true;
      case POLLS -> is(EventFlag.POLL);
      default -> false;
    };
  }

  private void message() {
    boolean asks = kind == EventKind.POST_RECV || kind == EventKind.POLLS;
    if (asks && is(EventFlag.ANY_SOURCE)) {
      peer = ANY;
    } else {
      peer = world(peer);
    }
    if (asks && is(EventFlag.ANY_TAG)) {
      tag = ANY;
    } else if (tag < 0) {
      throw bytes.damaged("tag " + tag + " is impossible");
    }
  }

  private void collective() {
    int number = tag;
    flow =
        Wire.constant(CollectiveFlow.class, number)
            .orElseThrow(() -> bytes.damaged("flow " + number + " is unknown"));
    tag = ANY;
    boolean rooted = flow == CollectiveFlow.FROM_ROOT || flow == CollectiveFlow.TO_ROOT;
    peer = rooted && peer != ANY ? world(peer) : ANY;
    if (rooted && peer == ANY && !communicators.get(comm).inter()) {
      throw bytes.damaged("no root");
    }
    for (int i = 0; i < peerCount; i++) {
      peers[i] = world(peers[i]);
    }
  }

  private int world(int rank) {
    RankGroup group = communicators.get(comm).peers();
    if (rank < 0 || rank >= group.size()) {
      throw bytes.damaged("rank " + rank + " in a communicator of " + group.size());
    }
    return group.world(rank);
  }

  private void communicator() {
    long id = word64();
    int members = bytes.nextWord();
    int remoteMembers = bytes.nextWord();
    skip(3);
    boolean inter = is(EventFlag.INTER);
    if (members < 0
        || members > ranks()
        || remoteMembers < 0
        || remoteMembers > (inter ? ranks() : 0)) {
      throw bytes.damaged(
          "a communicator of "
              + Integer.toUnsignedString(members)
              + " and "
              + Integer.toUnsignedString(remoteMembers)
              + " ranks in a job of "
              + ranks());
    }
    if (communicators.size() == OpenPosts.COMMS_MAX) {
      throw bytes.damaged("more than " + OpenPosts.COMMS_MAX + " communicators");
    }
    // The head of a MEMBERS record takes the place of this one's.
    boolean overtaking = is(EventFlag.OVERTAKING);
    communicators.add(
        new Communicator(id, group(members), group(remoteMembers), inter, overtaking));
  }

  /** The members of a group, which begin in a record of their own. */
  private RankGroup group(int members) {
    RankGroup.Builder group = new RankGroup.Builder();
    while (group.size() < members) {
      if (!beginRecord()) {
        throw bytes.damaged("the last communicator is cut off");
      }
      int head = bytes.nextWord();
      int runs = head >>> 16;
      if ((head & 0xff) != EventKind.MEMBERS.ordinal() || runs < 1 || runs > RUNS_MAX) {
        throw bytes.damaged("no members where a communicator's are expected");
      }
      for (int i = 0; i < RUNS_MAX; i++) {
        int first = bytes.nextWord();
        int length = bytes.nextWord();
        int stride = bytes.nextWord();
        if (i < runs) {
          run(group, first, length, stride, members);
        }
      }
      skip(1);
    }
    return group.build();
  }

  private void run(RankGroup.Builder group, int first, int length, int stride, int members) {
    long last = first + (length - 1L) * stride;
    boolean possible =
        length >= 1
            && length <= members - group.size()
            && (length == 1 || stride != 0)
            && first >= 0
            && first < ranks()
            && last >= 0
            && last < ranks();
    if (!possible) {
      throw bytes.damaged(
          "members " + first + " to " + last + " by " + stride + " in a job of " + ranks());
    }
    group.add(first, length, stride);
  }

  private void peers() {
    if (call < 1 || call > PEERS_MAX) {
      throw bytes.damaged("a list of " + call + " ranks");
    }
    if (peerCount + call > peers.length) {
      peers = Arrays.copyOf(peers, 2 * peers.length);
    }
    for (int i = 0; i < PEERS_MAX; i++) {
      int rank = bytes.nextWord();
      if (i < call) {
        peers[peerCount++] = rank;
      }
    }
    peersPending = true;
  }

  /** The requests that a call was given, by how many events back they began. */
  private void asked() {
    if (call < 1 || call > ASKED_MAX) {
      throw bytes.damaged("a list of " + call + " requests");
    }
    if (peerCount + call > peers.length) {
      peers = Arrays.copyOf(peers, 2 * peers.length);
    }
    for (int i = 0; i < ASKED_MAX; i++) {
      int back = bytes.nextWord();
      if (i < call) {
        peers[peerCount++] = asked(back);
      }
    }
    askedPending = true;
  }

  private int asked(int back) {
    if (back == 0) {
      return NULL_REQUEST;
    }
    if (back == SATURATED) {
      return UNKNOWN_REQUEST;
    }
    if (back < 0 || back > count) {
      throw bytes.damaged(
          "a request that began " + Integer.toUnsignedString(back) + " events before " + count);
    }
    return count - back;
  }

  private long word64() {
    return Integer.toUnsignedLong(bytes.nextWord()) | (long) bytes.nextWord() << 32;
  }

  private void skip(int words) {
    for (int i = 0; i < words; i++) {
      bytes.nextWord();
    }
  }

  @Override
  public int rank() {
    return header().rank().number();
  }

  @Override
  public int ranks() {
    return header().ranks();
  }

  @Override
  public long number() {
    return count - 1L;
  }

  @Override
  public EventKind kind() {
    return kind;
  }

  @Override
  public int flags() {
    return flags;
  }

  @Override
  public int call() {
    return call;
  }

  @Override
  public int site() {
    return site;
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public int tag() {
    return tag;
  }

  @Override
  public CollectiveFlow flow() {
    return flow;
  }

  @Override
  public int comm() {
    return comm;
  }

  @Override
  public long post() {
    return post;
  }

  @Override
  public long bytes() {
    return size;
  }

  @Override
  public long startNanos() {
    return start;
  }

  @Override
  public long durationNanos() {
    return duration;
  }

  @Override
  public int thread() {
    return thread;
  }

  @Override
  public int peerCount() {
    return peerCount;
  }

  @Override
  public int peer(int index) {
    return peers[index];
  }

  @Override
  public Communicator communicator(int index) {
    return communicators.get(index);
  }

  @Override
  public int communicators() {
    return communicators.size();
  }

  @Override
  public void close() {
    bytes.close();
  }
}
