package org.reprise.anomaly.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is intended is named as a suppression of a race is, or in short. */
class MaskTest {
  private static final Conflict CONFLICT =
      new Conflict(
          Conflict.Type.LOCK_ORDERED,
          Conflict.Kind.WRITE_READ,
          "Cache.rows[*]",
          "com.acme.Cache.rows",
          "Cache.rows[3]",
          false,
          end("com.acme.Cache", "put", "Cache.java", 12),
          end("com.acme.Solver", "lambda$run$0", "Solver.java", 88));

  private static Conflict.End end(String className, String method, String file, int line) {
    return new Conflict.End(
        className, method, file, line, "", Lineage.of("the first thread"), List.of(), List.of());
  }

  private static Mask mask(String... lines) {
    return Mask.parse("masks.txt", List.of(lines));
  }

  @Test
  void aPatternNamesAVariableAMethodAFileALineOrAnId() {
    for (String pattern :
        List.of(
            "Cache.rows[*]",
            "Cache.rows",
            "com.acme.Cache.rows",
            "com.acme.Cache",
            "com.acme.Cache.put",
            "*.lambda$run$*",
            "Cache.java",
            "Solver.java:88",
            " *:12",
            CONFLICT.id())) {
      for (String rule : List.of("lock-ordered:", "*:", "lock-* : ")) {
        assertThat(mask(rule + pattern + " # it does not matter").hides(CONFLICT))
            .as(rule + pattern)
            .isTrue();
      }
    }
  }

  @Test
  void anotherRuleOrAnotherPlaceHidesNothing() {
    for (String line :
        List.of(
            "anomaly:*",
            "message-race:*",
            "lock-ordered:Cache",
            "lock-ordered:put",
            "lock-ordered:Solver.java:8",
            "lock-ordered:cache.rows",
            "lock-ordered:")) {
      assertThat(mask(line).hides(CONFLICT)).as(line).isFalse();
    }
  }

  @Test
  void aMaskWithoutARuleNamesAFieldAClassAPackageAMethodOrAnId() {
    for (String line :
        List.of(
            "com.acme.Cache.rows",
            "com.acme.Cache",
            "com.acme.*",
            "com.acme.Solver.lambda$run$0",
            CONFLICT.id())) {
      assertThat(mask(line).hides(CONFLICT)).as(line).isTrue();
    }
    assertThat(mask("Cache.java", "*").hides(CONFLICT)).isFalse();
  }

  @Test
  void aLineThatHidesNothingIsNamedUnlessItIsForMessageRaces() {
    Mask mask =
        mask(
            "# intended",
            "lock-ordered:Cache.*",
            "lock-ordered:Cash.*",
            "Grid",
            "message-race:gather");
    assertThat(mask.unmatched(List.of(CONFLICT)))
        .extracting(Mask.Entry::complaint)
        .containsExactly(
            "the mask 'lock-ordered:Cash.*' (masks.txt:3) matched nothing",
            "the mask 'Grid' (masks.txt:4) matched nothing");
  }
}
