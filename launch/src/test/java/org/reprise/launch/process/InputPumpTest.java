package org.reprise.launch.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class InputPumpTest {
  @TempDir Path directory;

  /** What a command reads, until its standard input is closed. */
  private static final class Command extends ByteArrayOutputStream {
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public void close() {
      closed.countDown();
    }

    String all() throws InterruptedException {
      assertThat(closed.await(50, TimeUnit.SECONDS)).isTrue();
      return toString(UTF_8);
    }
  }

  private static ByteArrayInputStream input() {
    return new ByteArrayInputStream("1 2 3".getBytes(UTF_8));
  }

  @Test
  void whatIsPassedOnIsKept() throws Exception {
    Path file = directory.resolve("stdin");
    Command command = new Command();
    InputPump pump = InputPump.start(input(), command, Optional.of(file));
    assertThat(command.all()).isEqualTo("1 2 3");
    pump.close();
    assertThat(file).hasContent("1 2 3");
    assertThat(pump.lost()).isEmpty();
  }

  @Test
  void whatCannotBeKeptIsPassedOnAllTheSame() throws Exception {
    Command command = new Command();
    Path nowhere = directory.resolve("no-such-directory/stdin");
    InputPump pump = InputPump.start(input(), command, Optional.of(nowhere));
    assertThat(command.all()).isEqualTo("1 2 3");
    assertThat(pump.lost()).isPresent();
  }
}
