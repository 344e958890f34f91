package org.reprise.viewer.answer;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.picture.Axis;
import org.reprise.viewer.picture.LaneIndex;
import org.reprise.viewer.picture.LaneTiles;
import org.reprise.viewer.picture.MessageTiles;
import org.reprise.viewer.picture.RankOrder;
import org.reprise.viewer.picture.RunPicture;
import org.reprise.viewer.picture.State;
import org.reprise.viewer.picture.TimeShares;
import org.reprise.viewer.picture.Window;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The answers to what a page asks about a run. Each is named by its address, path and query, and
 * never changes: a run that is looked at is over.
 */
public final class Answers {
  /** Events that a table gets at once. */
  private static final int ROWS_MAX = 500;

  private final RunPicture picture;
  private final ViewedRun run;
  private final EventGraph graph;
  private final EventTable events;
  private final LaneTiles lanes;
  private final MessageTiles messages;
  private final EventDetails details;
  private final RaceGroups races;
  private final Search search;
  private final TimeShares times;
  private final Totals totals;
  private final HandCut handCut;
  private final RankGroups groups;

  /** From the run that this one is compared with. */
  private final List<Comparison.Difference> differences;

  public Answers(ViewedRun run) {
    this(run, List.of());
  }

  Answers(ViewedRun run, List<Comparison.Difference> differences) {
    this.run = run;
    this.differences = List.copyOf(differences);
    picture = new RunPicture(run);
    graph = run.graph();
    events = graph.events();
    lanes = new LaneTiles(picture);
    messages = new MessageTiles(picture);
    details = new EventDetails(picture);
    races = new RaceGroups(picture, details);
    times = new TimeShares(picture);
    totals = new Totals(picture, details);
    search = new Search(picture, details, totals);
    handCut = new HandCut(picture, details);
    groups = new RankGroups(picture, details);
  }

  /** Works out what every page asks for first, so that none has to wait for it. */
  public void prepare() {
    for (Axis.Kind kind : Axis.Kind.values()) {
      picture.lanes(kind);
      picture.spans(kind);
    }
  }

  /**
   * An answer.
   *
   * @param type of its content
   */
  public record Answer(String type, byte[] content) {}

  /**
   * The answer to a question; empty if there is no such question.
   *
   * @throws IllegalArgumentException if it is asked in a wrong way
   */
  public Optional<Answer> to(String path, Map<String, String> query) {
    Query asked = new Query(query);
    return switch (path) {
      case "run" -> json(this::run);
      case "lanes" -> binary(lanes.answer(window(asked), order(asked), asked.flag("preview")));
      case "messages" ->
          binary(messages.answer(window(asked), order(asked), asked.numbers("open")));
      case "event" -> {
        int event = event(asked, "event");
        yield json(json -> details.write(json, event));
      }
      case "events" -> json(json -> rows(json, asked));
      case "cone" -> {
        int event = event(asked, "event");
        yield json(json -> cone(json, event));
      }
      case "cut" -> json(json -> handCut.write(json, asked));
      case "groups" -> json(json -> groups.write(json, asked.text("by")));
      case "races" -> json(json -> races.write(json));
      case "race" -> json(json -> races.next(json, asked));
      case "search" -> json(json -> search.write(json, asked.text("query"), asked.number("after")));
      case "statistics" -> json(totals::write);
      case "times" ->
          json(json -> times.write(json, asked.axis(), asked.number("from"), asked.number("to")));
      default -> Optional.empty();
    };
  }

  void summary(JsonGenerator json, int event) {
    details.summary(json, event);
  }

  private int event(Query asked, String name) {
    return details
        .event(asked.text(name))
        .orElseThrow(() -> new IllegalArgumentException("no such event"));
  }

  private RankOrder order(Query asked) {
    return groups.order(asked.has("by") ? asked.text("by") : "rank");
  }

  private Window window(Query asked) {
    return new Window(
        asked.axis(),
        asked.integer("shift"),
        asked.number("index"),
        asked.integer("first"),
        Math.min(events.ranks(), asked.integer("ranks")),
        asked.integer("per"));
  }

  private static Optional<Answer> binary(byte[] content) {
    return Optional.of(new Answer("application/octet-stream", content));
  }

