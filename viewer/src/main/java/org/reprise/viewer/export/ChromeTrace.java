package org.reprise.viewer.export;

import java.io.OutputStream;
import java.util.List;
import org.reprise.causality.EventTable;
import org.reprise.trace.Location;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.picture.RunPicture;
import org.reprise.viewer.picture.State;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A run in Chrome's trace event format (JSON), which chrome://tracing, Perfetto and many others
 * read: a complete event ("X") a call, flow events ("s" and "f") a message.
 */
final class ChromeTrace {
  private static final double NANOS_A_MICRO = 1e3;
  private static final int PID = 1;

  private final ViewedRun run;
  private final EventTable events;
  private final Arrivals arrivals;
  private final JsonGenerator json;

  private ChromeTrace(ViewedRun run, JsonGenerator json) {
    this.run = run;
    this.json = json;
    events = run.graph().events();
    arrivals = new Arrivals(run);
  }

  static void write(RunPicture picture, OutputStream out) {
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), out)) {
      ChromeTrace trace = new ChromeTrace(picture.run(), json);
      json.writeStartObject();
      json.writeStringProperty("displayTimeUnit", "ns");
      json.writeArrayPropertyStart("traceEvents");
      trace.names();
      TimedCall.each(picture, trace::call);
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private void names() {
    name("process_name", 0, run.name());
    for (int rank = 0; rank < events.ranks(); rank++) {
      name("thread_name", rank, "rank " + rank);
    }
  }

  private void name(String what, int rank, String name) {
    json.writeStartObject();
    json.writeStringProperty("ph", "M");
    json.writeNumberProperty("pid", PID);
    json.writeNumberProperty("tid", rank);
    json.writeStringProperty("name", what);
    json.writeObjectPropertyStart("args");
    json.writeStringProperty("name", name);
    json.writeEndObject();
    json.writeEndObject();
  }

  private void call(TimedCall call) {
    int event = call.event();
    start("X", call.rank(), call.start(), run.call(event), State.of(events, event).word());
    json.writeNumberProperty("dur", (call.end() - call.start()) / NANOS_A_MICRO);
    json.writeObjectPropertyStart("args");
    json.writeStringProperty("event", call.rank() + ":" + events.number(event));
    if (events.peer(event) >= 0) {
      json.writeNumberProperty("peer", events.peer(event));
    }
    if (events.tag(event) >= 0) {
      json.writeNumberProperty("tag", events.tag(event));
    }
    json.writeNumberProperty("bytes", events.bytes(event));
    List<Location> stack = run.places().stack(call.rank(), events.site(event), events.call(event));
    if (!stack.isEmpty()) {
      json.writeStringProperty("source", stack.getFirst().text());
    }
    if (run.races().contains(event)) {
      json.writeStringProperty("racing", "could have got another message");
    }
    json.writeEndObject();
    json.writeEndObject();
    int sent = TimedCall.sent(run, event);
    if (sent >= 0) {
      start("s", call.rank(), call.start(), "message", "message");
      json.writeNumberProperty("id", sent);
      json.writeEndObject();
    }
    for (int message : arrivals.at(event)) {
      start("f", call.rank(), call.end(), "message", "message");
      json.writeStringProperty("bp", "e");
      json.writeNumberProperty("id", message);
      json.writeEndObject();
    }
  }

  private void start(String phase, int rank, long nanos, String name, String category) {
    json.writeStartObject();
    json.writeStringProperty("ph", phase);
    json.writeNumberProperty("pid", PID);
    json.writeNumberProperty("tid", rank);
    json.writeNumberProperty("ts", nanos / NANOS_A_MICRO);
    json.writeStringProperty("name", name);
    json.writeStringProperty("cat", category);
  }
}
