package org.reprise.findings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.Location;
import org.reprise.trace.UserError;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A finding is told in the same words in every form, and can be left out by name. */
class ReportTest {
  private static final Rule RACE = Rule.MESSAGE_RACE;
  private static final Location GATHER = Location.of("gather", "/home/ada/my sums/order_sum.c", 56);
  private static final Location WORK = Location.of("work<int>", "/home/ada/order_sum.c", 47);
  private static final Location STRIPPED =
      new Location(
          Optional.of("main+0x1f"),
          Optional.empty(),
          OptionalInt.empty(),
          Optional.of("/home/ada/order_sum"));

  private static final Finding ORDER =
      new Finding(
          RACE,
          12,
          List.of(
              new Passage("This receive took a message of rank 2:", List.of(GATHER, STRIPPED)),
              new Passage("It could have taken one of rank 1:", List.of(WORK))),
          List.of("On rank 0."));
  private static final Finding UNKNOWN =
      new Finding(RACE, 1, List.of(new Passage("This receive may race:", List.of())), List.of());

  private static final Report REPORT =
      new Report(
          "order_sum-1",
          List.of(ORDER, UNKNOWN),
          1,
          List.of("rank 3 left nothing"),
          new Report.Verdict("races", "2 findings", List.of("it polled")));

  @TempDir Path directory;

  private static String printed(Consumer<PrintWriter> print) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    print.accept(out);
    out.flush();
    return text.toString();
  }

  @Test
  void theTextHasTheShapeOfASanitizersReport() throws Exception {
    Golden.assertMatches("report.txt", printed(out -> TextReport.print(REPORT, 10, out)));
  }

  @Test
  void theSarifReportIsWhatEditorsTake() throws Exception {
    String sarif = printed(out -> SarifReport.print(REPORT, 10, "0.1.0", out));
    requireJson(sarif);
    Golden.assertMatches("report.sarif", sarif);
  }

  @Test
  void theJsonReportHasEveryField() throws Exception {
    String json = printed(out -> JsonReport.print(REPORT, 10, out));
    requireJson(json);
    Golden.assertMatches("report.json", json);
  }

  private static void requireJson(String text) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      int depth = 0;
      for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      }
      assertThat(depth).isZero();
    }
  }

  @Test
  void theRestIsCountedWhereFewerAreShown() {
    assertThat(printed(out -> TextReport.print(REPORT, 1, out)))
        .contains("2 findings, 1 shown")
        .doesNotContain("may race");
  }

  private Suppressions suppressions(String text) throws Exception {
    return Suppressions.read(
        Files.writeString(directory.resolve("races.txt"), text), Rule.OF_RACES);
  }

  @Test
  void aSuppressionNamesAFunctionAFileALineOrAnId() throws Exception {
    for (String pattern :
        List.of(
            "gather",
            " gat*",
            "order_sum.c",
            "*/order_sum.c",
            "order_sum.c:56",
            "*:56",
            "main",
            "main+0x1f",
            ORDER.id())) {
      Suppressions intended = suppressions("# intended\nmessage-race:" + pattern + "\n");
      assertThat(REPORT.findings()).as(pattern).filteredOn(intended::cover).containsExactly(ORDER);
    }
    for (String line :
        List.of("message-race:work<int>", "message-race:gathe", "poll-race:gather", "")) {
      assertThat(REPORT.findings()).as(line).noneMatch(suppressions(line)::cover);
    }
  }

  @Test
  void aSuppressionThatHidesNothingIsNamed() throws Exception {
    Suppressions intended =
        suppressions("message-race:gather\n\n# of check\nanomaly:Hits.*\n*:gathe # misspelt\n");
    assertThat(intended.unmatched(REPORT.findings()))
        .containsExactly("the suppression '*:gathe' (races.txt:5) matched nothing");
  }

  /** Another build of the same source lies elsewhere, and its code is longer. */
  @Test
  void anIdStaysAsLongAsTheLineDoes() {
    assertThat(race(GATHER).id())
        .hasSize(8)
        .isEqualTo(race(Location.of("gather+0x20", "/tmp/order_sum.c", 56)).id())
        .isNotEqualTo(race(Location.of("gather", "/tmp/order_sum.c", 57)).id());
  }

  private static Finding race(Location place) {
    return new Finding(RACE, 1, List.of(new Passage("Here:", List.of(place))), List.of());
  }

  @Test
  void aRuleThatDoesNotExistIsNamed() {
    for (String line : List.of("foo-race:gather", "MESSAGE-RACE:*", "message:gather")) {
      assertThatThrownBy(() -> suppressions("# intended\n" + line))
          .isInstanceOf(UserError.class)
          .hasMessageContaining("names a rule that does not exist")
          .hasMessageContaining("line 2: " + line);
    }
  }

  @Test
  void aLineThatIsNoSuppressionIsNamed() {
    assertThatThrownBy(() -> suppressions("message-race:a\ngather\n"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("line 2: gather");
    assertThatThrownBy(() -> Suppressions.read(directory.resolve("nothing"), Rule.OF_RACES))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("cannot be read");
  }
}
