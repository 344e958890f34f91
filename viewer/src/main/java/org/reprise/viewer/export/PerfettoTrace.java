package org.reprise.viewer.export;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.reprise.causality.EventTable;
import org.reprise.trace.Location;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.picture.RunPicture;
import org.reprise.viewer.picture.State;

/**
 * A run as a trace of Perfetto (ui.perfetto.dev): a thread a rank, a slice a call, and a flow a
 * message. Field numbers are those of Perfetto's published protos (trace_packet.proto,
 * track_event.proto, track_descriptor.proto, debug_annotation.proto).
 */
final class PerfettoTrace {
  private static final int TRACE_PACKET = 1;

  private static final int PACKET_TIMESTAMP = 8;
  private static final int PACKET_SEQUENCE = 10;
  private static final int PACKET_TRACK_EVENT = 11;
  private static final int PACKET_TRACK_DESCRIPTOR = 60;

  private static final int DESCRIPTOR_UUID = 1;
  private static final int DESCRIPTOR_PROCESS = 3;
  private static final int DESCRIPTOR_THREAD = 4;
  private static final int DESCRIPTOR_PARENT = 5;
  private static final int PROCESS_PID = 1;
  private static final int PROCESS_NAME = 6;
  private static final int THREAD_PID = 1;
  private static final int THREAD_TID = 2;
  private static final int THREAD_NAME = 5;

  private static final int EVENT_ANNOTATION = 4;
  private static final int EVENT_TYPE = 9;
  private static final int EVENT_TRACK = 11;
  private static final int EVENT_CATEGORY = 22;
  private static final int EVENT_NAME = 23;
  private static final int EVENT_FLOW = 47;
  private static final int EVENT_FLOW_END = 48;
  private static final int SLICE_BEGIN = 1;
  private static final int SLICE_END = 2;
  private static final int INSTANT = 3;

  private static final int ANNOTATION_NUMBER = 4;
  private static final int ANNOTATION_TEXT = 6;
  private static final int ANNOTATION_NAME = 10;

  private static final int PID = 1;
  private static final int SEQUENCE = 1;
  private static final int PROCESS_UUID = 1;

  /** Ranks have the numbers behind that of the process. */
  private static final int RANK_UUIDS = 2;

  private final ViewedRun run;
  private final EventTable events;
  private final Arrivals arrivals;
  private final OutputStream out;

  private PerfettoTrace(RunPicture picture, OutputStream out) {
    this.out = out;
    run = picture.run();
    events = run.graph().events();
    arrivals = new Arrivals(run);
  }

  static void write(RunPicture picture, OutputStream out) {
    PerfettoTrace trace = new PerfettoTrace(picture, out);
    trace.tracks();
    TimedCall.each(picture, trace::call);
  }

  private void tracks() {
    packet(
        new ProtoMessage()
            .message(
                PACKET_TRACK_DESCRIPTOR,
                new ProtoMessage()
                    .number(DESCRIPTOR_UUID, PROCESS_UUID)
                    .message(
                        DESCRIPTOR_PROCESS,
                        new ProtoMessage()
                            .number(PROCESS_PID, PID)
                            .text(PROCESS_NAME, run.name()))));
    for (int rank = 0; rank < events.ranks(); rank++) {
      packet(
          new ProtoMessage()
              .message(
                  PACKET_TRACK_DESCRIPTOR,
                  new ProtoMessage()
                      .number(DESCRIPTOR_UUID, RANK_UUIDS + rank)
                      .number(DESCRIPTOR_PARENT, PROCESS_UUID)
                      .message(
                          DESCRIPTOR_THREAD,
                          new ProtoMessage()
                              .number(THREAD_PID, PID)
                              .number(THREAD_TID, RANK_UUIDS + rank)
                              .text(THREAD_NAME, "rank " + rank))));
    }
  }

  private void call(TimedCall call) {
    int event = call.event();
    ProtoMessage begin =
        event(call, SLICE_BEGIN)
            .text(EVENT_CATEGORY, State.of(events, event).word())
            .text(EVENT_NAME, run.call(event))
            .message(EVENT_ANNOTATION, annotation("event", name(event)));
    if (events.peer(event) >= 0) {
      begin.message(EVENT_ANNOTATION, annotation("peer", events.peer(event)));
    }
    if (events.tag(event) >= 0) {
      begin.message(EVENT_ANNOTATION, annotation("tag", events.tag(event)));
    }
    begin.message(EVENT_ANNOTATION, annotation("bytes", events.bytes(event)));
    List<Location> stack = run.places().stack(call.rank(), events.site(event), events.call(event));
    if (!stack.isEmpty()) {
      begin.message(EVENT_ANNOTATION, annotation("source", stack.getFirst().text()));
    }
    if (run.races().contains(event)) {
      begin.message(EVENT_ANNOTATION, annotation("racing", "could have got another message"));
    }
    int sent = TimedCall.sent(run, event);
    if (sent >= 0) {
      begin.fixed(EVENT_FLOW, flow(sent));
    }
    at(call.start(), begin);
    // Perfetto draws a flow to where its last slice begins: a receive begins before its message
    // comes, so the arrival is a mark of its own.
    for (int message : arrivals.at(event)) {
      at(
          call.end(),
          event(call, INSTANT)
              .text(EVENT_CATEGORY, "message")
              .text(EVENT_NAME, "from rank " + events.rank(run.graph().pairing().send(message)))
              .fixed(EVENT_FLOW_END, flow(message)));
    }
    at(call.end(), event(call, SLICE_END));
  }

  private String name(int event) {
    return events.rank(event) + ":" + events.number(event);
  }

  /** 0 is no flow. */
  private static long flow(int message) {
    return message + 1L;
  }

  private static ProtoMessage event(TimedCall call, int type) {
    return new ProtoMessage()
        .number(EVENT_TYPE, type)
        .number(EVENT_TRACK, RANK_UUIDS + call.rank());
  }

  private static ProtoMessage annotation(String name, long value) {
    return new ProtoMessage().text(ANNOTATION_NAME, name).number(ANNOTATION_NUMBER, value);
  }

  private static ProtoMessage annotation(String name, String value) {
    return new ProtoMessage().text(ANNOTATION_NAME, name).text(ANNOTATION_TEXT, value);
  }

  private void at(long nanos, ProtoMessage event) {
    packet(new ProtoMessage().number(PACKET_TIMESTAMP, nanos).message(PACKET_TRACK_EVENT, event));
  }

  private void packet(ProtoMessage packet) {
    packet.number(PACKET_SEQUENCE, SEQUENCE);
    try {
      out.write(new ProtoMessage().message(TRACE_PACKET, packet).encoded());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
