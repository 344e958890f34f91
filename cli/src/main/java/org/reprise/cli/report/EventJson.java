package org.reprise.cli.report;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.reprise.analysis.RunEvents;
import org.reprise.launch.source.CallStack;
import org.reprise.trace.Rank;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.text.Words;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Events for scripts: one JSON object a line, so that millions of them can be read one by one. */
public final class EventJson implements EventPrinter {
  private final PrintWriter out;
  private final RunEvents known;
  private Rank rank = new Rank(0);

  public EventJson(PrintWriter out, RunEvents known) {
    this.out = out;
    this.known = known;
  }

  @Override
  public void begin(Rank of) {
    rank = of;
  }

  @Override
  public void print(EventCursor event) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), line)) {
      json.writeStartObject();
      json.writeNumberProperty("rank", rank.number());
      json.writeNumberProperty("number", event.number());
      json.writeStringProperty("kind", Words.word(event.kind()));
      json.writeStringProperty("call", known.callName(event.call()));
      json.writeNumberProperty("startNanos", event.startNanos());
      json.writeNumberProperty("durationNanos", event.durationNanos());
      if (event.peer() != EventCursor.ANY) {
        json.writeNumberProperty("peer", event.peer());
      }
      if (event.tag() != EventCursor.ANY) {
        json.writeNumberProperty("tag", event.tag());
      }
      if (event.post() != EventCursor.NO_EVENT) {
        json.writeNumberProperty("post", event.post());
      }
      if (event.comm() >= 0) {
        json.writeNumberProperty("comm", event.comm());
        json.writeStringProperty("commId", Long.toHexString(event.communicator(event.comm()).id()));
      }
      if (event.kind().isCollective()) {
        json.writeStringProperty("flow", Words.word(event.flow()));
      }
      json.writeNumberProperty("bytes", event.bytes());
      json.writeArrayPropertyStart("flags");
      for (EventFlag flag : EventFlag.values()) {
        if (event.is(flag)) {
          json.writeString(Words.word(flag));
        }
      }
      json.writeEndArray();
      json.writeNumberProperty("thread", event.thread());
      json.writeArrayPropertyStart("stack");
      CallStack stack = known.stack(rank, event.site(), event.call());
      stack.places().forEach(place -> place.write(json));
      json.writeEndArray();
      if (!stack.through().isEmpty()) {
        json.writeArrayPropertyStart("through");
        stack.through().forEach(place -> place.write(json));
        json.writeEndArray();
      }
      json.writeEndObject();
    }
    out.println(line);
  }

  @Override
  public void end() {
    out.flush();
  }
}
