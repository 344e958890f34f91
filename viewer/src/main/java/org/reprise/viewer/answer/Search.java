package org.reprise.viewer.answer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;
import org.reprise.trace.Location;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.picture.RunPicture;
import org.reprise.viewer.picture.State;
import tools.jackson.core.JsonGenerator;

/**
 * Finds events by what a user types: words that must all hold. {@code rank:2}, {@code peer:3},
 * {@code tag:5}, {@code size>1k}, {@code longer>1ms}, {@code in:waiting}, {@code racing}, {@code
 * forced}, {@code unreceived}, {@code wildcard}, {@code sent}, {@code polls}, {@code hits}, {@code
 * late-sender}, {@code late-receiver}, {@code critical}; any other word is a part of the call's
 * name or of its place in the source.
 */
public final class Search {
  private static final int HITS_MAX = 200;

  private static final Pattern FIELD = Pattern.compile("(rank|peer|tag|size|longer)([:=<>])(.+)");
  private static final Pattern NUMBER =
      Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|ms|s|k|m|g|kb|mb|gb|b)?");

  private final RunPicture picture;
  private final EventDetails details;
  private final Totals totals;
  private final EventGraph graph;
  private final EventTable events;

  public Search(RunPicture picture, EventDetails details, Totals totals) {
    this.picture = picture;
    this.details = details;
    this.totals = totals;
    graph = picture.run().graph();
    events = graph.events();
  }

  /** All hits are counted; those from one event on are listed. */
  public void write(JsonGenerator json, String text, long after) {
    List<IntPredicate> terms = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (String word : text.toLowerCase(Locale.ROOT).trim().split("\\s+")) {
      if (!word.isEmpty() && !add(word, terms)) {
        unknown.add(word);
      }
    }
    json.writeStartObject();
    json.writeArrayPropertyStart("unknown");
    unknown.forEach(json::writeString);
    json.writeEndArray();
    json.writeArrayPropertyStart("hits");
    long count = 0;
    int written = 0;
    for (int event = 0; event < events.size() && !terms.isEmpty() && unknown.isEmpty(); event++) {
      boolean hit = true;
      for (int i = 0; hit && i < terms.size(); i++) {
        hit = terms.get(i).test(event);
      }
      if (hit) {
        count++;
        if (event > after && written < HITS_MAX) {
          details.summary(json, event);
          written++;
        }
      }
    }
    json.writeEndArray();
    json.writeNumberProperty("count", count);
    json.writeEndObject();
  }

  private boolean add(String word, List<IntPredicate> terms) {
    if (word.startsWith("in:")) {
      Optional<State> state =
          Arrays.stream(State.values())
              .filter(one -> one.word().equals(word.substring("in:".length())))
              .findFirst();
      state.ifPresent(one -> terms.add(event -> State.of(events, event) == one));
      return state.isPresent();
    }
    Matcher field = FIELD.matcher(word);
    if (field.matches()) {
      return addField(field, terms);
    }
    ViewedRun run = picture.run();
    Pairing pairing = graph.pairing();
    switch (word) {
      case "sent" -> terms.add(event -> events.kind(event).isSend());
      case "polls" -> terms.add(event -> events.kind(event) == EventKind.POLLS);
      case "hits" -> terms.add(event -> events.is(event, EventFlag.POLL));
      case "late-sender" -> terms.add(totals.events(Totals.Counted.LATE_SENDER)::get);
      case "late-receiver" -> terms.add(totals.events(Totals.Counted.LATE_RECEIVER)::get);
      case "critical" -> terms.add(totals.events(Totals.Counted.CRITICAL)::get);
      case "racing" -> terms.add(run.races()::contains);
      case "forced" -> terms.add(run.controlSet()::contains);
      case "uncertain" -> terms.add(run.races()::isUncertain);
      case "wildcard" -> terms.add(event -> events.is(event, EventFlag.ANY_SOURCE));
      case "unreceived" ->
          terms.add(
              event ->
                  events.kind(event).isSend()
                      && pairing.message(event) >= 0
                      && pairing.receive(pairing.message(event)) < 0);
      default -> terms.add(named(word));
    }
    return true;
  }

  /** Whether the call or its place has a word in it; places are looked up once a call site. */
  private IntPredicate named(String word) {
    boolean[] calls = new boolean[picture.run().callNames().size()];
    for (int call = 0; call < calls.length; call++) {
      String name = "mpi_" + picture.run().callNames().get(call).toLowerCase(Locale.ROOT);
      calls[call] = name.contains(word);
    }
    Map<Long, Boolean> places = new HashMap<>();
    return event -> {
      int call = events.call(event);
      if (call < calls.length && calls[call]) {
        return true;
      }
      long site = (long) events.rank(event) << 32 | events.site(event);
      return places.computeIfAbsent(
          site,
          _ ->
              details.stack(event).stream()
                  .map(Location::text)
                  .anyMatch(place -> place.toLowerCase(Locale.ROOT).contains(word)));
    };
  }

  private boolean addField(Matcher field, List<IntPredicate> terms) {
    Matcher number = NUMBER.matcher(field.group(3));
    if (!number.matches()) {
      return false;
    }
    double scale =
        switch (String.valueOf(number.group(2))) {
          case "us", "k", "kb" -> 1e3;
          case "ms", "m", "mb" -> 1e6;
          case "s", "g", "gb" -> 1e9;
          default -> 1;
        };
    double value = Double.parseDouble(number.group(1)) * scale;
    char compare = field.group(2).charAt(0);
    String name = field.group(1);
    terms.add(
        event -> {
          double found =
              switch (name) {
                case "rank" -> events.rank(event);
                case "peer" -> events.peer(event);
                case "tag" -> events.tag(event);
                case "size" -> events.bytes(event);
                default -> events.endNanos(event) - events.startNanos(event);
              };
          return switch (compare) {
            case '<' -> found < value;
            case '>' -> found > value;
            default -> name.equals("longer") ? found >= value : found == value;
          };
        });
    return true;
  }
}
