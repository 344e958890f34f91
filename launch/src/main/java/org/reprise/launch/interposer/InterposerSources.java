package org.reprise.launch.interposer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The C sources of the interposer, as they are packed into Reprise. */
final class InterposerSources {
  private static final String PLACE = "/org/reprise/interposer/";

  /** Every source by its relative path. A jar has no directory to list, so a file lists them. */
  static Map<String, String> all() {
    Map<String, String> sources = new LinkedHashMap<>();
    text("sources.txt")
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .forEach(path -> sources.put(path, text(path)));
    return sources;
  }

  static String text(String path) {
    try (InputStream stream = InterposerSources.class.getResourceAsStream(PLACE + path)) {
      if (stream == null) {
        throw new IllegalStateException("the interposer's " + path + " is not in this Reprise");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private InterposerSources() {}
}
