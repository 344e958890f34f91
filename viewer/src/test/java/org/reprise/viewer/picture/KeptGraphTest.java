package org.reprise.viewer.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.columns.NumberReader;
import org.reprise.causality.columns.NumberWriter;
import org.reprise.causality.races.Races;
import org.reprise.viewer.SampleTrace;
import org.reprise.viewer.ViewedRun;

/** A graph that was written and read again answers as before. */
class KeptGraphTest {
  private static final long SEED = Long.getLong("reprise.seed", 20261118);

  /** What is written, until it is read. */
  private static final class Numbers implements NumberWriter, NumberReader {
    private final ArrayDeque<Object> written = new ArrayDeque<>();

    @Override
    public void number(long value) {
      written.add(value);
    }

    @Override
    public void ints(int[] values) {
      written.add(values.clone());
    }

    @Override
    public void chars(char[] values) {
      written.add(values.clone());
    }

    @Override
    public void longs(long[] values) {
      written.add(values.clone());
    }

    @Override
    public long number() {
      return (Long) written.remove();
    }

    @Override
    public int length(int bytesEach) {
      return integer();
    }

    @Override
    public int[] ints() {
      return (int[]) written.remove();
    }

    @Override
    public char[] chars() {
      return (char[]) written.remove();
    }

    @Override
    public long[] longs() {
      return (long[]) written.remove();
    }
  }

  @Test
  void everyAnswerIsTheSame() {
    Random random = new Random(SEED);
    for (ViewedRun run :
        List.of(
            SampleTrace.gathering(7).run("gather"), SampleTrace.stencil(9, 700).run("stencil"))) {
      EventGraph before = run.graph();
      Numbers numbers = new Numbers();
      before.write(numbers);
      run.races().write(numbers);
      EventGraph after = EventGraph.read(numbers);
      Races races = Races.read(after, numbers);
      assertThat(numbers.written).as("what was written and not read").isEmpty();
      EventTable events = before.events();
      EventTable read = after.events();
      assertThat(races.receives().toArray()).isEqualTo(run.races().receives().toArray());
      assertThat(races.alternatives()).isEqualTo(run.races().alternatives());
      assertThat(Races.controlSet(after).receives().toArray())
          .isEqualTo(run.controlSet().receives().toArray());
      assertThat(after.notices()).isEqualTo(before.notices());
      for (int e = 0; e < events.size(); e++) {
        assertThat(read.kind(e)).isEqualTo(events.kind(e));
        assertThat(read.link(e)).isEqualTo(events.link(e));
        assertThat(read.startNanos(e)).isEqualTo(events.startNanos(e));
        assertThat(after.pairing().message(e)).isEqualTo(before.pairing().message(e));
      }
      for (int i = 0; i < 300; i++) {
        int event = random.nextInt(events.size());
        assertThat(after.past(event))
            .as("seed %d, event %d", SEED, event)
            .isEqualTo(before.past(event));
        assertThat(after.future(event)).isEqualTo(before.future(event));
        assertThat(after.breakpoint(event)).isEqualTo(before.breakpoint(event));
        assertThat(after.collective(event)).isEqualTo(before.collective(event));
      }
    }
  }
}
