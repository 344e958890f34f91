package org.reprise.trace.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What comes out of a run is shown by a terminal, and never obeyed. */
class PlainTextTest {
  @Test
  void ordinaryTextIsNotTouched() {
    String text = "mpirun -n 4 ./größe 日本 😀 \\x";
    assertThat(PlainText.line(text)).isSameAs(text);
  }

  @Test
  void whatATerminalWouldObeyIsShownAsEscapes() {
    assertThat(PlainText.line("a\u001b[2Jb\u0007\u007f\u009b31m"))
        .isEqualTo("a\\u001b[2Jb\\u0007\\u007f\\u009b31m");
  }

  @Test
  void marksOfDirectionAndInvisibleCharactersAreShown() {
    assertThat(PlainText.line("x\u202e\u2066\u200b\u2028\u061cy\ud800z\udb40\udc41"))
        .isEqualTo("x\\u202e\\u2066\\u200b\\u2028\\u061cy\\ud800z\\udb40\\udc41");
  }

  @Test
  void aLineStaysALine() {
    assertThat(PlainText.line("a\nreprise: all is well\tb\r"))
        .isEqualTo("a\\nreprise: all is well\\tb\\r");
    assertThat(PlainText.lines("a\nb\tc\rd")).isEqualTo("a\nb\tc\\rd");
  }
}
