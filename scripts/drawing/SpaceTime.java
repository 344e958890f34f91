import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The space-time diagram of two executions of examples/java/LostUpdate.java, from their events as `reprise events --format
 * json` lists them: a line for each rank, time to the right, an arrow for each message. Events are placed by what had to
 * happen before them, not by the clock.
 */
final class SpaceTime {
  private record Event(int rank, int number, String kind, int peer, int tag) {}

  private static final Pattern FIELD = Pattern.compile("\"(rank|number|kind|peer|tag)\":\"?([a-z0-9]+)");
  private static final int RANKS = 3;
  private static final int WIDTH = 860;
  private static final int LEFT = 92;
  private static final int LANE = 48;
    private static final Map<Integer, String> TAGS = Map.of(1, "GET", 2, "SET", 3, "ADD", 4, "");

  private final List<Event> events;
  private final Map<Event, Event> sendOf = new HashMap<>();
  private final Map<Event, Integer> columns = new HashMap<>();

  private SpaceTime(List<Event> events) {
    this.events = events;
    pair();
  }

  static Svg race(Path directory) throws IOException {
    SpaceTime first = new SpaceTime(read(directory.resolve("LostUpdate-outcome-1.jsonl")));
    SpaceTime second = new SpaceTime(read(directory.resolve("LostUpdate-outcome-2.jsonl")));
    int receive = first.firstDifference(second);
    first.place(receive);
    second.place(receive);
    Svg svg = new Svg(WIDTH, 470, "One program, two executions: a receive takes one message or the other");
    svg.text("text", 24, 32, 16, "start", "One program, two executions: which message does the receive take?");
    int top = 48;
    first.draw(svg, top, "balance = 15", receive, "32 of 35 executions");
    second.draw(svg, top + 198, "balance = 10", receive, "3 of 35 executions: ADD comes between GET and SET of rank 1, and SET overwrites it");
    int y = 462;
    svg.dot("red-fill", 30, y - 8, 6);
    svg.text("quiet", 42, y - 4, 12, "start", "racing receive: MPI_Recv from any source");
    svg.arrow("red", 318, y - 8, 356, y - 8, 0, false);
    svg.text("quiet", 364, y - 4, 12, "start", "the message it took");
    svg.arrow("red", 500, y - 8, 538, y - 8, 0, true);
    svg.text("quiet", 546, y - 4, 12, "start", "the message it could have taken instead");
    return svg;
  }

  private static List<Event> read(Path file) throws IOException {
    List<Event> events = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      Map<String, String> fields = new HashMap<>();
      Matcher field = FIELD.matcher(line);
      while (field.find()) {
        fields.putIfAbsent(field.group(1), field.group(2));
      }
      events.add(
          new Event(
              Integer.parseInt(fields.get("rank")),
              Integer.parseInt(fields.get("number")),
              fields.get("kind"),
              Integer.parseInt(fields.getOrDefault("peer", "-1")),
              Integer.parseInt(fields.getOrDefault("tag", "-1"))));
    }
    return events;
  }

  /** The k-th message of one rank to another with one tag is the k-th received. */
  private void pair() {
    Map<List<Integer>, Deque<Event>> lanes = new HashMap<>();
    for (Event event : events) {
      if (event.kind.equals("send")) {
        lanes.computeIfAbsent(List.of(event.rank, event.peer, event.tag), lane -> new ArrayDeque<>()).add(event);
      }
    }
    for (Event event : events) {
      if (event.kind.equals("recv")) {
        sendOf.put(event, lanes.get(List.of(event.peer, event.rank, event.tag)).remove());
      }
    }
  }

  /**
   * An event is one column behind those before it. The racing receive is also behind the message that it could have taken:
   * neither is before the other, and an arrow that goes back in time would look odd.
   */
  private void place(int racing) {
    Event late = at(0, racing);
    Event instead = alternative(late);
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Event event : events) {
        int column = 0;
        for (Event other : events) {
          if (other.rank == event.rank && other.number == event.number - 1 && other.peer >= 0) {
            column = Math.max(column, columns.getOrDefault(other, 0) + 1);
          }
        }
        if (sendOf.containsKey(event)) {
          column = Math.max(column, columns.getOrDefault(sendOf.get(event), 0) + 1);
        }
        if (event.equals(late)) {
          column = Math.max(column, columns.getOrDefault(instead, 0) + 1);
        }
        changed |= !Integer.valueOf(column).equals(columns.put(event, column));
      }
    }
  }

  /** The first receive of rank 0 that took a message of another rank in the other execution. */
  private int firstDifference(SpaceTime other) {
    return events.stream()
        .filter(event -> event.rank == 0 && event.kind.equals("recv"))
        .filter(event -> other.at(0, event.number).peer != event.peer)
        .mapToInt(Event::number)
        .min()
        .orElseThrow();
  }

  private Event at(int rank, int number) {
    return events.stream().filter(event -> event.rank == rank && event.number == number).findFirst().orElseThrow();
  }

  private int x(Event event) {
    int last = columns.values().stream().mapToInt(column -> column).max().orElseThrow();
    return LEFT + 12 + columns.get(event) * (WIDTH - LEFT - 62) / last;
  }

  private static int y(int top, int rank) {
    return top + 62 + rank * LANE;
  }

  private void draw(Svg svg, int top, String answer, int difference, String share) {
    svg.box("panel", 16, top, WIDTH - 32, 186, 6);
    svg.code("text", 30, top + 24, 14, "start", answer);
    svg.text("quiet", 160, top + 24, 12, "start", share);
    for (int rank = 0; rank < RANKS; rank++) {
      svg.text("text", 30, y(top, rank) + 4, 13, "start", "rank " + rank);
      svg.arrow("line", LEFT - 8, y(top, rank), WIDTH - 30, y(top, rank), 0, false);
    }
    Event racing = at(0, difference);
    for (Map.Entry<Event, Event> pair : inOrder()) {
      Event receive = pair.getKey();
      Event send = pair.getValue();
      String style = receive.equals(racing) ? "red" : receive.rank == 0 ? (send.rank == 1 ? "blue" : "green") : "faint";
      if (style.equals("faint")) {
        svg.line(style, x(send), y(top, send.rank), x(receive), y(top, receive.rank));
      } else {
        svg.arrow(style, x(send), y(top, send.rank), x(receive), y(top, receive.rank), 5, false);
      }
    }
    Event instead = alternative(racing);
    svg.arrow("red", x(instead), y(top, instead.rank), x(racing), y(top, 0), 6, true);
    for (Event event : events) {
      if (event.peer >= 0) {
        boolean here = event.equals(racing);
        svg.dot(here ? "red-fill" : "line-fill", x(event), y(top, event.rank), here ? 6 : 3);
        if (event.kind.equals("send") && event.rank > 0) {
          svg.code("quiet", x(event), y(top, event.rank) + 17, 11, "middle", TAGS.get(event.tag));
        }
      }
    }
  }

  private List<Map.Entry<Event, Event>> inOrder() {
    return events.stream().filter(sendOf::containsKey).map(event -> Map.entry(event, sendOf.get(event))).toList();
  }

  /** The first message of another rank that rank 0 had not received by then. */
  private Event alternative(Event receive) {
    for (Event event : events) {
      if (event.kind.equals("recv") && event.rank == 0 && event.number > receive.number && event.peer != receive.peer) {
        return sendOf.get(event);
      }
    }
    throw new IllegalStateException("no other message");
  }
}
