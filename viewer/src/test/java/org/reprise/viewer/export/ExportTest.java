package org.reprise.viewer.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.trace.UserError;
import org.reprise.viewer.SampleTrace;
import org.reprise.viewer.ViewedRun;
import org.w3c.dom.Document;

/** A run that is written for another tool is the run that was recorded. */
class ExportTest {
  private static final int RANKS = 5;
  private static final int EVENTS = 35;
  private static final int MESSAGES = 9;
  private static final int RACES = 7;

  @TempDir Path directory;

  private final ViewedRun gather = SampleTrace.gathering(RANKS).run("gather");

  private static byte[] bytes(ExportFormat format, ViewedRun run) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    format.write(run, out);
    return out.toByteArray();
  }

  private static String text(ExportFormat format, ViewedRun run) throws IOException {
    return new String(bytes(format, run), StandardCharsets.UTF_8);
  }

  /** A decoder of Protocol Buffers that shares nothing with the writer: fields by number. */
  private static Map<Integer, List<Object>> decode(byte[] message) {
    ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    Map<Integer, List<Object>> fields = new HashMap<>();
    while (in.hasRemaining()) {
      long key = varint(in);
      Object value =
          switch ((int) key & 7) {
            case 0 -> varint(in);
            case 1 -> in.getLong();
            case 2 -> {
              byte[] content = new byte[(int) varint(in)];
              in.get(content);
              yield content;
            }
            default -> throw new AssertionError("wire type " + (key & 7));
          };
      fields.computeIfAbsent((int) (key >>> 3), _ -> new ArrayList<>()).add(value);
    }
    return fields;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte part = in.get();
      value |= (long) (part & 0x7f) << shift;
      if (part >= 0) {
        return value;
      }
    }
  }

  private static Map<Integer, List<Object>> inner(Map<Integer, List<Object>> of, int field) {
    return decode((byte[]) of.getOrDefault(field, List.of(new byte[0])).getFirst());
  }

  private static String string(Map<Integer, List<Object>> of, int field) {
    return new String(
        (byte[]) of.getOrDefault(field, List.of(new byte[0])).getFirst(), StandardCharsets.UTF_8);
  }

  private static long number(Map<Integer, List<Object>> of, int field) {
    return (Long) of.getOrDefault(field, List.of(-1L)).getFirst();
  }

  @Test
  void perfettoGetsASliceForEachCallAndAFlowForEachMessage() throws IOException {
    Map<Integer, List<Object>> trace = decode(bytes(ExportFormat.PERFETTO, gather));
    assertThat(trace).containsOnlyKeys(1);
    Map<Long, String> threads = new HashMap<>();
    Map<Long, Long> opened = new HashMap<>();
    Map<Long, Integer> depth = new HashMap<>();
    Map<Long, Long> begins = new HashMap<>();
    Map<Long, Long> ends = new HashMap<>();
    int slices = 0;
    for (Object one : trace.getOrDefault(1, List.of())) {
      Map<Integer, List<Object>> packet = decode((byte[]) one);
      assertThat(number(packet, 10)).as("trusted_packet_sequence_id").isEqualTo(1);
      if (packet.containsKey(60)) {
        Map<Integer, List<Object>> track = inner(packet, 60);
        if (track.containsKey(4)) {
          threads.put(number(track, 1), string(inner(track, 4), 5));
        } else {
          assertThat(string(inner(track, 3), 6)).isEqualTo("gather");
        }
        continue;
      }
      long time = number(packet, 8);
      Map<Integer, List<Object>> event = inner(packet, 11);
      long track = number(event, 11);
      assertThat(threads).containsKey(track);
      assertThat(time)
          .as("in order on a track")
          .isGreaterThanOrEqualTo(opened.getOrDefault(track, 0L));
      opened.put(track, time);
      switch ((int) number(event, 9)) {
        case 1 -> {
          slices++;
          assertThat(string(event, 23)).startsWith("MPI_").isNotBlank();
          assertThat(depth.merge(track, 1, Integer::sum)).as("calls do not nest").isEqualTo(1);
          event.getOrDefault(47, List.of()).forEach(flow -> begins.put((Long) flow, time));
        }
        case 2 -> depth.merge(track, -1, Integer::sum);
        case 3 -> event.getOrDefault(48, List.of()).forEach(flow -> ends.put((Long) flow, time));
        default -> throw new AssertionError("type " + number(event, 9));
      }
    }
    assertThat(slices).isEqualTo(EVENTS);
    assertThat(depth.values()).containsOnly(0);
    assertThat(threads.values())
        .containsExactlyInAnyOrder("rank 0", "rank 1", "rank 2", "rank 3", "rank 4");
    assertThat(begins).hasSize(MESSAGES);
    assertThat(ends.keySet()).isEqualTo(begins.keySet());
    begins.forEach(
        (flow, at) -> assertThat(ends.getOrDefault(flow, 0L)).isGreaterThanOrEqualTo(at));
  }

  @Test
  void chromeGetsACompleteEventForEachCallAndTwoEndsForEachMessage() throws IOException {
    String json = text(ExportFormat.CHROME, gather);
    assertThat(json).startsWith("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[").endsWith("]}");
    assertThat(count(json, "\"ph\":\"X\"")).isEqualTo(EVENTS);
    assertThat(count(json, "\"ph\":\"s\"")).isEqualTo(MESSAGES);
    assertThat(count(json, "\"ph\":\"f\"")).isEqualTo(MESSAGES);
    assertThat(count(json, "\"racing\":")).isEqualTo(RACES);
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  /** ShiViz refuses logs whose clocks skip or contradict each other. */
  @Test
  void anArchiveOfOtf2IsReadByItsOwnTools() throws Exception {
    assumeTrue(
        Files.exists(Path.of("/usr/bin/otf2-print")), "otf2-tools are missing: scripts/packages");
    Path archive = directory.resolve("archive");
    ExportFormat.OTF2.write(gather, archive);
    Process print =
        new ProcessBuilder("otf2-print", archive.resolve("traces.otf2").toString())
            .redirectErrorStream(true)
            .start();
    String text = new String(print.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(print.waitFor()).as(text).isZero();
    Map<String, Long> kinds =
        text.lines()
            .filter(line -> line.matches("[A-Z][A-Z0-9_]+ +\\d+ +\\d+ .*"))
            .collect(Collectors.groupingBy(line -> line.split(" ")[0], Collectors.counting()));
    int calls = gather.graph().events().size();
    long ranks = gather.graph().events().ranks();
    assertThat(kinds)
        .containsEntry("ENTER", (long) calls)
        .containsEntry("LEAVE", (long) calls)
        .containsEntry("MPI_SEND", (long) gather.graph().pairing().messages())
        .containsEntry("MPI_IRECV_REQUEST", 1L)
        .containsEntry("MPI_IRECV", 1L)
        .containsEntry("MPI_RECV", gather.graph().pairing().messages() - 1L)
        .containsEntry("MPI_COLLECTIVE_BEGIN", ranks)
        .containsEntry("MPI_COLLECTIVE_END", ranks);
    assertThat(text).contains("Region: \"MPI_Allreduce\"").contains("Operation: ALLREDUCE");
    assertThatThrownBy(() -> ExportFormat.OTF2.write(gather, archive))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("a directory of its own");
  }

  @Test
  void clocksForShivizCountEachHostAndKnowWhatHadToHappenBefore() throws IOException {
    for (ViewedRun run : List.of(gather, SampleTrace.stencil(4, 12).run("stencil"))) {
      EventGraph graph = run.graph();
      int ranks = graph.events().ranks();
      Pattern line = Pattern.compile("rank(\\d+) \\{(.*)}");
      int[] own = new int[ranks];
      int[][] last = new int[ranks][ranks];
      Map<String, int[]> returned = new HashMap<>();
      String[] lines = text(ExportFormat.SHIVIZ, run).split("\n");
      for (int i = 0; i < lines.length; i += 2) {
        Matcher clock = line.matcher(lines[i + 1]);
        assertThat(clock.matches()).as(lines[i + 1]).isTrue();
        int rank = Integer.parseInt(clock.group(1));
        int[] values = new int[ranks];
        for (String entry : clock.group(2).split(", ")) {
          String[] both = entry.split(": ");
          values[Integer.parseInt(both[0].replaceAll("\\D", ""))] = Integer.parseInt(both[1]);
        }
        assertThat(values[rank]).as("its own entry counts by one").isEqualTo(++own[rank]);
        for (int other = 0; other < ranks; other++) {
          assertThat(values[other]).isGreaterThanOrEqualTo(last[rank][other]);
          assertThat(values[other]).as("nobody knows the future").isLessThanOrEqualTo(own[other]);
        }
        last[rank] = values;
        returned.put(lines[i].substring(lines[i].lastIndexOf(' ') + 1), values);
      }
      EventTable events = graph.events();
      for (int m = 0; m < graph.pairing().messages(); m++) {
        int send = graph.pairing().send(m);
        int arrival = graph.completion(graph.pairing().receive(m));
        int[] before = returned.getOrDefault(name(events, send), new int[0]);
        int[] after = returned.getOrDefault(name(events, arrival), new int[0]);
        assertThat(after[events.rank(send)])
            .as("%s before %s", name(events, send), name(events, arrival))
            .isGreaterThanOrEqualTo(before[events.rank(send)]);
      }
    }
  }

  private static String name(EventTable events, int event) {
    return events.rank(event) + ":" + events.number(event);
  }

  @Test
  void aPictureHasEveryCallMessageAndRace() throws Exception {
    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(bytes(ExportFormat.SVG, gather)));
    assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(RACES);
    assertThat(svg.getElementsByTagName("path").getLength()).isEqualTo(2 * MESSAGES);
    assertThat(svg.getElementsByTagName("title").getLength()).isEqualTo(1 + EVENTS + RACES);
  }

  @Test
  void graphvizGetsEveryCallAndWhatElseCouldHaveCome() throws IOException {
    String dot = text(ExportFormat.DOT, gather);
    assertThat(dot).startsWith("digraph \"gather\" {").endsWith("}\n");
    assertThat(count(dot, "\", label=\"MPI_")).as("each with its place").isEqualTo(EVENTS);
    assertThat(count(dot, "color=\"#1f5a8c\"")).isEqualTo(MESSAGES);
    assertThat(count(dot, "peripheries=2")).isEqualTo(RACES);
    assertThat(dot).contains("\"1:1\" -> \"0:1\" [style=dashed");
  }

  @Test
  void aRunThatIsTooLargeIsRefusedByNameAndItsBeginningIsConsistent() {
    ViewedRun large = SampleTrace.stencil(8, 400).run("large");
    assertThatThrownBy(() -> bytes(ExportFormat.SVG, large))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the run is too large for svg");
    int[] counts = Excerpt.counts(large.graph(), 1000);
    assertThat(Arrays.stream(counts).sum()).isBetween(900, 1000);
    EventTable events = large.graph().events();
    for (int rank = 0; rank < counts.length; rank++) {
      int[] past = large.graph().past(events.event(rank, counts[rank] - 1));
      for (int other = 0; other < counts.length; other++) {
        assertThat(past[other]).isLessThanOrEqualTo(counts[other]);
      }
    }
  }
}
