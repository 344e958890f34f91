package org.reprise.analysis;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.reprise.trace.UserError;

/** Who has too little memory hears it before the analysis begins, with what suffices. */
class AnalysisMemoryTest {
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
}
