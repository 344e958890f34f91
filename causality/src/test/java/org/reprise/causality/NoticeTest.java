package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is noticed once is told as one. */
class NoticeTest {
  @ParameterizedTest
  @EnumSource(Notice.Kind.class)
  void aNoticeCountsInWords(Notice.Kind kind) {
    String one = new Notice(kind, 1, 0).counted();
    String two = new Notice(kind, 2, 0).counted();
    assertThat(one).matches("1 \\w+[^s] .*").doesNotContain(" are ", " were ");
    assertThat(two).matches("2 \\w+s .*").isNotEqualTo("2" + one.substring(1));
  }
}
