package org.reprise.anomaly.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.instrument.program.Site;

/** What is intended is named as a suppression of a race is, or in short. */
class MaskTest {
  private static final Finding FINDING =
      new Finding(
          Finding.Type.LOCK_ORDERED,
          Finding.Kind.WRITE_READ,
          "Cache.rows[*]",
          "com.acme.Cache.rows",
          "Cache.rows[3]",
          false,
          end("com.acme.Cache", "put", "Cache.java", 12),
          end("com.acme.Solver", "lambda$run$0", "Solver.java", 88));

  private static Finding.End end(String className, String method, String file, int line) {
    return new Finding.End(
        new Site(className, method, file, line, "Cache.rows[*]", ""),
        "the first thread",
        List.of(),
        List.of());
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
            FINDING.id())) {
      for (String rule : List.of("lock-ordered:", "*:", "lock-* : ")) {
        assertThat(mask(rule + pattern + " # it does not matter").hides(FINDING))
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
      assertThat(mask(line).hides(FINDING)).as(line).isFalse();
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
            FINDING.id())) {
      assertThat(mask(line).hides(FINDING)).as(line).isTrue();
    }
    assertThat(mask("Cache.java", "*").hides(FINDING)).isFalse();
  }

  @Test
  void aLineThatHidesNothingIsNamed() {
    Mask mask = mask("# intended", "lock-ordered:Cache.*", "lock-ordered:Cash.*", "Grid");
    assertThat(mask.unmatched(List.of(FINDING)))
        .extracting(Mask.Entry::complaint)
        .containsExactly(
            "the mask 'lock-ordered:Cash.*' (masks.txt:3) matched nothing",
            "the mask 'Grid' (masks.txt:4) matched nothing");
  }
}
