package org.reprise.launch.process;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a command gets as its standard input. */
public sealed interface StandardInput {
  /** The one Reprise has: a terminal, /dev/null, or none. Nothing of it is kept. */
  record Inherited() implements StandardInput {}

  /** A file or pipe: it is passed on, and a recording keeps what was passed. */
  record Piped(InputStream stream) implements StandardInput {}

  /** A file of the run, in a replay. */
  record Kept(Path file) implements StandardInput {}

  /** That of this process. */
  static StandardInput current() {
    try {
      // Terminals and devices are in /dev; keeping those would wait for a user, or never end.
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString();
      return target.startsWith("/dev/")
          ? new Inherited()
          : new Piped(new FileInputStream(FileDescriptor.in));
    } catch (IOException e) {
      return new Inherited();
    }
  }
}
