package org.reprise.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.reprise.trace.PrivateFiles;

/** Passes the standard input on to a command, and keeps a copy of what it passed. */
final class InputPump implements AutoCloseable {
  private final Optional<OutputStream> copy;
  private boolean closed;

  private InputPump(Optional<OutputStream> copy) {
    this.copy = copy;
  }

  static InputPump start(InputStream from, OutputStream to, Optional<Path> keep)
      throws IOException {
    Optional<OutputStream> copy = Optional.empty();
    if (keep.isPresent()) {
      copy = Optional.of(Files.newOutputStream(PrivateFiles.createFile(keep.get())));
    }
    InputPump pump = new InputPump(copy);
    // Nobody can wake a thread that reads from a pipe, so it must not keep the process alive.
    Thread.ofPlatform().daemon().name("stdin").start(() -> pump.run(from, to));
    return pump;
  }

  private void run(InputStream from, OutputStream to) {
    byte[] buffer = new byte[64 * 1024];
    try (to) {
      for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
        if (!keep(buffer, count)) {
          return;
        }
        to.write(buffer, 0, count);
        to.flush();
      }
    } catch (IOException e) {
      // The command has closed its standard input, as it may.
    } finally {
      close();
    }
  }

  private synchronized boolean keep(byte[] buffer, int count) throws IOException {
    if (!closed && copy.isPresent()) {
      copy.get().write(buffer, 0, count);
    }
    return !closed;
  }

  /** The command has ended: what comes now is not for it. */
  @Override
  public synchronized void close() {
    closed = true;
    try {
      if (copy.isPresent()) {
        copy.get().close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
