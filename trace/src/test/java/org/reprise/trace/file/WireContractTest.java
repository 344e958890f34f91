package org.reprise.trace.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.SiteEchoes;

/** What Java believes about the wire is what reprise_wire.h says. */
class WireContractTest {
  private static final Path HEADER =
      Path.of(System.getProperty("reprise.root"), "interposer/include/reprise_wire.h");

  /** The Java twin of every enum in the header, and what its constants are called there. */
  private static final Map<String, Twin> TWINS =
      Map.ofEntries(
          Map.entry("reprise_file", new Twin(Wire.FileKind.class, "REPRISE_", 1)),
          Map.entry("reprise_mode", new Twin(Wire.Mode.class, "REPRISE_", 0)),
          Map.entry("reprise_mpi", new Twin(MpiFamily.class, "REPRISE_MPI_", 0)),
          Map.entry("reprise_state", new Twin(Wire.State.class, "REPRISE_", 0)),
          Map.entry("reprise_divergence", new Twin(Wire.DivergenceKind.class, "REPRISE_", 0)),
          Map.entry("reprise_kind", new Twin(Wire.Kind.class, "REPRISE_", 0)),
          Map.entry("reprise_post_end", new Twin(Wire.PostEnd.class, "REPRISE_", 0)),
          Map.entry("reprise_poll", new Twin(Wire.Poll.class, "REPRISE_", 0)),
          Map.entry("reprise_more", new Twin(Wire.More.class, "REPRISE_", 0)),
          Map.entry("reprise_event_kind", new Twin(EventKind.class, "REPRISE_EV_", 0)),
          Map.entry("reprise_flow", new Twin(CollectiveFlow.class, "REPRISE_FLOW_", 0)),
          Map.entry("reprise_wait", new Twin(Wire.Wait.class, "REPRISE_WAIT_", 0)),
          Map.entry("reprise_watch", new Twin(Wire.WatchKind.class, "REPRISE_WATCH_", 0)),
          Map.entry("reprise_site", new Twin(Wire.SiteKind.class, "REPRISE_SITE_", 0)),
          Map.entry("reprise_hold_state", new Twin(Wire.HoldState.class, "REPRISE_HOLD_", 0)),
          Map.entry("reprise_packet_kind", new Twin(Wire.PacketKind.class, "REPRISE_PACKET_", 1)),
          Map.entry("reprise_input", new Twin(Wire.InputKind.class, "REPRISE_IN_", 0)),
          Map.entry("reprise_ticks", new Twin(Wire.Ticks.class, "REPRISE_TICKS_", 0)));

  /** An enum here; constants before {@code first} have no twin. */
  private record Twin(Class<? extends Enum<?>> type, String prefix, int first) {
    Map<String, Long> constants() {
      Map<String, Long> constants = new LinkedHashMap<>();
      for (Enum<?> constant : type.getEnumConstants()) {
        if (constant.ordinal() >= first) {
          constants.put(prefix + constant.name(), (long) constant.ordinal());
        }
      }
      return constants;
    }
  }

  @Test
  void everyEnumOfTheHeaderHasItsTwin() throws Exception {
    Matcher enums =
        Pattern.compile("enum\\s*(\\w*)\\s*\\{(.*?)\\}", Pattern.DOTALL).matcher(headerText());
    List<String> seen = new ArrayList<>();
    while (enums.find()) {
      Map<String, Long> constants = new LinkedHashMap<>();
      Matcher constant = Pattern.compile("(\\w+)\\s*=\\s*(\\d+)").matcher(enums.group(2));
      while (constant.find()) {
        constants.put(constant.group(1), Long.parseLong(constant.group(2)));
      }
      String name = enums.group(1).isEmpty() ? "flags" : enums.group(1);
      seen.add(name);
      Map<String, Long> expected =
          switch (name) {
            case "flags" -> flags();
            case "reprise_event_flag" -> eventFlags();
            default -> TWINS.getOrDefault(name, noTwin(name)).constants();
          };
      assertThat(constants).as("enum %s", name).isEqualTo(expected);
    }
    assertThat(seen).containsAll(TWINS.keySet()).contains("flags", "reprise_event_flag");
  }

  private static Twin noTwin(String name) {
    return new Twin(Wire.Mode.class, "enum " + name + " is new in the header: ", 0);
  }

  private static Map<String, Long> flags() {
    Map<String, Long> flags = new LinkedHashMap<>();
    for (Wire.Flag flag : Wire.Flag.values()) {
      flags.put("REPRISE_FLAG_" + flag.name(), (long) flag.bit());
    }
    return flags;
  }

  private static Map<String, Long> eventFlags() {
    Map<String, Long> flags = new LinkedHashMap<>();
    for (EventFlag flag : EventFlag.values()) {
      flags.put("REPRISE_EVF_" + flag.name(), (long) flag.bit());
    }
    return flags;
  }

