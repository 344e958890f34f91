package org.reprise.trace.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.reprise.trace.TraceError;

/**
 * Opens files of a run, which somebody else may have made. Only regular files are opened, and no
 * link is followed: a link would make another file of the reader's part of the run, and a named
 * pipe would hold the reader for ever.
 */
public final class RunFile {
  /** Whether something of this name is there, be it a link that leads nowhere. */
  public static boolean isThere(Path file) {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
  }

  /** Opens a file for reading. */
  public static FileChannel open(Path file) throws IOException {
    requireRegular(file);
    return FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  /** The same as a stream. */
  public static InputStream stream(Path file) throws IOException {
    return Channels.newInputStream(open(file));
  }

  /** Opens a file of a run that this user may change, for changing it in place. */
  public static FileChannel openToChange(Path file) throws IOException {
    requireRegular(file);
    return FileChannel.open(
        file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }

  /** The size of a regular file. */
  public static long size(Path file) throws IOException {
    return requireRegular(file).size();
  }

  /**
   * Copies the first bytes of a file into a new one that only its owner may read.
   *
   * @param bytes how many; the file must have them, and the disk must have room for them: a file
   *     with holes can claim more than any disk holds
   */
  public static void copy(Path from, Path to, long bytes) throws IOException {
    if (bytes > Files.getFileStore(to.toAbsolutePath().resolveSibling("")).getUsableSpace()) {
      throw new IOException("no room for the " + bytes + " bytes of " + from);
    }
    try (InputStream in = stream(from);
        OutputStream out = Files.newOutputStream(PrivateFiles.createFile(to))) {
      byte[] buffer = new byte[64 * 1024];
      long left = bytes;
      while (left > 0) {
        int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (count < 0) {
          throw new IOException(from + " ends " + left + " bytes early");
        }
        out.write(buffer, 0, count);
        left -= count;
      }
    }
  }

  private static BasicFileAttributes requireRegular(Path file) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isRegularFile()) {
      throw notRegular(file, attributes);
    }
    return attributes;
  }

  private static TraceError notRegular(Path file, BasicFileAttributes attributes) {
    return new TraceError(
        file + " is not a regular file",
        attributes.isSymbolicLink()
            ? "a symbolic link"
            : attributes.isDirectory() ? "a directory" : "a device, a pipe or a socket",
        "copy the file itself to this place, or record again");
  }

  /** Why a file could not be opened or read, as an error of the run. */
  public static TraceError unreadable(Path file, IOException reason) {
    return reason instanceof NoSuchFileException
        ? new TraceError(file + " is missing", "no such file", TraceError.fix(file))
        : TraceError.unreadable(file, reason);
  }

  private RunFile() {}
}
