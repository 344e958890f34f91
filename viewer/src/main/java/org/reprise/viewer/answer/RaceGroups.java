package org.reprise.viewer.answer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.reprise.causality.EventTable;
import org.reprise.trace.Location;
import org.reprise.viewer.picture.Axis;
import org.reprise.viewer.picture.RaceMarks;
import org.reprise.viewer.picture.RunPicture;
import tools.jackson.core.JsonGenerator;

/** The racing receives of a run by the place in the source that they are at. */
public final class RaceGroups {
  private static final int EVENTS_SHOWN = 200;

  private final RunPicture picture;
  private final EventDetails details;
  private final EventTable events;

  public RaceGroups(RunPicture picture, EventDetails details) {
    this.picture = picture;
    this.details = details;
    events = picture.run().graph().events();
  }

  private static final class Group {
    private final String place;
    private final String call;
    private final List<Integer> receives = new ArrayList<>();
    private long count;
    private long forced;

    Group(String place, String call) {
      this.place = place;
      this.call = call;
    }
  }

  /** What makes receives of one rank those of one group, before their place is looked up. */
  private record Site(int rank, int site, int call) {}

  public void write(JsonGenerator json) {
    Map<Site, Group> bySite = new LinkedHashMap<>();
    Map<String, Group> groups = new LinkedHashMap<>();
    picture
        .run()
        .races()
        .receives()
        .forEach(
            receive -> {
              Site site =
                  new Site(events.rank(receive), events.site(receive), events.call(receive));
              Group group =
                  bySite.computeIfAbsent(
                      site,
                      _ -> {
                        String place =
                            details.stack(receive).stream()
                                .findFirst()
                                .map(Location::text)
                                .orElse("an unknown place");
                        String call = picture.run().call(receive);
                        return groups.computeIfAbsent(
                            call + " " + place, _ -> new Group(place, call));
                      });
              group.count++;
              group.forced += picture.run().controlSet().contains(receive) ? 1 : 0;
              if (group.receives.size() < EVENTS_SHOWN) {
                group.receives.add(receive);
              }
            });
    json.writeStartArray();
    groups.values().stream()
        .sorted(Comparator.comparingLong((Group group) -> group.count).reversed())
        .forEach(group -> write(json, group));
    json.writeEndArray();
  }

  private void write(JsonGenerator json, Group group) {
    json.writeStartObject();
    json.writeStringProperty("place", group.place);
    json.writeStringProperty("call", group.call);
    json.writeNumberProperty("count", group.count);
    json.writeNumberProperty("forced", group.forced);
    json.writeArrayPropertyStart("events");
    group.receives.forEach(receive -> json.writeString(details.name(receive)));
    json.writeEndArray();
    json.writeEndObject();
  }

  /**
   * The next race behind a moment of an axis, of all ranks; before it if {@code back} is asked for.
   * Races at the same moment come by rank.
   */
  public void next(JsonGenerator json, Query asked) {
    RaceMarks marks = picture.marks();
    Axis axis = picture.axis(asked.axis());
    boolean back = asked.flag("back");
    long moment = asked.number("moment");
    int after = details.event(asked.text("event")).orElse(-1);
    int best = -1;
    for (int place = 0; place < marks.size(); place++) {
      long at = axis.end(marks.call(place));
      int receive = marks.receive(place);
      boolean behind = at > moment || at == moment && receive > after;
      boolean before = at < moment || at == moment && receive < after;
      if (back ? before : behind) {
        boolean closer =
            best < 0 || isBefore(axis, marks, back ? best : place, back ? place : best);
        best = closer ? place : best;
      }
    }
    json.writeStartObject();
    if (best >= 0) {
      json.writeStringProperty("name", details.name(marks.receive(best)));
    }
    json.writeEndObject();
  }

  private static boolean isBefore(Axis axis, RaceMarks marks, int a, int b) {
    long atA = axis.end(marks.call(a));
    long atB = axis.end(marks.call(b));
    return atA < atB || atA == atB && marks.receive(a) < marks.receive(b);
  }
}
