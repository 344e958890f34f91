package org.reprise.launch.process;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.UserError;
import org.reprise.trace.file.RunFile;

/**
 * A standard input that can be read again and again: it is taken in whole when somebody first asks.
 * A terminal is not: it would be asked again in every execution, so there it is empty.
 */
public final class KnownInput {
  private final StandardInput input;
  private byte @Nullable [] known;

  public KnownInput(StandardInput input) {
    this.input = input;
  }

  public synchronized InputStream open() {
    byte[] bytes = known;
    if (bytes == null) {
      bytes = read();
      known = bytes;
    }
    return new ByteArrayInputStream(bytes);
  }

  /** What there was to read, if anybody has asked and there was something. */
  public synchronized Optional<byte[]> taken() {
    return Optional.ofNullable(known).filter(bytes -> bytes.length > 0);
  }

  private static byte[] keptBytes(Path file) throws IOException {
    try (InputStream kept = RunFile.stream(file)) {
      return kept.readAllBytes();
    }
  }

  private byte[] read() {
    try {
      return switch (input) {
        case StandardInput.Piped(InputStream stream) -> stream.readAllBytes();
        case StandardInput.Kept(var file) -> keptBytes(file);
        case StandardInput.Inherited() -> new byte[0];
      };
    } catch (IOException e) {
      throw new UserError(
          "standard input cannot be read", String.valueOf(e.getMessage()), "give a file or none");
    }
  }
}
