package org.reprise.viewer.answer;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.reprise.causality.CriticalPath;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;
import org.reprise.trace.Location;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.picture.Axis;
import org.reprise.viewer.picture.RunPicture;
import tools.jackson.core.JsonGenerator;

/**
 * A run in numbers: messages by pair of ranks and by size, calls by place in the source, polls, who
 * kept whom waiting, and the critical path. With each number goes what finds its events.
 */
public final class Totals {
  private static final int GROUPS_MAX = 32;
  private static final int ROWS_MAX = 40;
  private static final int LATE_MAX = 15;

  private final RunPicture picture;
  private final ViewedRun run;
  private final EventDetails details;
  private final EventGraph graph;
  private final EventTable events;
  private final Pairing pairing;

  public Totals(RunPicture picture, EventDetails details) {
    this.picture = picture;
    this.details = details;
    run = picture.run();
    graph = run.graph();
    events = graph.events();
    pairing = graph.pairing();
  }

  public void write(JsonGenerator json) {
    json.writeStartObject();
    matrix(json);
    sizes(json);
    sites(json);
    polls(json);
    late(json);
    criticalPath(json);
    json.writeEndObject();
  }

  private void matrix(JsonGenerator json) {
    int per = 1;
    while (events.ranks() > GROUPS_MAX * per) {
      per *= 2;
    }
    int groups = (events.ranks() + per - 1) / per;
    long[] counts = new long[groups * groups];
    long[] bytes = new long[groups * groups];
    for (int m = 0; m < pairing.messages(); m++) {
      int send = pairing.send(m);
      int cell = events.rank(send) / per * groups + events.peer(send) / per;
      counts[cell]++;
      bytes[cell] += events.bytes(send);
    }
    json.writeObjectPropertyStart("matrix");
    json.writeNumberProperty("per", per);
    json.writeNumberProperty("groups", groups);
    numbers(json, "counts", counts);
    numbers(json, "bytes", bytes);
    json.writeEndObject();
  }

  private static void numbers(JsonGenerator json, String name, long[] values) {
    json.writeArrayPropertyStart(name);
    for (long value : values) {
      json.writeNumber(value);
    }
    json.writeEndArray();
  }

  /** Messages by size, each row up to a power of two. */
  private void sizes(JsonGenerator json) {
    long[] counts = new long[Long.SIZE];
    long[] bytes = new long[Long.SIZE];
    for (int m = 0; m < pairing.messages(); m++) {
      long size = events.bytes(pairing.send(m));
      int row = Long.SIZE - Long.numberOfLeadingZeros(size);
      counts[row]++;
      bytes[row] += size;
    }
    json.writeArrayPropertyStart("sizes");
    for (int row = 0; row < counts.length; row++) {
      if (counts[row] > 0) {
        json.writeStartObject();
        json.writeNumberProperty("least", row == 0 ? 0 : 1L << row - 1);
        json.writeNumberProperty("below", 1L << row);
        json.writeNumberProperty("count", counts[row]);
        json.writeNumberProperty("bytes", bytes[row]);
        json.writeEndObject();
      }
    }
    json.writeEndArray();
  }

  /** Calls at one place in the source. */
  private static final class Site {
    private final String call;
    private final String place;
    private long count;
    private long nanos;
    private long failedPolls;
    private long polls;

    Site(String call, String place) {
      this.call = call;
      this.place = place;
    }
  }

  private List<Site> siteList = List.of();

  private synchronized List<Site> allSites() {
    if (!siteList.isEmpty()) {
      return siteList;
    }
    Map<Long, Site> bySite = new HashMap<>();
    Map<String, Site> byPlace = new HashMap<>();
    for (int rank = 0; rank < events.ranks(); rank++) {
      bySite.clear();
      for (int e = events.first(rank); e < events.first(rank + 1); e++) {
        int event = e;
        long key = (long) events.site(e) << 32 | events.call(e);
        Site site =
            bySite.computeIfAbsent(
                key,
                _ -> {
                  String place =
                      details.stack(event).stream().findFirst().map(Location::text).orElse("");
                  return byPlace.computeIfAbsent(
                      run.call(event) + " " + place, _ -> new Site(run.call(event), place));
                });
        site.count++;
        site.nanos += events.endNanos(e) - events.startNanos(e);
        if (events.kind(e) == EventKind.POLLS) {
          site.failedPolls += events.bytes(e);
        } else if (events.is(e, EventFlag.POLL)) {
          site.polls++;
        }
      }
    }
    siteList =
        byPlace.values().stream()
            .sorted(Comparator.comparingLong((Site site) -> site.nanos).reversed())
            .toList();
    return siteList;
  }

