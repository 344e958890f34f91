package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.viewer.export.ExportFormat;

/** What {@code reprise view} serves. */
@Timeout(120)
class ViewCommandTest {
  @TempDir Path directory;

  @Test
  void theRunIsServedUntilTheCommandIsInterrupted() throws Exception {
    Shell shell = new Shell(directory.resolve("runs"));
    SampleRuns.racing(shell.store());
    AtomicInteger status = new AtomicInteger(-1);
    Thread command =
        Thread.ofPlatform().start(() -> status.set(shell.type("view", "--no-open", "--no-run")));
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI address = address(shell, command);
      HttpResponse<String> run =
          client.send(
              HttpRequest.newBuilder(address.resolve("api/run")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(run.body())
          .contains("\"name\":\"race-1\"", "\"ranks\":3", "\"events\":8", "\"races\":1");
      HttpResponse<String> event =
          client.send(
              HttpRequest.newBuilder(address.resolve("api/event?event=0:0")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(event.body())
          .contains("reprise alter race-1 --receive 0:0 --take 2", "step1 race.c:1");
    }
    command.interrupt();
    assertThat(command.join(Duration.ofSeconds(60))).as("the command ends").isTrue();
    assertThat(status).hasValue(0);
  }

  private static URI address(Shell shell, Thread command) throws InterruptedException {
    Optional<String> line = Optional.empty();
    while (line.isEmpty()) {
      assertThat(command.isAlive()).as(shell.err()).isTrue();
      Thread.sleep(20);
      line = shell.out().lines().filter(text -> text.startsWith("http://127.0.0.1:")).findFirst();
    }
    return URI.create(line.get());
  }

  @Test
  void thePageOfASmallRunIsOneFile() throws Exception {
    Shell shell = new Shell(directory.resolve("runs"));
    SampleRuns.racing(shell.store());
    Path file = directory.resolve("run.html");
    assertThat(shell.type("view", "--no-run", "-o", file.toString())).as(shell.err()).isZero();
    assertThat(Files.readString(file))
        .contains("id=\"baked-answers\"", "\"page/main.js\":\"data:text/javascript;base64,")
        .doesNotContain("src=\"", "http://", "href=\"");
    assertThat(shell.type("view", "--no-run", "-o", directory + "/none/run.html")).isEqualTo(1);
    assertThat(shell.err()).contains("the run cannot be written");
  }

  @Test
  void aRunIsWrittenInEveryFormat() throws Exception {
    Shell shell = new Shell(directory.resolve("runs"));
    SampleRuns.racing(shell.store());
    for (ExportFormat format : ExportFormat.values()) {
      Path file = directory.resolve("run." + format);
      assertThat(
              shell.type(
                  "export", "--no-run", "--format", format.toString(), "-o", file.toString()))
          .as(shell.err())
          .isZero();
      assertThat(format.isDirectory() ? file.resolve("traces.otf2") : file).isNotEmptyFile();
    }
    assertThat(directory.resolve("run.dot")).content().contains("digraph \"race-1\"");
    assertThat(shell.type("export", "--no-run")).isEqualTo(2);
    assertThat(shell.err()).contains("--format");
  }

  @Test
  void theReportOfRacesIsThePageOfTheRun() throws Exception {
    Shell shell = new Shell(directory.resolve("runs"));
    SampleRuns.racing(shell.store());
    Path file = directory.resolve("races.html");
    assertThat(shell.type("races", "--no-run", "--format", "html", "-o", file.toString()))
        .as(shell.err())
        .isEqualTo(66);
    assertThat(file)
        .content()
        .contains("data-tab=\"races\"", "id=\"baked-answers\"", "<template id=\"report\">")
        .contains("race.c:1", "To hide it, suppress <code>message-race:");
  }

  @Test
  void aPortThatIsNoneIsAUsageError() {
    Shell shell = new Shell(directory.resolve("runs"));
    assertThat(shell.type("view", "--port", "70000")).isEqualTo(2);
    assertThat(shell.err()).contains("--port must be from 0 to 65535");
  }
}
