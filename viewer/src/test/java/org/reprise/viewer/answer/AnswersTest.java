package org.reprise.viewer.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.reprise.causality.Cut;
import org.reprise.causality.EventGraph;
import org.reprise.trace.UserError;
import org.reprise.trace.events.EventFlag;
import org.reprise.viewer.SampleTrace;
import org.reprise.viewer.ViewedRun;

/** What the page is told of cuts, groups and a second run. */
class AnswersTest {
  private final ViewedRun gather = SampleTrace.gathering(4).run("gather");

  private static String ask(Answers answers, String path, Map<String, String> query) {
    return new String(answers.to(path, query).orElseThrow().content(), StandardCharsets.UTF_8);
  }

  @Test
  void aCutThatIsDrawnIsOneOfTheGraphAndRefusedWithWhatCrossesIt() {
    Answers answers = new Answers(gather);
    String wrong = ask(answers, "cut", Map.of("cut", "3,0,0,0"));
    assertThat(wrong)
        .contains(
            "\"consistent\":false", "\"crossings\":[{\"awaited\":{", "\"within\":{\"text\":\"")
        .contains("\"around\":{\"text\":\"3,");
    EventGraph graph = gather.graph();
    for (String part : new String[] {"within", "around"}) {
      String text = wrong.replaceAll(".*\"" + part + "\":\\{\"text\":\"([^\"]*)\".*", "$1");
      Cut cut = Cut.parse(text).orElseThrow();
      assertThat(graph.isConsistent(cut)).as("%s: %s", part, text).isTrue();
      assertThat(ask(answers, "cut", Map.of("cut", text))).contains("\"consistent\":true");
    }
    assertThatThrownBy(() -> ask(answers, "cut", Map.of("cut", "99,0,0,0")))
        .hasMessageContaining("not a cut of this run");
    assertThatThrownBy(() -> ask(answers, "cut", Map.of("cut", "1,2")))
        .hasMessageContaining("not a cut of this run");
    assertThatThrownBy(() -> ask(answers, "cut", Map.of("axis", "time", "at", "3:1,1:1")))
        .hasMessageContaining("not a rank in rising order");
  }

  /** A straight line by logical order leaves everything that had to happen before left of it. */
  @Test
  void everyStraightLineThroughLogicalOrderIsAConsistentCut() {
    Answers answers = new Answers(gather);
    for (int step = 0; step < 60; step++) {
      assertThat(ask(answers, "cut", Map.of("axis", "order", "at", "0:" + step)))
          .as("step %d", step)
          .contains("\"consistent\":true");
    }
  }

  @Test
  void ranksThatDoTheSameAreOneGroup() {
    Answers answers = new Answers(gather);
    assertThat(ask(answers, "groups", Map.of("by", "behaviour")))
        .isEqualTo(
            "[{\"name\":\"like rank 0\",\"ranks\":[0]},{\"name\":\"like rank 1\",\"ranks\":[1]},"
                + "{\"name\":\"like rank 2\",\"ranks\":[2,3]}]");
    assertThat(ask(answers, "groups", Map.of("by", "communicator")))
        .isEqualTo("[{\"name\":\"all ranks\",\"ranks\":[0,1,2,3]}]");
    assertThatThrownBy(() -> ask(answers, "groups", Map.of("by", "colour")))
        .hasMessageContaining("no such groups");
  }

  @Test
  void everyNumberOfTheStatisticsIsASearch() {
    Answers answers = new Answers(gather);
    String numbers = ask(answers, "statistics", Map.of());
    for (String[] both :
        new String[][] {
          {"late-sender", "lateSenders\":\\{\"count\":(\\d+)"},
          {"late-receiver", "lateReceivers\":\\{\"count\":(\\d+)"},
          {"critical", "criticalPath\":\\{\"nanos\":\\d+,\"links\":(\\d+)"}
        }) {
      String counted = numbers.replaceAll("(?s).*" + both[1] + ".*", "$1");
      assertThat(ask(answers, "search", Map.of("query", both[0], "after", "-1")))
          .as(both[0])
          .endsWith("\"count\":" + counted + "}");
    }
  }

  private static SampleTrace twoMessages(int first, int second) {
    return new SampleTrace(3)
        .send(1, 0, 5, 21)
        .send(2, 0, 5, 21)
        .receive(0, first, 5, 34, EventFlag.ANY_SOURCE)
        .receive(0, second, 5, 34, EventFlag.ANY_SOURCE);
  }

  @Test
  void twoRunsAreComparedUpToWhereTheyPart() {
    ViewedRun left = twoMessages(1, 2).run("left");
    ViewedRun right = twoMessages(2, 1).run("right");
    Comparison comparison = new Comparison(left, right);
    Answers first = comparison.ofFirst();
    Answers second = comparison.ofSecond();
    String said = new String(comparison.answer(first, second).content(), StandardCharsets.UTF_8);
    assertThat(said)
        .contains("\"a\":\"left\",\"b\":\"right\",\"ranks\":3")
        .contains("\"rank\":0,\"original\":true,\"a\":{", "\"peer\":1", "\"peer\":2")
        .doesNotContain("\"rank\":1,\"original\"");
    assertThat(ask(first, "run", Map.of()))
        .contains("\"differences\":[{\"original\":true,\"event\":{", "\"name\":\"0:1\"");
    ViewedRun aborted = twoMessages(2, 1).killed(1).killed(2).run("aborted");
    Comparison cut = new Comparison(left, aborted);
    assertThat(new String(cut.answer(first, cut.ofSecond()).content(), StandardCharsets.UTF_8))
        .contains("\"rank\":0,\"original\":true", "\"rank\":1,\"original\":false");
    ViewedRun ended = twoMessages(1, 2).killed(1).run("ended");
    Comparison early = new Comparison(left, ended);
    assertThat(new String(early.answer(first, early.ofSecond()).content(), StandardCharsets.UTF_8))
        .contains("\"rank\":1,\"original\":true");
    Comparison same = new Comparison(left, twoMessages(1, 2).run("again"));
    assertThat(new String(same.answer(first, first).content(), StandardCharsets.UTF_8))
        .contains("\"differences\":[]");
    assertThatThrownBy(() -> new Comparison(left, gather))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("different numbers of ranks");
  }
}
