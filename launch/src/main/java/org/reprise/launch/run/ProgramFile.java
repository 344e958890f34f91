package org.reprise.launch.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.reprise.trace.run.RunDescription;

/** The program's file, looked at closely enough to know it again. */
public final class ProgramFile {
  /** Empty if it cannot be read: a program may be executable only. */
  public static Optional<RunDescription.Program> describe(Path file) {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (InputStream stream = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[64 * 1024];
      long size = 0;
      for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
        digest.update(buffer, 0, count);
        size += count;
      }
      return Optional.of(
          new RunDescription.Program(
              file.toAbsolutePath().normalize().toString(),
              HexFormat.of().formatHex(digest.digest()),
              size));
    } catch (IOException e) {
      return Optional.empty();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private ProgramFile() {}
}
