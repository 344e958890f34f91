package org.reprise.viewer.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reprise.trace.UserError;
import org.reprise.viewer.SampleTrace;

/** Who gets an answer, and who does not. */
@Timeout(120)
class ViewServerTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private ViewServer server = ViewServer.start(SampleTrace.gathering(3).run("gather"), 0);

  @BeforeEach
  void begin() {
    assertThat(server.port()).isPositive();
  }

  @AfterEach
  void end() {
    server.close();
    client.close();
  }

  private HttpResponse<String> get(String address, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** What a request gets whose headers a client would not let one set. */
  private String raw(String host) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.port()));
      OutputStream out = socket.getOutputStream();
      out.write(
          ("GET "
                  + server.address().getPath()
                  + " HTTP/1.1\r\nHost: "
                  + host
                  + "\r\n"
                  + "Connection: close\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      out.flush();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().findFirst().orElse("");
    }
  }

  @Test
  void thePageIsServedWithAPolicyThatAllowsNothingFromElsewhere() throws Exception {
    HttpResponse<String> page = get(server.address().toString());
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("<script type=\"module\" src=\"main.js\">");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(page.headers().firstValue("Referrer-Policy")).contains("no-referrer");
    assertThat(get(server.address() + "model/view.js").statusCode()).isEqualTo(200);
  }

  @Test
  void withoutTheTokenThereIsNothing() throws Exception {
    String root = "http://127.0.0.1:" + server.port() + "/";
    assertThat(get(root).statusCode()).isEqualTo(404);
    assertThat(get(root + "api/run").statusCode()).isEqualTo(404);
    String wrong = server.address().toString().replaceAll("[0-9a-f]/$", "x/");
    assertThat(get(wrong + "api/run").statusCode()).isEqualTo(404);
    assertThat(get(server.address() + "api/run").statusCode()).isEqualTo(200);
  }

  @Test
  void eachServerHasATokenOfItsOwn() {
    try (ViewServer other = ViewServer.start(SampleTrace.gathering(3).run("gather"), 0)) {
      assertThat(other.address().getPath()).isNotEqualTo(server.address().getPath());
      assertThat(other.address().getPath()).hasSize(34);
    }
  }

  @Test
  void namesOfOtherHostsAreRefused() throws Exception {
    assertThat(raw("127.0.0.1:" + server.port())).contains("200");
    assertThat(raw("localhost:9999")).as("a forwarded port").contains("200");
    assertThat(raw("evil.example:" + server.port())).contains("403");
    assertThat(raw("127.0.0.1.evil.example")).contains("403");
  }

  @Test
  void pagesOfOthersAreRefused() throws Exception {
    String run = server.address() + "api/run";
    assertThat(get(run, "Origin", "http://evil.example").statusCode()).isEqualTo(403);
    assertThat(get(run, "Origin", "null").statusCode()).isEqualTo(403);
    assertThat(get(run, "Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(403);
    assertThat(get(run, "Origin", "http://127.0.0.1:" + server.port()).statusCode()).isEqualTo(200);
  }

  @Test
  void onlyFilesOfThePageAreThere() throws Exception {
    for (String path :
        new String[] {"../ViewServer.class", "%2e%2e/State.class", "page", "model/", "x.js"}) {
      assertThat(get(server.address() + path).statusCode()).as(path).isEqualTo(404);
    }
  }

  @Test
  void whatIsAskedWronglyIsSaid() throws Exception {
    String api = server.address() + "api/";
    for (String wrong :
        new String[] {
          "event?event=9:9",
          "event",
          "lanes?axis=time",
          "lanes?axis=up&shift=1&index=0&first=0&ranks=3&per=1",
          "lanes?axis=time&shift=99&index=0&first=0&ranks=3&per=1",
          "lanes?axis=time&shift=9&index=0&first=0&ranks=3&per=0"
        }) {
      assertThat(get(api + wrong).statusCode()).as(wrong).isEqualTo(400);
    }
    assertThat(get(api + "nothing").statusCode()).isEqualTo(404);
    HttpRequest post =
        HttpRequest.newBuilder(URI.create(api + "run"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    assertThat(client.send(post, HttpResponse.BodyHandlers.discarding()).statusCode())
        .isEqualTo(405);
  }

  @Test
  void answersAboutTheRunStayForGoodAndThePageDoesNot() throws Exception {
    assertThat(get(server.address() + "api/run").headers().firstValue("Cache-Control"))
        .contains("private, max-age=31536000, immutable");
    assertThat(get(server.address().toString()).headers().firstValue("Cache-Control"))
        .contains("no-store");
  }

  @Test
  void aPortThatIsTakenIsAnErrorOfTheUser() {
    assertThatThrownBy(
            () -> ViewServer.start(SampleTrace.gathering(3).run("gather"), server.port()).close())
        .isInstanceOf(UserError.class)
        .hasMessageContaining("port " + server.port() + " cannot be used");
  }
}
