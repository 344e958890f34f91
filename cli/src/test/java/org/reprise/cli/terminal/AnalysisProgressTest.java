package org.reprise.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.reprise.causality.Progress.Pass;

/** What a long analysis says before and while it runs. */
class AnalysisProgressTest {
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
