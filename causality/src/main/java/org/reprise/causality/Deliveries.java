package org.reprise.causality;

import java.util.function.IntConsumer;
import org.reprise.causality.columns.IntList;
import org.reprise.causality.columns.LongIntMap;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.EventKind;

/**
 * What the return of a call gave to the program, and the calls it came from: the message that a
 * receive took or a probe saw, and what the members of a collective contributed. That is less than
 * what orders calls, which has matching and synchronous sends besides: whoever runs a part of the
 * run again, and tells each receive its message, needs the data alone.
 */
public final class Deliveries {
  private final EventTable events;
  private final Pairing pairing;
  private final Collectives collectives;

  /** The messages of non-blocking receives of a probed message, by their posts. */
  private final LongIntMap probed = new LongIntMap();

  private final IntList sources = new IntList();

  Deliveries(EventTable events, Pairing pairing, Collectives collectives) {
    this.events = events;
    this.pairing = pairing;
    this.collectives = collectives;
    for (int event = 0; event < events.size(); event++) {
      if (events.kind(event) == EventKind.MPROBE && pairing.message(event) >= 0) {
        int receive = events.link(event);
        if (receive >= 0 && events.kind(receive) == EventKind.POST_MRECV) {
          probed.put(receive, pairing.message(event));
        }
      }
    }
  }

  /** The message that an event's return gave to the program, or told it of; NONE. */
  public int message(int event) {
    return switch (events.kind(event)) {
      case RECV, MPROBE, PROBE -> pairing.message(event);
      case MRECV, MATCHED -> ofLinked(events.link(event));
      case COMPLETE -> {
        int post = events.link(event);
        yield events.kind(post) == EventKind.POST_MRECV ? probed.get(post) : ofLinked(post);
      }
      default -> Pairing.NONE;
    };
  }

  private int ofLinked(int began) {
    boolean receives = began >= 0 && Pairing.isReceive(events.kind(began));
    return receives ? pairing.message(began) : Pairing.NONE;
  }

  /** The event at whose return the program had a message; NONE if it never came to that. */
  public int received(int message) {
    int receive = pairing.receive(message);
    if (receive < 0 || events.kind(receive) == EventKind.RECV) {
      return receive;
    }
    int end = events.link(receive);
    if (end >= 0 && events.kind(end) == EventKind.POST_MRECV) {
      end = events.link(end) > end ? events.link(end) : EventTable.NONE;
    }
    return end;
  }

  /** The call of a collective that an event ends; NONE if it ends none. */
  public int collective(int event) {
    int call = events.kind(event) == EventKind.COMPLETE ? events.link(event) : event;
    EventKind ended = call == event ? EventKind.COLLECTIVE : EventKind.POST_COLLECTIVE;
    return events.kind(call) == ended ? call : EventTable.NONE;
  }

  /** The n-th collective of a communicator is one number for all of its members. */
  public int instance(int call) {
    return collectives.instance(call);
  }

  /** Whether every member of a collective gets something of every other one. */
  public boolean isSymmetric(int call) {
    CollectiveFlow flow = events.flow(call);
    return (flow == CollectiveFlow.ALL || flow == CollectiveFlow.EVERYBODY)
        && !events.communicators().get(events.comm(call)).inter();
  }

  /** Whether an event's return gave the program anything of another call. */
  public boolean isAny(int event) {
    if (message(event) >= 0) {
      return true;
    }
    int call = collective(event);
    if (call < 0) {
      return false;
    }
    CollectiveInProgress.sources(events, collectives, call, sources);
    return !sources.isEmpty();
  }

  /**
   * The calls at whose entry the data left that an event's return gave to the program. Who is told
   * of them must not ask for others meanwhile.
   */
  public void sources(int event, IntConsumer source) {
    int message = message(event);
    if (message >= 0) {
      source.accept(pairing.send(message));
      return;
    }
    int call = collective(event);
    if (call >= 0) {
      CollectiveInProgress.sources(events, collectives, call, sources);
      for (int i = 0; i < sources.size(); i++) {
        source.accept(sources.get(i));
      }
    }
  }
}