  public static Optional<Answer> json(Consumer<JsonGenerator> content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      content.accept(json);
    }
    return Optional.of(
        new Answer(
            "application/json; charset=utf-8", text.toString().getBytes(StandardCharsets.UTF_8)));
  }

  private void run(JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", run.name());
    json.writeStringProperty("command", String.join(" ", run.command()));
    json.writeStringProperty("ending", run.ending());
    json.writeStringProperty("replay", "reprise replay " + EventDetails.shellWord(run.name()));
    json.writeBooleanProperty("debuggable", run.debuggable());
    json.writeNumberProperty("ranks", events.ranks());
    json.writeNumberProperty("events", events.size());
    json.writeNumberProperty("messages", graph.pairing().messages());
    json.writeNumberProperty("races", run.races().size());
    json.writeNumberProperty("forced", run.controlSet().size());
    json.writeNumberProperty("hosts", run.clocks().hosts());
    json.writeNumberProperty("clocksFitted", run.clocks().fitted());
    json.writeObjectPropertyStart("axes");
    for (Axis.Kind kind : Axis.Kind.values()) {
      Axis axis = picture.axis(kind);
      json.writeObjectPropertyStart(kind.word());
      json.writeNumberProperty("length", axis.length());
      json.writeNumberProperty("shift", axis.shift());
      json.writeEndObject();
    }
    json.writeEndObject();
    json.writeArrayPropertyStart("calls");
    run.callNames().forEach(name -> json.writeString("MPI_" + name));
    json.writeEndArray();
    json.writeArrayPropertyStart("states");
    Arrays.stream(State.values()).forEach(state -> json.writeString(state.word()));
    json.writeEndArray();
    json.writeArrayPropertyStart("cutShort");
    run.cutShort().stream()
        .sorted()
        .filter(rank -> events.size(rank) > 0)
        .forEach(rank -> lastEvent(json, rank));
    json.writeEndArray();
    json.writeArrayPropertyStart("sizes");
    for (int rank = 0; rank < events.ranks(); rank++) {
      json.writeNumber(events.size(rank));
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("notes");
    run.notes().forEach(json::writeString);
    json.writeEndArray();
    json.writeArrayPropertyStart("differences");
    for (Comparison.Difference difference : differences) {
      if (difference.event() >= 0) {
        json.writeStartObject();
        json.writeBooleanProperty("original", difference.original());
        json.writeName("event");
        details.summary(json, difference.event());
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Where a rank ends on each axis. */
  private void lastEvent(JsonGenerator json, int rank) {
    int last = events.event(rank, events.size(rank) - 1);
    json.writeStartObject();
    json.writeNumberProperty("rank", rank);
    for (Axis.Kind kind : Axis.Kind.values()) {
      json.writeNumberProperty(kind.word(), picture.axis(kind).end(rank, last));
    }
    json.writeEndObject();
  }

  /** The events of a stretch of an axis, rank by rank: the picture as a table. */
  private void rows(JsonGenerator json, Query asked) {
    LaneIndex index = picture.lanes(asked.axis());
    long from = asked.number("from");
    long to = asked.number("to");
    int first = asked.integer("first");
    int end = Math.min(events.ranks(), first + asked.integer("ranks"));
    long all = 0;
    int written = 0;
    json.writeStartObject();
    json.writeArrayPropertyStart("rows");
    for (int rank = first; rank < end; rank++) {
      int last = index.begun(rank, to);
      int number = index.firstOpen(rank, from);
      all += last - number;
      for (; number < last && written < ROWS_MAX; number++, written++) {
        details.summary(json, events.event(rank, number));
      }
    }
    json.writeEndArray();
    json.writeNumberProperty("all", all);
    json.writeEndObject();
  }

  /** What precedes an event and what it precedes, by the number of calls of each rank. */
  private void cone(JsonGenerator json, int event) {
    int[] past = graph.past(event);
    int[] future = graph.future(event);
    json.writeStartObject();
    json.writeStringProperty("event", details.name(event));
    json.writeStringProperty("cut", graph.breakpoint(event).text());
    positions(json, "pastCalls", past);
    positions(json, "futureCalls", future);
    for (Axis.Kind kind : Axis.Kind.values()) {
      Axis axis = picture.axis(kind);
      json.writeObjectPropertyStart(kind.word());
      json.writeArrayPropertyStart("past");
      for (int rank = 0; rank < past.length; rank++) {
        json.writeNumber(past[rank] == 0 ? -1 : pastEdge(axis, rank, past[rank], event));
      }
      json.writeEndArray();
      json.writeArrayPropertyStart("future");
      for (int rank = 0; rank < future.length; rank++) {
        boolean any = future[rank] < events.size(rank);
        json.writeNumber(any ? axis.start(rank, events.event(rank, future[rank])) : axis.length());
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private long pastEdge(Axis axis, int rank, int calls, int event) {
    int last = events.event(rank, calls - 1);
    return last == event || graph.isOverBefore(last, event)
        ? axis.end(rank, last)
        : axis.start(rank, last);
  }

  private static void positions(JsonGenerator json, String name, int[] values) {
    json.writeArrayPropertyStart(name);
    for (int value : values) {
      json.writeNumber(value);
    }
    json.writeEndArray();
  }
}
