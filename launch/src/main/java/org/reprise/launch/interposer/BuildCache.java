package org.reprise.launch.interposer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;

/**
 * What was once compiled or found out about an MPI: {@code $XDG_CACHE_HOME/reprise}, else {@code
 * ~/.cache/reprise}. A name in it is made from everything that the contents depend on, so nothing
 * in it ever goes stale.
 */
record BuildCache(Path directory) {
  static BuildCache of(Surroundings surroundings) {
    String xdg = surroundings.variable("XDG_CACHE_HOME");
    if (xdg.startsWith("/")) {
      return new BuildCache(Path.of(xdg, "reprise"));
    }
    String home = surroundings.environment().getOrDefault("HOME", System.getProperty("user.home"));
    return new BuildCache(Path.of(home, ".cache", "reprise"));
  }

  static String key(List<String> parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Which file it is: an update in place changes its time, if not its size. */
  static Optional<String> stamp(Path file) {
    try {
      return Optional.of(
          file.toRealPath() + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Refuses a cache into which somebody else can have put something: what is compiled here is
   * loaded into the user's programs.
   */
  void requirePrivate() {
    try {
      Optional<String> others =
          Files.isSymbolicLink(directory)
              ? Optional.of(directory + " is a symbolic link")
              : Files.exists(directory)
                  ? PrivateFiles.writableByOthers(directory)
                  : Optional.empty();
      if (others.isPresent()) {
        throw new UserError(
            "the cache of compiled interposers is not private",
            others.get(),
            "remove " + directory + ", or set XDG_CACHE_HOME to a directory of your own");
      }
    } catch (IOException e) {
      throw new UserError(
          "the cache of compiled interposers is not private",
          String.valueOf(e.getMessage()),
          "set XDG_CACHE_HOME to a directory of your own");
    }
  }

  /** Whether the user has this file, and nobody else can have put it there. */
  boolean has(String name) {
    Path file = directory.resolve(name);
    try {
      return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          && PrivateFiles.writableByOthers(file).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  Optional<String> text(String name) {
    try {
      requirePrivate();
      return has(name) ? Optional.of(Files.readString(directory.resolve(name))) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Keeps a text if that is possible; whoever does not find it asks again. */
  void keep(String name, String text) {
    try {
      PrivateFiles.createDirectories(directory);
      Path workshop = PrivateFiles.createTemporaryDirectory(directory, "text-");
      try {
        Path written = Files.writeString(PrivateFiles.createFile(workshop.resolve(name)), text);
        Files.move(written, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      } finally {
        PrivateFiles.removeTree(workshop);
      }
    } catch (IOException e) {
      // Asking again costs a few hundredths of a second; whether it can be written matters later.
    }
  }
}
