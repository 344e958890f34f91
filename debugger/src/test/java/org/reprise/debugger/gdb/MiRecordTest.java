package org.reprise.debugger.gdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Lines of gdb's machine interface, taken apart. */
class MiRecordTest {
  private static MiRecord parsed(String line) {
    return MiRecord.parse(line).orElseThrow();
  }

  @Test
  void aResultHasItsTokenAndItsValues() {
    MiRecord record = parsed("17^done,value=\"{1, 2}\",frame={level=\"0\",addr=\"0x1f\"}");
    assertThat(record.token()).isEqualTo(17);
    assertThat(record.word()).isEqualTo("done");
    assertThat(record.text("value")).isEqualTo("{1, 2}");
    assertThat(record.map("frame")).isEqualTo(Map.of("level", "0", "addr", "0x1f"));
  }

  @Test
  void aListOfNamedValuesIsAList() {
    MiRecord record = parsed("3^done,stack=[frame={level=\"0\"},frame={level=\"1\"}]");
    assertThat(record.list("stack")).isEqualTo(List.of(Map.of("level", "0"), Map.of("level", "1")));
  }

  @Test
  void escapesAreUndone() {
    assertThat(parsed("~\"a\\tb\\n\\\"c\\\\ \\101\"").word()).isEqualTo("a\tb\n\"c\\ A");
  }

  @Test
  void aLineOfTheProgramIsNoRecord() {
    assertThat(MiRecord.parse("answer = 4")).isEmpty();
  }

  @Test
  void whateverIsCutOffEndsSomewhere() {
    String line =
        "12*stopped,reason=\"breakpoint-hit\",frame={args=[{name=\"a\\\"\",value=\"[{\"}]}";
    for (int length = 0; length <= line.length(); length++) {
      MiRecord.parse(line.substring(0, length));
    }
    Random random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder("^done");
      random.ints(30, 0, 12).forEach(n -> text.append(",=\"{}[]\\0a9".charAt(Math.min(n, 10))));
      MiRecord.parse(text.toString());
    }
  }
}
