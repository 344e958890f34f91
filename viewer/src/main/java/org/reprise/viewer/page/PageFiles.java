package org.reprise.viewer.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.reprise.viewer.answer.Answers;

/** The files of the page, from the class path; nothing else can be had by their names. */
public final class PageFiles {
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  /** A file of the page by its name in it; empty if there is none. */
  public static Optional<Answers.Answer> file(String name) {
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null || !name.matches("[a-z]+(/[a-z]+)?\\.[a-z]+")) {
      return Optional.empty();
    }
    try (InputStream file = PageFiles.class.getResourceAsStream(name)) {
      return file == null
          ? Optional.empty()
          : Optional.of(new Answers.Answer(type, file.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file of the page that is known to be there. */
  static String text(String name) {
    return new String(file(name).orElseThrow().content(), StandardCharsets.UTF_8);
  }

  private PageFiles() {}
}
