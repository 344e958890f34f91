package org.reprise.viewer.page;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.reprise.trace.UserError;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.answer.Answers;
import org.reprise.viewer.answer.Comparison;

/**
 * Serves the page of one run to browsers of this machine. It listens on the loopback interface
 * only, and every address begins with a random token, so that other users of the machine cannot ask
 * it. A page of somebody else in the user's browser cannot either: it does not know the token, and
 * requests that come through another host's name or from another origin are refused.
 */
public final class ViewServer implements AutoCloseable {
  private static final String API = "api/";
  private static final int TOKEN_BYTES = 16;
  private static final int COMPRESSED_FROM_BYTES = 4096;
  private static final Pattern HOST =
      Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d{1,5})?");

  private static final Map<String, String> HEADERS =
      Map.of(
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin");

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; ";

  /** Of two runs, each is shown in a frame of the page that compares them. */
  private static final String FRAMED = "frame-src 'self'; frame-ancestors 'self'";

  private static final String UNFRAMED = "frame-ancestors 'none'";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Site site;
  private final String token;

  private ViewServer(HttpServer server, Site site) {
    this.server = server;
    this.site = site;
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    token = HexFormat.of().formatHex(random);
  }

  /** What is served under a path behind the token. */
  private interface Site {
    Optional<Answers.Answer> answer(String path, Map<String, String> query);

    default String policy() {
      return POLICY + UNFRAMED;
    }
  }

  /** The page of one run. */
  private record OneRun(Answers answers) implements Site {
    @Override
    public Optional<Answers.Answer> answer(String path, Map<String, String> query) {
      return path.startsWith(API)
          ? answers.to(path.substring(API.length()), query)
          : PageFiles.file(path.isEmpty() ? "index.html" : path);
    }
  }

  /** The page that compares two runs, and that of each below {@code a/} and {@code b/}. */
  private record TwoRuns(Comparison comparison, Answers first, Answers second) implements Site {
    @Override
    public Optional<Answers.Answer> answer(String path, Map<String, String> query) {
      if (path.startsWith("a/") || path.startsWith("b/")) {
        Answers answers = path.startsWith("a/") ? first : second;
        return new OneRun(answers).answer(path.substring("a/".length()), query);
      }
      return path.equals(API + "comparison")
          ? Optional.of(comparison.answer(first, second))
          : PageFiles.file(path.isEmpty() ? "compare.html" : path);
    }

    @Override
    public String policy() {
      return POLICY + FRAMED;
    }
  }

  /** Serves a run; on a free port if {@code port} is 0. */
  public static ViewServer start(ViewedRun run, int port) {
    Answers answers = new Answers(run);
    answers.prepare();
    return start(new OneRun(answers), port);
  }

  /** Serves two runs beside each other. */
  public static ViewServer start(Comparison comparison, int port) {
    return start(new TwoRuns(comparison, comparison.ofFirst(), comparison.ofSecond()), port);
  }

  private static ViewServer start(Site site, int port) {
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
      ViewServer view = new ViewServer(HttpServer.create(address, 0), site);
      view.server.createContext("/", view::handle);
      view.server.setExecutor(view.threads);
      view.server.start();
      return view;
    } catch (BindException taken) {
      throw new UserError(
          "port " + port + " cannot be used",
          String.valueOf(taken.getMessage()),
          "leave out --port to get a free one, or name another");
    } catch (IOException e) {
      throw new UserError(
          "no server can be started on this machine",
          String.valueOf(e.getMessage()),
          "look at the run without one: reprise races, reprise graph");
    }
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** What to open in a browser. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + port() + "/" + token + "/");
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      HEADERS.forEach(exchange.getResponseHeaders()::set);
      exchange.getResponseHeaders().set("Content-Security-Policy", site.policy());
      if (!isOurs(exchange.getRequestHeaders())) {
        refuse(exchange, 403, "not from here");
        return;
      }
      if (!exchange.getRequestMethod().equals("GET")) {
        refuse(exchange, 405, "this server only answers");
        return;
      }
      String path = exchange.getRequestURI().getRawPath();
      String start = "/" + token + "/";
      if (!startsWith(path, start)) {
        refuse(exchange, 404, "nothing here; use the whole address that reprise view printed");
        return;
      }
      answer(exchange, path.substring(start.length()));
    }
  }

  /** In a time that does not tell how much of the token was right. */
  private static boolean startsWith(String path, String start) {
    byte[] begin =
        path.substring(0, Math.min(path.length(), start.length())).getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(begin, start.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether a request was meant for this machine, and made by this page or by the user. */
  private static boolean isOurs(Headers headers) {
    String host = headers.getFirst("Host");
    String origin = headers.getFirst("Origin");
    String site = headers.getFirst("Sec-Fetch-Site");
    return host != null
        && HOST.matcher(host).matches()
        && (origin == null || origin.equals("http://" + host))
        && !"cross-site".equals(site);
  }

  private void answer(HttpExchange exchange, String path) throws IOException {
    Optional<Answers.Answer> answer;
    boolean forGood = path.startsWith(API) || path.startsWith(API, "a/".length());
    try {
      answer = site.answer(path, query(exchange.getRequestURI()));
    } catch (IllegalArgumentException wrong) {
      refuse(exchange, 400, String.valueOf(wrong.getMessage()));
      return;
    }
    if (answer.isEmpty()) {
      refuse(exchange, 404, "nothing here");
      return;
    }
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", answer.get().type());
    headers.set("Cache-Control", forGood ? "private, max-age=31536000, immutable" : "no-store");
    byte[] content = answer.get().content();
    String accepted = exchange.getRequestHeaders().getFirst("Accept-Encoding");
    if (content.length > COMPRESSED_FROM_BYTES && accepted != null && accepted.contains("gzip")) {
      headers.set("Content-Encoding", "gzip");
      content = compressed(content);
    }
    send(exchange, 200, content);
  }

  public static Map<String, String> query(URI address) {
    Map<String, String> fields = new LinkedHashMap<>();
    String query = address.getRawQuery();
    for (String field : query == null ? new String[0] : query.split("&")) {
      String[] parts = field.split("=", 2);
      fields.put(
          URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
          parts.length < 2 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    return fields;
  }

  private static byte[] compressed(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(content);
    }
    return bytes.toByteArray();
  }

  private static void refuse(HttpExchange exchange, int status, String why) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    send(exchange, status, (why + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int status, byte[] content) throws IOException {
    exchange.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
    exchange.getResponseBody().write(content);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
