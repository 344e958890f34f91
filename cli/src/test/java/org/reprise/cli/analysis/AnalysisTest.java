package org.reprise.cli.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.reprise.causality.Progress.Pass;
import org.reprise.cli.terminal.Terminal;
import org.reprise.trace.UserError;

/** What a long analysis says before and while it runs. */
class AnalysisTest {
  private static final long GIGABYTE = 1L << 30;

  @Test
  void aRunThatDoesNotFitIsRefusedWithWhatItNeeds() {
    assertThatThrownBy(() -> AnalysisMemory.require(1_000_000_000, 24 * GIGABYTE, 4 * GIGABYTE))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the events of this run need more memory than Reprise may use")
        .hasMessageContaining("1000000000 events, which need about 32.2 GB; the heap is 4.3 GB")
        .hasMessageContaining("REPRISE_HEAP=32g");
  }

  @Test
  void whatIsNamedSuffices() {
    long heap = 32 * GIGABYTE / 100 * 97;
    assertThatCode(() -> AnalysisMemory.require(1_000_000_000, 24 * GIGABYTE, heap))
        .doesNotThrowAnyException();
  }

  @Test
  void theTimeLeftIsThatOfAllPasses() {
    assertThat(AnalysisProgress.sentence(Pass.READING, 0.5, 20, Pass.RACES))
        .isEqualTo("reading events 50 %, about 80 s left");
    assertThat(AnalysisProgress.sentence(Pass.READING, 0.5, 60, Pass.RACES))
        .isEqualTo("reading events 50 %, about 4 min left");
    assertThat(AnalysisProgress.sentence(Pass.ORDERING, 1, 60, Pass.ORDERING))
        .isEqualTo("ordering events 100 %, nearly done");
  }

  @Test
  void nothingIsGuessedAtFirst() {
    assertThat(AnalysisProgress.sentence(Pass.READING, 0, 0, Pass.RACES))
        .isEqualTo("reading events 0 %");
  }

  @Test
  void progressIsShownOnATerminalOnly() throws InterruptedException {
    assertThat(shownOn(true)).contains("pairing messages 25 %").endsWith("\r\u001b[K");
    assertThat(shownOn(false)).isEmpty();
  }

  private static String shownOn(boolean terminal) throws InterruptedException {
    StringWriter err = new StringWriter();
    PrintWriter out = new PrintWriter(new StringWriter());
    Terminal written = new Terminal(out, new PrintWriter(err), false, terminal);
    try (AnalysisProgress progress = new AnalysisProgress(written, Pass.RACES)) {
      // A line is shown for a while before the next one takes its place.
      Thread.sleep(150);
      progress.at(Pass.PAIRING, 1, 4);
    }
    return err.toString();
  }
}
