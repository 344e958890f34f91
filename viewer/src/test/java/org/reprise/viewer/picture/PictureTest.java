package org.reprise.viewer.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.viewer.RankClocks;
import org.reprise.viewer.SampleTrace;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.answer.Answers;

/** What a picture shows is what happened, at every size. */
class PictureTest {
  /** A decoded answer. */
  private record Table(Map<String, Double> fields, Map<String, double[]> columns) {
    static Table of(byte[] answer) {
      ByteBuffer bytes = ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN);
      byte[] head = new byte[bytes.getInt()];
      bytes.get(head);
      String text = new String(head, StandardCharsets.UTF_8);
      Map<String, Double> fields = new HashMap<>();
      Matcher field =
          Pattern.compile("\"(\\w+)\":(-?[0-9.E]+)[,}]")
              .matcher(text.substring(0, text.indexOf("columns")));
      while (field.find()) {
        fields.put(field.group(1), Double.valueOf(field.group(2)));
      }
      Map<String, double[]> columns = new HashMap<>();
      Matcher column =
          Pattern.compile("\"name\":\"(\\w+)\",\"type\":\"(\\w+)\",\"length\":(\\d+)")
              .matcher(text);
      int at = (4 + head.length + 7) / 8 * 8;
      while (column.find()) {
        double[] values = new double[Integer.parseInt(column.group(3))];
        int size =
            switch (column.group(2)) {
              case "UINT8" -> 1;
              case "INT32" -> 4;
              default -> 8;
            };
        for (int i = 0; i < values.length; i++) {
          int from = at + i * size;
          values[i] =
              size == 1
                  ? bytes.get(from) & 0xff
                  : size == 4 ? bytes.getInt(from) : bytes.getDouble(from);
        }
        columns.put(column.group(1), values);
        at += (values.length * size + 7) / 8 * 8;
      }
      return new Table(fields, columns);
    }

    double[] column(String name) {
      return columns.getOrDefault(name, new double[0]);
    }

    double field(String name) {
      return fields.getOrDefault(name, -1.0);
    }

