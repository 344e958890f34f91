package org.reprise.ranks.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Ranks share standard output line by line. */
class LineOutputTest {
  private final ByteArrayOutputStream shared = new ByteArrayOutputStream();

  private static void print(LineOutput output, String text) throws IOException {
    output.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private String shared() {
    return shared.toString(StandardCharsets.UTF_8);
  }

  @Test
  void linesOfTwoRanksDoNotMix() throws IOException {
    LineOutput zero = new LineOutput(shared, "[0] ");
    LineOutput one = new LineOutput(shared, "[1] ");
    print(zero, "a");
    print(one, "x\ny");
    print(zero, "b\nc\n");
    print(one, "z\n");
    assertThat(shared()).isEqualTo("[1] x\n[0] ab\n[0] c\n[1] yz\n");
  }

  @Test
  void aQuestionIsSeenBeforeItsAnswer() throws IOException {
    LineOutput zero = new LineOutput(shared, "[0] ");
    print(zero, "n? ");
    zero.flush();
    assertThat(shared()).isEqualTo("[0] n? ");
    print(zero, "thanks\nnext\n");
    assertThat(shared()).isEqualTo("[0] n? thanks\n[0] next\n");
  }

  @Test
  void theEndOfARankPassesOnWhatIsNoLine() throws IOException {
    LineOutput plain = new LineOutput(shared, "");
    print(plain, "half");
    plain.close();
    assertThat(shared()).isEqualTo("half");
    LineOutput marked = new LineOutput(shared, "[3] ");
    print(marked, "half");
    marked.close();
    assertThat(shared()).isEqualTo("half[3] half\n");
  }
}
