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
import org.reprise.trace.UserError;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A finding is told in the same words in every form, and can be left out by name. */
class ReportTest {
  private static final Rule RACE =
      new Rule("message-race", "message race", "A receive could have taken another message.");
  private static final Location GATHER = Location.of("gather", "/home/ada/order_sum.c", 56);
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

  private static final List<String> RULES = List.of("message-race", "poll-race");
  private static final Report.Clear FINE = new Report.Clear("Fine.", List.of());

  private static final Report REPORT =
      new Report("order_sum-1", List.of(ORDER, UNKNOWN), 0, List.of("rank 3 left nothing"), FINE);

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
  void thePageNeedsNothingElseAndTakesNamesAsText() throws Exception {
    String page = printed(out -> HtmlReport.print(REPORT, 10, out));
    assertThat(page).doesNotContain("http:", "https:", "<script", "src=", "url(");
    assertThat(page).contains("work&lt;int&gt;").doesNotContain("work<int>");
    Golden.assertMatches("report.html", page);
  }

  @Test
  void theRestIsCountedWhereFewerAreShown() {
    assertThat(printed(out -> TextReport.print(REPORT, 1, out)))
        .contains("2 findings, 1 shown")
        .doesNotContain("may race");
  }

  @Test
  void nothingFoundSaysWhatThatMeans() {
    Report none = new Report("clean-1", List.of(), 0, List.of(), FINE);
    assertThat(printed(out -> TextReport.print(none, 10, out)))
        .isEqualTo("clean-1: nothing found. Fine.\n");
  }

  @Test
  void aScriptLearnsWhetherAnythingIsLeftOpen() throws Exception {
    Report fine = new Report("a", List.of(), 0, List.of(), FINE);
    Report open =
        new Report("a", List.of(), 0, List.of(), new Report.Clear("But.", List.of("it polled")));
    Report intended =
        new Report("a", List.of(ORDER), 0, List.of(), FINE).without(suppressions("*:*"));
    assertThat(printed(out -> JsonReport.print(fine, 10, out))).contains("\"one-order\"");
    assertThat(printed(out -> JsonReport.print(open, 10, out))).contains("\"open\"");
    assertThat(printed(out -> JsonReport.print(intended, 10, out))).contains("\"races\"");
  }

  private Suppressions suppressions(String text) throws Exception {
    return Suppressions.read(Files.writeString(directory.resolve("races.txt"), text), RULES);
  }

  @Test
  void aSuppressionNamesAFunctionAFileOrALine() throws Exception {
    for (String pattern :
        List.of(
            "gather",
            " gat*",
            "order_sum.c",
            "*/order_sum.c",
            "order_sum.c:56",
            "*:56",
            "main",
            "main+0x1f")) {
      Report left = REPORT.without(suppressions("# intended\nmessage-race:" + pattern + "\n"));
      assertThat(left.findings()).as(pattern).containsExactly(UNKNOWN);
      assertThat(left.suppressed()).isEqualTo(1);
    }
    for (String line :
        List.of("message-race:work<int>", "message-race:gathe", "poll-race:gather", "")) {
      assertThat(REPORT.without(suppressions(line)).findings()).as(line).hasSize(2);
    }
    Report none =
        new Report("a", List.of(ORDER), 0, List.of(), FINE).without(suppressions("message-race:*"));
    assertThat(printed(out -> TextReport.print(none, 10, out)))
        .contains("Suppressed: 1 finding", "nothing found besides")
        .doesNotContain("Fine.");
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
    assertThatThrownBy(() -> Suppressions.read(directory.resolve("nothing"), RULES))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("cannot be read");
  }
}