    boolean complete() {
      return field("complete") == 1;
    }
  }

  private static Table ask(Answers answers, String path, Object... fields) {
    Map<String, String> query = new HashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      query.put((String) fields[i], String.valueOf(fields[i + 1]));
    }
    return Table.of(answers.to(path, query).orElseThrow().content());
  }

  private static Table window(
      Answers answers, String path, Axis.Kind axis, int shift, long index, int ranks, int per) {
    return ask(
        answers,
        path,
        "axis",
        axis.word(),
        "shift",
        shift,
        "index",
        index,
        "first",
        0,
        "ranks",
        ranks,
        "per",
        per);
  }

  @Test
  void aSmallRunIsOneTileWithEveryCallAndMessage() {
    ViewedRun run = SampleTrace.gathering(5).run("gather");
    Answers answers = new Answers(run);
    for (Axis.Kind kind : Axis.Kind.values()) {
      int shift = new RunPicture(run).axis(kind).shift();
      Table calls = window(answers, "lanes", kind, shift, 0, 5, 1);
      assertThat(calls.complete()).isTrue();
      assertThat(calls.column("event")).hasSize(run.graph().events().size());
      Table messages = window(answers, "messages", kind, shift, 0, 5, 1);
      assertThat(messages.column("send")).hasSize(9);
      double[] from = messages.column("from");
      double[] to = messages.column("to");
      for (int i = 0; i < from.length; i++) {
        assertThat(to[i]).as("arrival of message %d", i).isGreaterThan(from[i]);
      }
    }
  }

  @Test
  void tilesOfAnySizeTogetherHaveEveryCallAndMessage() {
    ViewedRun run = SampleTrace.gathering(5).run("gather");
    Answers answers = new Answers(run);
    int whole = new RunPicture(run).axis(Axis.Kind.TIME).shift();
    for (int shift = whole; shift > whole - 6; shift--) {
      Set<Double> events = new TreeSet<>();
      Set<Double> sends = new TreeSet<>();
      for (long index = 0; index < 1L << whole - shift; index++) {
        long begin = index << shift;
        long end = index + 1 << shift;
        Table calls = window(answers, "lanes", Axis.Kind.TIME, shift, index, 5, 1);
        for (int i = 0; i < calls.column("event").length; i++) {
          events.add(calls.column("event")[i]);
          assertThat(calls.column("start")[i]).isLessThan((double) end);
          assertThat(calls.column("end")[i]).isGreaterThan((double) begin);
        }
        Table messages = window(answers, "messages", Axis.Kind.TIME, shift, index, 5, 1);
        for (int i = 0; i < messages.column("send").length; i++) {
          sends.add(messages.column("send")[i]);
        }
        assertPassing(run, messages, begin, end);
      }
      assertThat(events).hasSize(run.graph().events().size());
      assertThat(sends).hasSize(9);
    }
  }

  /** Every message that passes through a tile is in it, also one that begins and ends outside. */
  private static void assertPassing(ViewedRun run, Table tile, long begin, long end) {
    MessageSpans spans = new RunPicture(run).spans(Axis.Kind.TIME);
    Set<Double> expected = new HashSet<>();
    for (int m = 0; m < run.graph().pairing().messages(); m++) {
      if (spans.from(m) < end && spans.to(m) >= begin) {
        expected.add((double) run.graph().pairing().send(m));
      }
    }
    Set<Double> found = new HashSet<>();
    for (double send : tile.column("send")) {
      found.add(send);
    }
    assertThat(found).as("messages from %d to %d", begin, end).containsAll(expected);
  }

  @Test
  void previewsSayWhatShareOfTheTimeWentWhere() {
    int ranks = 16;
    ViewedRun run = SampleTrace.stencil(ranks, 400).run("stencil");
    RunPicture picture = new RunPicture(run);
    Answers answers = new Answers(run);
    EventTable events = run.graph().events();
    for (Axis.Kind kind : Axis.Kind.values()) {
      Axis axis = picture.axis(kind);
      Table whole = window(answers, "lanes", kind, axis.shift(), 0, ranks, 1);
      assertThat(whole.complete()).isFalse();
      int bins = (int) whole.field("bins");
      double width = Math.pow(2, axis.shift()) / bins;
      double[] shares = whole.column("shares");
      for (int rank = 0; rank < ranks; rank++) {
        double[] expected = new double[State.COUNT];
        double[] found = new double[State.COUNT];
        for (int i = 0; i < events.size(rank); i++) {
          int event = events.event(rank, i);
          expected[State.of(events, event).ordinal()] += axis.end(event) - axis.start(event);
        }
        for (int i = 0; i < bins * State.COUNT; i++) {
          found[i % State.COUNT] += shares[rank * bins * State.COUNT + i] / 255 * width;
        }
        for (int state = 0; state < State.COUNT; state++) {
          // Each bin is rounded to a 255th, and up if it is next to nothing.
          assertThat(found[state])
              .as("rank %d, %s on the axis of %s", rank, State.values()[state], kind)
              .isBetween(
                  expected[state] - bins * width / 400, expected[state] + bins * width / 200);
        }
      }
    }
  }

  @Test
  void theTimeSpentBeforeAMomentIsTheSumOfTheCallsBeforeIt() {
    long seed = Long.getLong("reprise.seed", 20_261_120L);
    System.out.println("moments with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    ViewedRun run = SampleTrace.stencil(4, 100).run("stencil");
    LaneIndex lanes = new RunPicture(run).lanes(Axis.Kind.TIME);
    EventTable events = run.graph().events();
    for (int i = 0; i < 2000; i++) {
      int rank = random.nextInt(4);
      long moment = random.nextLong(lanes.axis().length() + 1000);
      long[] expected = new long[State.COUNT];
      int begun = 0;
      for (int number = 0; number < events.size(rank); number++) {
        int event = events.event(rank, number);
        begun += lanes.axis().start(event) < moment ? 1 : 0;
        long spent = Math.min(moment, lanes.axis().end(event)) - lanes.axis().start(event);
        expected[State.of(events, event).ordinal()] += Math.max(0, spent);
      }
      assertThat(lanes.begun(rank, moment)).isEqualTo(begun);
      long[] found = new long[State.COUNT];
      lanes.spent(rank, moment, begun, found);
      assertThat(found).as("rank %d at %d", rank, moment).isEqualTo(expected);
    }
  }

  @Test
  void racesAreNeverDroppedHoweverManyRanksShareALane() {
    ViewedRun run = SampleTrace.gathering(40).run("gather");
    Answers answers = new Answers(run);
    Axis axis = new RunPicture(run).axis(Axis.Kind.TIME);
    assertThat(run.races().size()).isGreaterThan(50);
    for (int per : List.of(1, 4, 64)) {
      Table tile =
          ask(
              answers,
              "lanes",
              "axis",
              "time",
              "shift",
              axis.shift(),
              "index",
              0,
              "first",
              0,
              "ranks",
              40,
              "per",
              per,
              "preview",
              1);
      double races = 0;
      for (double count : tile.column("raceCount")) {
        races += count;
      }
      assertThat(races).as("in lanes of %d", per).isEqualTo(run.races().size());
    }
  }

  @Test
  void bundlesCountEveryMessage() {
    int ranks = 16;
    ViewedRun run = SampleTrace.stencil(ranks, 400).run("stencil");
    Answers answers = new Answers(run);
    int shift = new RunPicture(run).axis(Axis.Kind.TIME).shift();
    Table bundles = window(answers, "messages", Axis.Kind.TIME, shift, 0, ranks, 1);
    assertThat(bundles.complete()).isFalse();
    double counted = bundles.field("left");
    for (double count : bundles.column("count")) {
      counted += count;
    }
    assertThat(counted).isEqualTo(ranks * 400);
  }

  @Test
  void ranksThatDoNotBelongTogetherDoNotShareALane() {
    ViewedRun run = SampleTrace.gathering(10).run("gather");
    int shift = new RunPicture(run).axis(Axis.Kind.TIME).shift();
    Object[] asked = {
      "axis",
      "time",
      "shift",
      shift,
      "index",
      0,
      "first",
      0,
      "ranks",
      10,
      "per",
      4,
      "by",
      "behaviour",
      "preview",
      1
    };
    Table lanes = ask(new Answers(run), "lanes", asked);
    assertThat(lanes.column("place")).containsExactly(0, 1, 2, 6);
    assertThat(lanes.column("ranks")).containsExactly(1, 1, 4, 4);
    assertThat(lanes.column("raceLane")).containsOnly(0);
  }

  @Test
  void bundlesEndAtTheRanksOfAGroupThatIsOpen() {
    ViewedRun run = SampleTrace.stencil(16, 400).run("stencil");
    int shift = new RunPicture(run).axis(Axis.Kind.TIME).shift();
    Object[] asked = {
      "axis", "time", "shift", shift, "index", 0, "first", 0, "ranks", 16, "per", 4, "open", "4"
    };
    Table bundles = ask(new Answers(run), "messages", asked);
    assertThat(bundles.column("source")).containsOnly(0, 4, 5, 6, 7, 8, 12);
    assertThat(bundles.column("target")).containsOnly(0, 4, 5, 6, 7, 8, 12);
  }

  @Test
  void timesOfManyRanksAreSumsOfGroups() {
    Answers answers = new Answers(SampleTrace.gathering(300).run("gather"));
    String times = json(answers, "times", "axis", "time", "from", "0", "to", "100000");
    Matcher groups = Pattern.compile("\"per\":2,\"groups\":\\[(.*)\\]}").matcher(times);
    assertThat(groups.find()).isTrue();
    String[] sums = groups.group(1).replaceAll("^\\[|\\]$", "").split("\\],\\[");
    assertThat(sums).hasSize(150);
    for (String sum : sums) {
      long all = Arrays.stream(sum.split(",")).mapToLong(Long::parseLong).sum();
      assertThat(all).as(sum).isEqualTo(200_000);
    }
  }

  @Test
  void clocksOfTwoHostsAreBroughtTogetherByTheirMessages() {
    ViewedRun run = SampleTrace.stencil(4, 60).run("stencil");
    long[] origins = {0, 0, 7_000_000, 7_000_000};
    List<String> hosts = List.of("a", "a", "b", "b");
    RankClocks clocks = RankClocks.of(run.graph(), origins, hosts);
    assertThat(clocks.hosts()).isEqualTo(2);
    assertThat(clocks.fitted()).isEqualTo(1);
    long apart = Math.abs(clocks.at(0, 500_000) - clocks.at(2, 500_000));
    assertThat(apart).as("nanoseconds between both clocks").isLessThan(100_000);
  }

  /** A tenth of a second in which one clock gains 50 µs: offset alone would leave half of it. */
  @Test
  void aClockThatRunsFasterIsSlowedDown() {
    double faster = 1 + 5e-4;
    SampleTrace trace = SampleTrace.stencil(4, 2000).faster(2, faster).faster(3, faster);
    EventGraph graph = trace.run("stencil").graph();
    long length = graph.events().endNanos(graph.events().event(0, graph.events().size(0) - 1));
    assertThat(length).isGreaterThan(100_000_000);
    RankClocks clocks =
        RankClocks.of(graph, new long[] {0, 0, 3_000_000, 3_000_000}, List.of("a", "a", "b", "b"));
    assertThat(clocks.fitted()).isEqualTo(1);
    for (double share : new double[] {0, 0.25, 0.5, 0.75, 1}) {
      long moment = (long) (share * length);
      assertThat(clocks.at(2, (long) (moment * faster)) - clocks.at(0, moment))
          .as("nanoseconds between both clocks after %s of the run", share)
          .isBetween(-8_000L, 8_000L);
    }
  }

  /** What a rank's trace says of its beginning can be off by milliseconds. */
  @Test
  void onOneHostNoMessageArrivesBeforeItIsSent() {
    EventGraph graph = SampleTrace.stencil(4, 60).run("stencil").graph();
    long[] origins = {0, 900_000, -400_000, 0};
    RankClocks clocks = RankClocks.of(graph, origins, List.of("a", "a", "a", "a"));
    for (int m = 0; m < graph.pairing().messages(); m++) {
      int send = graph.pairing().send(m);
      int done = graph.completion(graph.pairing().receive(m));
      long sent = clocks.at(graph.events().rank(send), graph.events().startNanos(send));
      long got = clocks.at(graph.events().rank(done), graph.events().endNanos(done));
      assertThat(got).as("arrival of message %d", m).isGreaterThanOrEqualTo(sent);
    }
  }

  private static String json(Answers answers, String path, String... fields) {
    Map<String, String> query = new HashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      query.put(fields[i], fields[i + 1]);
    }
    return new String(answers.to(path, query).orElseThrow().content(), StandardCharsets.UTF_8);
  }

  @Test
  void eventsAreFoundByWhatAUserTypes() {
    Answers answers = new Answers(SampleTrace.gathering(5).run("gather"));
    Map<String, Integer> counts =
        Map.of(
            "racing", 7,
            "recv", 9,
            "mpi_recv rank:0", 8,
            "tag:9", 3,
            "gather.c:34", 8,
            "wildcard peer:2", 2,
            "unreceived", 0,
            "longer>100us rank:0", 1,
            "size>100", 0,
            "recv nowhere", 0);
    counts.forEach(
        (query, count) ->
            assertThat(json(answers, "search", "query", query, "after", "-1"))
                .as(query)
                .contains("\"count\":" + count + "}"));
    assertThat(json(answers, "search", "query", "tag:x", "after", "-1"))
        .contains("\"unknown\":[\"tag:x\"]");
  }

  @Test
  void theNextRaceIsTheNextInTimeOnWhicheverRank() {
    Answers answers = new Answers(SampleTrace.gathering(5).run("gather"));
    String[] first = {"axis", "time", "moment", "-1", "event", "none"};
    assertThat(json(answers, "race", first)).isEqualTo("{\"name\":\"0:1\"}");
    String[] last = {"axis", "time", "moment", "999999999", "event", "none", "back", "1"};
    assertThat(json(answers, "race", last)).isEqualTo("{\"name\":\"0:7\"}");
  }
}