  private void sites(JsonGenerator json) {
    List<Site> all = allSites();
    json.writeNumberProperty("siteCount", all.size());
    json.writeArrayPropertyStart("sites");
    for (Site site : all.subList(0, Math.min(ROWS_MAX, all.size()))) {
      json.writeStartObject();
      json.writeStringProperty("call", site.call);
      json.writeStringProperty("place", site.place);
      json.writeNumberProperty("count", site.count);
      json.writeNumberProperty("nanos", site.nanos);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void polls(JsonGenerator json) {
    json.writeArrayPropertyStart("polls");
    allSites().stream()
        .filter(site -> site.polls + site.failedPolls > 0)
        .limit(ROWS_MAX)
        .forEach(
            site -> {
              json.writeStartObject();
              json.writeStringProperty("call", site.call);
              json.writeStringProperty("place", site.place);
              json.writeNumberProperty("succeeded", site.polls);
              json.writeNumberProperty("failed", site.failedPolls);
              json.writeEndObject();
            });
    json.writeEndArray();
  }

  /** A call that waited for its partner, and how long. */
  private record Wait(int event, long nanos) {}

  /** The longest of many waits, their number and their sum. */
  private static final class Waits {
    private final PriorityQueue<Wait> longest =
        new PriorityQueue<>(Comparator.comparingLong(Wait::nanos));
    private long count;
    private long nanos;

    void add(int event, long waited) {
      if (waited > 0) {
        count++;
        nanos += waited;
        longest.add(new Wait(event, waited));
        if (longest.size() > LATE_MAX) {
          longest.poll();
        }
      }
    }
  }

  /** Calls that some number counts, so that search finds them. */
  enum Counted {
    /** Receives whose message had not been sent when they began. */
    LATE_SENDER,
    /** Sends whose receive had not been posted when they began. */
    LATE_RECEIVER,
    /** Calls on the critical path. */
    CRITICAL
  }

  private final Map<Counted, BitSet> counted = new EnumMap<>(Counted.class);

  /** The calls that a number counts. */
  BitSet events(Counted which) {
    synchronized (counted) {
      if (counted.isEmpty()) {
        for (Counted one : Counted.values()) {
          counted.put(one, new BitSet(events.size()));
        }
        eachLate(
            (event, waited) -> mark(Counted.LATE_SENDER, event, waited),
            (event, waited) -> mark(Counted.LATE_RECEIVER, event, waited));
        CriticalPath.of(graph, run.clocks().origins())
            .forEach(link -> mark(Counted.CRITICAL, link.event(), 1));
      }
      return counted.getOrDefault(which, new BitSet());
    }
  }

  private void mark(Counted which, int event, long waited) {
    if (waited > 0) {
      counted.getOrDefault(which, new BitSet()).set(event);
    }
  }

  /** Takes a call and how long it waited. */
  private interface WaitSink {
    void add(int event, long waited);
  }

  /**
   * A sender is late if the receiver was in its call before the send began; a receiver is late if
   * the sender was in its call before the receive was posted.
   */
  private void eachLate(WaitSink senders, WaitSink receivers) {
    Axis time = picture.axis(Axis.Kind.TIME);
    for (int m = 0; m < pairing.messages(); m++) {
      int receive = pairing.receive(m);
      int arrival = receive < 0 ? EventTable.NONE : graph.completion(receive);
      if (arrival < 0) {
        continue;
      }
      int send = pairing.send(m);
      long sent = time.start(send);
      senders.add(arrival, Math.min(time.end(arrival), sent) - time.start(arrival));
      if (events.kind(send) == EventKind.SEND) {
        receivers.add(send, Math.min(time.end(send), time.start(receive)) - sent);
      }
    }
  }

  private void late(JsonGenerator json) {
    Waits senders = new Waits();
    Waits receivers = new Waits();
    eachLate(senders::add, receivers::add);
    waits(json, "lateSenders", senders);
    waits(json, "lateReceivers", receivers);
  }

  private void waits(JsonGenerator json, String name, Waits waits) {
    json.writeObjectPropertyStart(name);
    json.writeNumberProperty("count", waits.count);
    json.writeNumberProperty("nanos", waits.nanos);
    json.writeArrayPropertyStart("longest");
    List<Wait> longest = new ArrayList<>(waits.longest);
    longest.sort(Comparator.comparingLong(Wait::nanos).reversed());
    for (Wait wait : longest) {
      json.writeStartObject();
      json.writeNumberProperty("waited", wait.nanos);
      json.writeName("event");
      details.summary(json, wait.event);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** The path, and what took most of it. */
  private void criticalPath(JsonGenerator json) {
    List<CriticalPath.Link> links = CriticalPath.of(graph, run.clocks().origins());
    Axis time = picture.axis(Axis.Kind.TIME);
    Waits calls = new Waits();
    Waits between = new Waits();
    long at = links.isEmpty() ? 0 : time.start(links.getFirst().event());
    long begin = at;
    long handedOver = 0;
    for (CriticalPath.Link link : links) {
      long start = time.start(link.event());
      between.add(link.event(), start - at);
      at = Math.max(at, start);
      if (link.handedOver()) {
        handedOver++;
      } else {
        calls.add(link.event(), time.end(link.event()) - at);
        at = Math.max(at, time.end(link.event()));
      }
    }
    json.writeObjectPropertyStart("criticalPath");
    json.writeNumberProperty("nanos", at - begin);
    json.writeNumberProperty("links", links.size());
    json.writeNumberProperty("handedOver", handedOver);
    waits(json, "calls", calls);
    waits(json, "between", between);
    json.writeEndObject();
  }
}
