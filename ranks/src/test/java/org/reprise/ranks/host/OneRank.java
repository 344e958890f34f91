package org.reprise.ranks.host;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.Inputs;
import org.reprise.ranks.fabric.RankEnded;

/** Runs a program in one rank, on a machine without messages whose clock and dice are known. */
final class OneRank {
  /** What is in every reading of the known machine. */
  static final long NANO_TIME = 1_234_567;

  static final long WALL_NANOS = 1_700_000_000_123_456_789L;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private long slept;
  private int status;

  /** A machine on which time stands still and every random byte is 7. */
  private final class StillMachine implements Inputs {
    @Override
    public long nanoTime() {
      return NANO_TIME;
    }

    @Override
    public long wallNanos() {
      return WALL_NANOS;
    }

    @Override
    public void randomBytes(byte[] bytes) {
      Arrays.fill(bytes, (byte) 7);
    }

    @Override
    public void sleep(long nanos) {
      slept += nanos;
    }
  }

  static HostedProgram program(Path directory, String fileName, String source) {
    try {
      Files.writeString(directory.resolve(fileName), source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return HostedProgram.open(ProgramCommand.parse(List.of(fileName)), directory);
  }

  /** Runs rank 0; what it throws comes out, except that it exits. */
  OneRank run(HostedProgram program, String... arguments) throws Throwable {
    Fabric none =
        (Fabric)
            Proxy.newProxyInstance(
                OneRank.class.getClassLoader(),
                new Class<?>[] {Fabric.class},
                (_, method, _) -> {
                  throw new AssertionError("a machine without messages: " + method);
                });
    HostedRanks ranks =
        new HostedRanks(
            program,
            List.of(arguments),
            _ ->
                new RankStreams(
                    () -> new LineOutput(out, ""),
                    () -> new LineOutput(err, ""),
                    () -> new ByteArrayInputStream("typed\n".getBytes(StandardCharsets.UTF_8)),
                    StandardCharsets.UTF_8));
    Throwable[] thrown = new Throwable[1];
    Thread rank =
        Thread.ofVirtual()
            .unstarted(
                () -> {
                  CurrentRank.enter(none, new StillMachine(), (_, _) -> {});
                  try {
                    ranks.run(0);
                  } catch (RankEnded ended) {
                    status = ended.status();
                  } catch (Throwable other) {
                    thrown[0] = other;
                  }
                });
    try (SystemStreams _ = SystemStreams.take()) {
      rank.start();
      rank.join();
    }
    if (thrown[0] != null) {
      throw thrown[0];
    }
    return this;
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  long sleptNanos() {
    return slept;
  }

  int status() {
    return status;
  }
}
