package org.reprise.debugger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.reprise.trace.UserError;

/** Ranks as they are typed and shown, and answers that are equal. */
class RankSetTest {
  @Test
  void whatIsTypedIsShownTheSame() {
    for (String typed : List.of("0", "0,1", "0-2", "0-5,7", "1,3,5-7")) {
      assertThat(RankSet.parse(typed, 8).list()).isEqualTo(typed);
    }
    assertThat(RankSet.parse("all", 4).text()).isEqualTo("ranks 0-3");
    assertThat(RankSet.parse("3", 4).text()).isEqualTo("rank 3");
  }

  @Test
  void ranksThatAreNotThereAreRefused() {
    for (String typed : List.of("4", "2-1", "", "0-4", "x", "-1", "0,,1")) {
      assertThatThrownBy(() -> RankSet.parse(typed, 4)).as(typed).isInstanceOf(UserError.class);
    }
  }

  @Test
  void equalAnswersAreOne() {
    Answer answer = collapsed(Map.of(0, "12", 1, "12", 2, "-1", 3, "12"));
    assertThat(answer.lines()).containsExactly("ranks 0,1,3: 12", "rank 2: -1");
    assertThat(answer.failed()).isFalse();
  }

  @Test
  void onlyWhatNoRankCouldAnswerHasFailed() {
    assertThat(collapsed(Map.of(0, "gdb: no", 1, "1")).failed()).isFalse();
    assertThat(collapsed(Map.of(0, "gdb: no", 1, "gdb: no")).failed()).isTrue();
  }

  private static Answer collapsed(Map<Integer, String> texts) {
    return Answer.collapsed(new TreeMap<>(texts), text -> text.startsWith("gdb: "));
  }
}
