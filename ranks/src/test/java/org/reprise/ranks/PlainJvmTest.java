package org.reprise.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.reprise.ranks.Programs.recv;
import static org.reprise.ranks.Programs.send;
import static org.reprise.ranks.Programs.value;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.engine.RankProgram;

/** Jobs in a JVM that was started without {@code --add-opens}, as users' own tests are. */
class PlainJvmTest {
  /** Runs in that JVM, and prints what its jobs came to. */
  static final class Jobs {
    private static final int RANKS = 6;

    public static void main(String[] arguments) {
      RankProgram ring =
          rank -> {
            for (int round = 0; round < 20; round++) {
              send((rank + 1) % RANKS, 0, rank);
              value(recv());
              // Carriers and workers are created while a rank runs; they are none of its threads.
              if (IntStream.range(0, 100).parallel().sum() != 4950) {
                throw new AssertionError("a wrong sum");
              }
            }
          };
      for (long seed = 0; seed < 20; seed++) {
        print("seed", EmbeddedJob.run(JobRequest.of(RANKS, new Schedule.Seeded(seed)), ring));
      }
      print("chosen", EmbeddedJob.run(JobRequest.of(RANKS, new Schedule.Chosen(List.of())), ring));
      print("free", EmbeddedJob.run(JobRequest.of(RANKS, new Schedule.Free()), ring));
      Throwable[] refused = new Throwable[1];
      EmbeddedJob.run(
          JobRequest.of(1, new Schedule.Seeded(1)),
          rank -> {
            Thread other =
                Thread.ofPlatform()
                    .unstarted(
                        () -> {
                          try {
                            send(rank, 0, 1);
                          } catch (RuntimeException e) {
                            refused[0] = e;
                          }
                        });
            other.start();
            other.join();
          });
      System.out.println(refused[0] == null ? "taken" : refused[0].getMessage());
    }

    private static void print(String what, JobResult result) {
      System.out.println(what + (result.succeeded() ? " succeeded" : " failed: " + result));
    }

    private Jobs() {}
  }

  @Test
  void jobsSucceedAndThreadsThatCallAreRefusedByName() throws Exception {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Jobs.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jvm.waitFor()).as(output).isZero();
    List<String> lines = output.lines().toList();
    assertThat(lines.subList(0, lines.size() - 1))
        .hasSize(22)
        .allMatch(line -> line.endsWith(" succeeded"));
    assertThat(lines.getLast()).contains("--add-opens java.base/java.lang=ALL-UNNAMED");
  }
}