  @Test
  void definesAreTheSame() throws Exception {
    Map<String, String> defines = new LinkedHashMap<>();
    Matcher define =
        Pattern.compile("#define\\s+(REPRISE_\\w+)\\s+(\"[^\"]*\"|\\d+)").matcher(headerText());
    while (define.find()) {
      defines.put(define.group(1), define.group(2));
    }
    assertThat(defines)
        .containsOnly(
            Map.entry("REPRISE_WIRE_VERSION", "" + Wire.VERSION),
            Map.entry("REPRISE_WIRE_OLDEST", "" + Wire.OLDEST),
            Map.entry("REPRISE_IN_NEAR_CODES", "" + Wire.INPUT_NEAR_CODES),
            Map.entry("REPRISE_IN_FAR_CODES", "" + Wire.INPUT_FAR_CODES),
            Map.entry("REPRISE_IN_CLASSES", "" + Wire.INPUT_CLASSES),
            Map.entry("REPRISE_IN_STEP_MAX", "" + Wire.INPUT_STEP_MAX),
            Map.entry("REPRISE_TICKS_FORMS", "" + Wire.Ticks.values().length),
            Map.entry("REPRISE_MAGIC", quoted(Wire.MAGIC.replace("\n", "\\n"))),
            Map.entry("REPRISE_HEADER_BYTES", "" + Wire.HEADER_BYTES),
            Map.entry("REPRISE_CALLS_MAX", "" + Wire.CALLS_MAX),
            Map.entry("REPRISE_FRAMES_MAX", "" + Wire.FRAMES_MAX),
            Map.entry("REPRISE_INLINE", "" + Wire.INLINE),
            Map.entry("REPRISE_AGAIN_SITE_SHIFT", "" + SiteEchoes.SITE_SHIFT),
            Map.entry("REPRISE_AGAIN_START_SHIFT", "" + SiteEchoes.START_SHIFT),
            Map.entry("REPRISE_AGAIN_DURATION_SHIFT", "" + SiteEchoes.DURATION_SHIFT),
            Map.entry("REPRISE_AGAIN_SITE_MAX", "" + SiteEchoes.SITE_MAX),
            Map.entry("REPRISE_ENV_MODE", quoted(Wire.ENV_MODE)),
            Map.entry("REPRISE_ENV_RUN", quoted(Wire.ENV_RUN)),
            Map.entry("REPRISE_ENV_PLAN", quoted(Wire.ENV_PLAN)),
            Map.entry("REPRISE_ENV_UNCOPIED", quoted(Wire.ENV_UNCOPIED)),
            Map.entry("REPRISE_ENV_WATCH", quoted(Wire.ENV_WATCH)),
            Map.entry("REPRISE_ENV_EAGER", quoted(Wire.ENV_EAGER)),
            Map.entry("REPRISE_ENV_REST", quoted(Wire.ENV_REST)),
            Map.entry("REPRISE_ENV_JITTER", quoted(Wire.ENV_JITTER)),
            Map.entry("REPRISE_ENV_INPUTS", quoted(Wire.ENV_INPUTS)),
            Map.entry("REPRISE_ENV_EVENTS", quoted(Wire.ENV_EVENTS)),
            Map.entry("REPRISE_ENV_LIVE", quoted(Wire.ENV_LIVE)),
            Map.entry("REPRISE_ENV_POLLS", quoted(Wire.ENV_POLLS)),
            Map.entry("REPRISE_ENV_HOLD", quoted(Wire.ENV_HOLD)),
            Map.entry("REPRISE_ENV_MARKS", quoted(Wire.ENV_MARKS)),
            Map.entry("REPRISE_HOLD_LIFELINE", "" + Wire.HOLD_LIFELINE),
            Map.entry("REPRISE_HOLD_EARLY", "" + Wire.HOLD_EARLY));
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  @Test
  void everyHeaderFieldLiesWhereTheCompilerPutsIt(@TempDir Path directory) throws Exception {
    Map<String, String> expected = new LinkedHashMap<>();
    for (HeaderField field : HeaderField.values()) {
      expected.put(field.cName, field.offset + " " + field.bytes);
    }
    expected.put(
        "waits", HeaderField.WAITS_OFFSET + " " + HeaderField.WAITS_MAX * HeaderField.WAIT_BYTES);
    expected.put("host", HeaderField.HOST_OFFSET + " " + HeaderField.HOST_BYTES);
    expected.put("executable", HeaderField.EXECUTABLE_OFFSET + " " + HeaderField.EXECUTABLE_BYTES);
    expected.put("call_counts", HeaderField.CALL_COUNTS_OFFSET + " " + Long.BYTES * Wire.CALLS_MAX);
    StringBuilder program =
        new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n#include \"")
            .append(HEADER)
            .append("\"\nstatic struct reprise_header h;\nint main(void) {\n");
    for (String field : expected.keySet()) {
      program
          .append("  printf(\"%s %zu %zu\\n\", \"" + field)
          .append("\", offsetof(struct reprise_header, " + field)
          .append("), sizeof h." + field + ");\n");
    }
    program.append("}\n");
    Path source = Files.writeString(directory.resolve("offsets.c"), program);
    Path executable = directory.resolve("offsets");
    run("gcc", "-std=gnu11", "-o", executable.toString(), source.toString());
    Map<String, String> found = new LinkedHashMap<>();
    run(executable.toString())
        .lines()
        .forEach(line -> found.put(line.split(" ", 2)[0], line.split(" ", 2)[1]));
    assertThat(found).isEqualTo(expected);
  }

  private static String headerText() throws Exception {
    return Files.readString(HEADER).replaceAll("(?s)/\\*.*?\\*/", "");
  }

  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s", output).isZero();
    return output;
  }
}
