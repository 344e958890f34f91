package org.reprise.cli.report;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import org.reprise.analysis.CriticalTimes;
import org.reprise.analysis.GraphSummary;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.CausalPath;
import org.reprise.causality.CriticalPath;
import org.reprise.causality.Cut;
import org.reprise.causality.Cuts;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.cli.terminal.Json;
import org.reprise.trace.text.Words;
import tools.jackson.core.JsonGenerator;

/** What a graph answers, for scripts. */
public final class GraphJson implements GraphPrinter {
  private final PrintWriter out;
  private final RunEvents known;
  private final EventGraph graph;
  private final EventTable events;
  private final List<String> limits;
  private final int limit;

  public GraphJson(
      PrintWriter out, RunEvents known, EventGraph graph, List<String> limits, int limit) {
    this.limits = limits;
    this.out = out;
    this.known = known;
    this.graph = graph;
    this.events = graph.events();
    this.limit = limit;
  }

  private void object(Consumer<JsonGenerator> content) {
    Json.print(
        out,
        json -> {
          json.writeStartObject();
          Json.strings(json, "limits", limits);
          content.accept(json);
          json.writeEndObject();
        });
  }

  @Override
  public void summary(GraphSummary summary) {
    object(
        json -> {
          json.writeNumberProperty("ranks", summary.ranks());
          json.writeNumberProperty("events", summary.events());
          json.writeNumberProperty("collectives", summary.collectives());
          json.writeNumberProperty("messages", summary.messages());
          json.writeNumberProperty("unreceived", summary.unreceived());
          json.writeArrayPropertyStart("eventsOfRanks");
          for (int rank = 0; rank < summary.ranks(); rank++) {
            json.writeNumber(events.size(rank));
          }
          json.writeEndArray();
        });
  }

  @Override
  public void past(int event, int[] begun) {
    object(
        json -> {
          event(json, "event", event);
          json.writeArrayPropertyStart("past");
          for (int rank = 0; rank < begun.length; rank++) {
            json.writeStartObject();
            json.writeNumberProperty("rank", rank);
            json.writeNumberProperty("calls", begun[rank]);
            if (begun[rank] > 0) {
              event(json, "last", events.event(rank, begun[rank] - 1));
            }
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  @Override
  public void future(int event, int[] first) {
    object(
        json -> {
          event(json, "event", event);
          json.writeArrayPropertyStart("future");
          for (int rank = 0; rank < first.length; rank++) {
            json.writeStartObject();
            json.writeNumberProperty("rank", rank);
            json.writeNumberProperty("calls", events.size(rank) - first[rank]);
            if (first[rank] < events.size(rank)) {
              event(json, "first", events.event(rank, first[rank]));
            }
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  @Override
  public void breakpoint(int event, Cut cut) {
    object(
        json -> {
          event(json, "event", event);
          json.writeStringProperty("cut", cut.text());
          json.writeArrayPropertyStart("breakpoint");
          for (int rank = 0; rank < events.ranks(); rank++) {
            int begun = cut.begun(rank);
            json.writeStartObject();
            json.writeNumberProperty("rank", rank);
            if (begun > 0) {
              event(
                  json,
                  begun == cut.returned(rank) ? "after" : "inside",
                  events.event(rank, begun - 1));
            }
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  @Override
  public void order(int a, int b) {
    boolean forth = graph.precedes(a, b);
    boolean back = graph.precedes(b, a);
    String order =
        a == b ? "same" : forth ? back ? "each-other" : "before" : back ? "after" : "concurrent";
    object(
        json -> {
          event(json, "first", a);
          event(json, "second", b);
          json.writeStringProperty("order", order);
          list(json, "path", CausalPath.of(graph, a, b));
          list(json, "pathBack", CausalPath.of(graph, b, a));
        });
  }

  private void list(JsonGenerator json, String name, List<Integer> path) {
    json.writeArrayPropertyStart(name);
    for (int event : path.subList(0, Math.min(limit, path.size()))) {
      json.writeStartObject();
      fields(json, event);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  @Override
  public void cut(Cut cut, boolean consistent) {
    object(
        json -> {
          json.writeStringProperty("cut", cut.text());
          json.writeBooleanProperty("consistent", consistent);
          if (consistent) {
            json.writeNumberProperty("underWay", Cuts.underWay(graph, cut));
            return;
          }
          json.writeStringProperty("within", Cuts.within(graph, cut).text());
          json.writeArrayPropertyStart("crossings");
          Cuts.crossings(graph, cut).stream()
              .limit(limit)
              .forEach(
                  one -> {
                    json.writeStartObject();
                    event(json, "returned", one.returned());
                    event(json, "awaited", one.awaited());
                    json.writeEndObject();
                  });
          json.writeEndArray();
        });
  }

  @Override
  public void criticalPath(CriticalTimes times) {
    object(
        json -> {
          json.writeNumberProperty("nanos", times.nanos());
          json.writeNumberProperty("calls", times.calls());
          json.writeNumberProperty("ranks", times.ranks());
          json.writeNumberProperty("hosts", times.hosts());
          json.writeArrayPropertyStart("shares");
          times.shares().stream()
              .limit(limit)
              .forEach(
                  share -> {
                    json.writeStartObject();
                    json.writeNumberProperty("nanos", share.nanos());
                    json.writeNumberProperty("times", share.calls());
                    if (share.inCalls()) {
                      event(json, "call", share.event());
                    } else {
                      json.writeNumberProperty("betweenCallsOf", events.rank(share.event()));
                    }
                    json.writeEndObject();
                  });
          json.writeEndArray();
          json.writeArrayPropertyStart("path");
          times.links().stream().limit(limit).forEach(link -> link(json, link));
          json.writeEndArray();
        });
  }

  private void link(JsonGenerator json, CriticalPath.Link link) {
    json.writeStartObject();
    fields(json, link.event());
    json.writeBooleanProperty("handedOver", link.handedOver());
    json.writeEndObject();
  }

  private void event(JsonGenerator json, String name, int event) {
    json.writeObjectPropertyStart(name);
    fields(json, event);
    json.writeEndObject();
  }

  private void fields(JsonGenerator json, int event) {
    json.writeNumberProperty("rank", events.rank(event));
    json.writeNumberProperty("number", events.number(event));
    json.writeStringProperty("kind", Words.word(events.kind(event)));
    json.writeStringProperty("call", known.call(events, event));
    if (events.peer(event) >= 0) {
      json.writeNumberProperty("peer", events.peer(event));
    }
    if (events.tag(event) >= 0) {
      json.writeNumberProperty("tag", events.tag(event));
    }
    json.writeArrayPropertyStart("stack");
    known.stack(events, event).places().forEach(place -> place.write(json));
    json.writeEndArray();
  }
}
