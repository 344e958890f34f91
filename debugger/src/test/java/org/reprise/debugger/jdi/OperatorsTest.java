package org.reprise.debugger.jdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.reprise.debugger.source.SourceError;

class OperatorsTest {
  @Test
  void numbersArePromotedAsJavaDoes() {
    assertThat(Operators.binary("+", 1, 2L)).isEqualTo(3L);
    assertThat(Operators.binary("/", 7, 2)).isEqualTo(7 / 2);
    assertThat(Operators.binary("/", 7, 2.0)).isEqualTo(3.5);
    assertThat(Operators.binary("*", 0x7fffffff, 3)).isEqualTo(0x7ffffffd);
    assertThat(Operators.binary("/", Integer.MIN_VALUE, -1)).isEqualTo(Integer.MIN_VALUE);
    assertThat(Operators.binary(">>>", -1, 28)).isEqualTo(-1 >>> 28);
    assertThat(Operators.binary(">>", -256, 36)).isEqualTo(-256 >> 4);
    assertThat(Operators.binary("<<", 1, 40L)).isEqualTo(1 << 8);
    assertThat(Operators.binary("<<", 1L, 40)).isEqualTo(1L << 40);
    assertThat(Operators.binary("+", 'a', (byte) 1)).isEqualTo((int) 'b');
    assertThat(Operators.binary("+", 0.1f, 1)).isEqualTo(0.1f + 1);
    assertThat(Operators.binary("<", Double.NaN, 1)).isEqualTo(false);
    assertThat(Operators.binary("==", 'a', 97)).isEqualTo(true);
    assertThat(Operators.unary("-", 0.0)).isEqualTo(-0.0);
    assertThat(Operators.unary("~", 5)).isEqualTo(~5);
    assertThat(Operators.cast("byte", 300)).isEqualTo((byte) 300);
    assertThat(Operators.cast("int", 1e20)).isEqualTo((int) 1e20);
    assertThat(Operators.cast("long", -2.7)).isEqualTo(-2L);
    assertThat(Operators.cast("char", 98)).isEqualTo('b');
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() {
    assertThatThrownBy(() -> Operators.binary("/", 1, 0)).isInstanceOf(SourceError.class);
    assertThatThrownBy(() -> Operators.binary("&", 1.0, 2)).isInstanceOf(SourceError.class);
    assertThatThrownBy(() -> Operators.binary("<", true, 2)).isInstanceOf(SourceError.class);
    assertThatThrownBy(() -> Operators.unary("!", 2)).isInstanceOf(SourceError.class);
    assertThatThrownBy(() -> Operators.cast("int", null)).isInstanceOf(SourceError.class);
  }

  @Test
  void literalsAreThoseOfJava() {
    assertThat(Literals.number("1_000")).isEqualTo(1000);
    assertThat(Literals.number("0xffffffff")).isEqualTo(-1);
    assertThat(Literals.number("0b101L")).isEqualTo(5L);
    assertThat(Literals.number("1.5f")).isEqualTo(1.5f);
    assertThat(Literals.number("1e3")).isEqualTo(1000.0);
    assertThat(Literals.text("'\\n'")).isEqualTo('\n');
    assertThat(Literals.text("\"a\\\"b\"")).isEqualTo("a\"b");
    assertThatThrownBy(() -> Literals.number("3000000000")).isInstanceOf(SourceError.class);
    assertThatThrownBy(() -> Literals.text("'ab'")).isInstanceOf(SourceError.class);
  }

  @Test
  void everyWordIsRead() {
    Tokens tokens = new Tokens("u[i+1:n].x >>>2<=1.5e-3&& !(s!='a')");
    List<String> words =
        List.of(
            "u", "[", "i", "+", "1", ":", "n", "]", ".", "x", ">>>", "2", "<=", "1.5e-3", "&&", "!",
            "(", "s", "!=", "'a'", ")");
    for (String word : words) {
      assertThat(tokens.next()).isEqualTo(word);
    }
    tokens.requireEnd();
    assertThatThrownBy(() -> new Tokens("a # b")).isInstanceOf(SourceError.class);
  }

  @Test
  void placesAreLinesOrMethods() {
    assertThat(JavaPlace.of("p/Solver.java:12")).isEqualTo(new JavaPlace.Line("p/Solver.java", 12));
    assertThat(JavaPlace.of("relax()").toString()).contains("relax");
    assertThatThrownBy(() -> JavaPlace.of("12")).isInstanceOf(SourceError.class);
    assertThatThrownBy(() -> JavaPlace.of("solver.c:12")).isInstanceOf(SourceError.class);
  }
}
