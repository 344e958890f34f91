package org.reprise.viewer.answer;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;
import org.reprise.causality.races.OtherMessages;
import org.reprise.trace.Location;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.RankGroup;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.picture.Axis;
import org.reprise.viewer.picture.CallColumns;
import org.reprise.viewer.picture.RunPicture;
import org.reprise.viewer.picture.State;
import tools.jackson.core.JsonGenerator;

/** Everything that is known of one event, for the page. */
public final class EventDetails {
  private static final int MEMBERS_SHOWN = 64;

  private final RunPicture picture;
  private final ViewedRun run;
  private final EventGraph graph;
  private final EventTable events;
  private final Pairing pairing;

  public EventDetails(RunPicture picture) {
    this.picture = picture;
    run = picture.run();
    graph = run.graph();
    events = graph.events();
    pairing = graph.pairing();
  }

  /** How an event is named: {@code 2:17}. */
  public String name(int event) {
    return events.rank(event) + ":" + events.number(event);
  }

  /** The event of this name; empty if there is none. */
  public Optional<Integer> event(String name) {
    String[] parts = name.split(":", 2);
    try {
      int rank = Integer.parseInt(parts[0]);
      int number = parts.length < 2 ? -1 : Integer.parseInt(parts[1]);
      return rank >= 0 && rank < events.ranks() && number >= 0 && number < events.size(rank)
          ? Optional.of(events.event(rank, number))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  public List<Location> stack(int event) {
    return run.places().stack(events.rank(event), events.site(event), events.call(event));
  }

  /** What a line of a table says of an event. */
  public void summary(JsonGenerator json, int event) {
    json.writeStartObject();
    fields(json, event);
    json.writeEndObject();
  }

  private void fields(JsonGenerator json, int event) {
    json.writeNumberProperty("event", event);
    json.writeNumberProperty("rank", events.rank(event));
    json.writeNumberProperty("number", events.number(event));
    json.writeStringProperty("name", name(event));
    json.writeStringProperty("call", run.call(event));
    json.writeStringProperty("kind", word(events.kind(event)));
    json.writeStringProperty("state", State.of(events, event).word());
    if (events.peer(event) >= 0) {
      json.writeNumberProperty("peer", events.peer(event));
    }
    if (events.tag(event) >= 0) {
      json.writeNumberProperty("tag", events.tag(event));
    }
    json.writeNumberProperty("bytes", events.bytes(event));
    json.writeNumberProperty("start", picture.axis(Axis.Kind.TIME).start(event));
    json.writeNumberProperty("end", picture.axis(Axis.Kind.TIME).end(event));
    json.writeNumberProperty("orderStart", picture.axis(Axis.Kind.ORDER).start(event));
    json.writeNumberProperty("orderEnd", picture.axis(Axis.Kind.ORDER).end(event));
    json.writeNumberProperty("marks", CallColumns.marks(run, event));
    List<Location> stack = stack(event);
    if (!stack.isEmpty()) {
      json.writeStringProperty("place", stack.getFirst().text());
    }
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** All of an event. */
  public void write(JsonGenerator json, int event) {
    json.writeStartObject();
    fields(json, event);
    json.writeArrayPropertyStart("flags");
    for (EventFlag flag : EventFlag.values()) {
      if (events.is(event, flag)) {
        json.writeString(word(flag));
      }
    }
    json.writeEndArray();
    communicator(json, event);
    source(json, event);
    if (events.link(event) >= 0) {
      related(json, "link", events.link(event));
    }
    int receive = receiveOf(event);
    message(json, event, receive);
    if (receive >= 0) {
      race(json, receive);
    }
    int[] members = graph.collective(event);
    if (members.length > 0) {
      json.writeNumberProperty("members", members.length);
      json.writeArrayPropertyStart("collective");
      for (int i = 0; i < Math.min(members.length, MEMBERS_SHOWN); i++) {
        json.writeString(name(members[i]));
      }
      json.writeEndArray();
    }
    json.writeStringProperty("cut", cut(event));
    json.writeEndObject();
  }

  /** The receive or probe that an event is, or is the end of; none if it is neither. */
  private int receiveOf(int event) {
    int began = event;
    if (events.link(event) >= 0 && !events.kind(event).isPost()) {
      began = events.link(event);
    }
    return switch (events.kind(began)) {
      case RECV, POST_RECV, MPROBE, PROBE -> began;
      default -> EventTable.NONE;
    };
  }

  private void communicator(JsonGenerator json, int event) {
    if (events.comm(event) < 0) {
      return;
    }
    Communicator comm = events.communicators().get(events.comm(event));
    json.writeObjectPropertyStart("communicator");
    json.writeStringProperty("id", Long.toHexString(comm.id()));
    json.writeNumberProperty("size", comm.group().size());
    json.writeBooleanProperty("world", !comm.inter() && comm.group().size() == events.ranks());
    group(json, "members", comm.group());
    if (comm.inter()) {
      group(json, "remote", comm.remote());
    }
    json.writeEndObject();
  }

  private static void group(JsonGenerator json, String name, RankGroup group) {
    json.writeArrayPropertyStart(name);
    for (int i = 0; i < Math.min(MEMBERS_SHOWN, group.size()); i++) {
      json.writeNumber(group.world(i));
    }
    json.writeEndArray();
  }

  private void source(JsonGenerator json, int event) {
    List<Location> stack = stack(event);
    json.writeArrayPropertyStart("stack");
    stack.forEach(place -> json.writeString(place.text()));
    json.writeEndArray();
    if (stack.isEmpty()) {
      return;
    }
    SourceExcerpt.of(stack.getFirst(), run.roots())
        .ifPresent(
            excerpt -> {
              json.writeObjectPropertyStart("source");
              json.writeStringProperty("file", excerpt.file().toString());
              json.writeNumberProperty("first", excerpt.first());
              json.writeNumberProperty("line", excerpt.line());
              json.writeArrayPropertyStart("lines");
              excerpt.lines().forEach(json::writeString);
              json.writeEndArray();
              json.writeEndObject();
            });
  }

  private void message(JsonGenerator json, int event, int receive) {
    int message = pairing.message(receive >= 0 ? receive : sendOf(event));
    if (message < 0) {
      return;
    }
    json.writeObjectPropertyStart("message");
    related(json, "send", pairing.send(message));
    int taker = pairing.receive(message);
    if (taker >= 0) {
      related(json, "receive", taker);
      int completion = graph.completion(taker);
      if (completion >= 0) {
        related(json, "arrival", completion);
      }
    }
    json.writeEndObject();
  }

  private int sendOf(int event) {
    int link = events.link(event);
    return link >= 0 && events.kind(link).isSend() ? link : event;
  }

  private void related(JsonGenerator json, String as, int event) {
    json.writeName(as);
    summary(json, event);
  }

  private void race(JsonGenerator json, int receive) {
    if (!run.races().contains(receive)) {
      return;
    }
    OtherMessages.Choice choice =
        picture.alternatives().of(receive).orElse(new OtherMessages.Choice(0, List.of()));
    json.writeObjectPropertyStart("race");
    related(json, "racing", receive);
    json.writeNumberProperty("count", choice.count());
    json.writeBooleanProperty("forced", run.controlSet().contains(receive));
    json.writeArrayPropertyStart("alternatives");
    for (int send : choice.sends()) {
      json.writeStartObject();
      related(json, "send", send);
      int taker = pairing.receive(pairing.message(send));
      if (taker >= 0) {
        related(json, "went", taker);
        int completion = graph.completion(taker);
        if (completion >= 0) {
          related(json, "arrival", completion);
        }
      }
      json.writeStringProperty(
          "command",
          "reprise alter %s %s %s --take %d"
              .formatted(
                  shellWord(run.name()),
                  events.kind(receive) == EventKind.PROBE ? "--probe" : "--receive",
                  name(receive),
                  events.rank(send)));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** The causal distributed breakpoint of an event, as {@code reprise graph --cut} takes it. */
  private String cut(int event) {
    if (!graph.contains(event)) {
      return "";
    }
    return graph.breakpoint(event).text();
  }

  /** A word that a shell takes as it is. */
  public static String shellWord(String word) {
    return word.matches("[A-Za-z0-9_./:@%+=,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
