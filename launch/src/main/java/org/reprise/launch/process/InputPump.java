package org.reprise.launch.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.reprise.trace.file.PrivateFiles;

/** Passes the standard input on to a command, and keeps a copy of what it passed. */
final class InputPump implements AutoCloseable {
  private Optional<OutputStream> copy = Optional.empty();
  private Optional<String> lost = Optional.empty();
  private boolean closed;

  static InputPump start(InputStream from, OutputStream to, Optional<Path> keep) {
    InputPump pump = new InputPump();
    pump.keepIn(keep);
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

  private synchronized void keepIn(Optional<Path> file) {
    if (file.isPresent()) {
      try {
        copy = Optional.of(Files.newOutputStream(PrivateFiles.createFile(file.get())));
      } catch (IOException e) {
        lose(e);
      }
    }
  }

  private synchronized boolean keep(byte[] buffer, int count) {
    if (!closed && copy.isPresent()) {
      try {
        copy.get().write(buffer, 0, count);
      } catch (IOException e) {
        lose(e);
      }
    }
    return !closed;
  }

  /** The copy is incomplete; the program gets its input nevertheless. */
  private synchronized void lose(IOException failure) {
    if (lost.isEmpty()) {
      lost = Optional.of(PrivateFiles.reason(failure));
    }
    Optional<OutputStream> open = copy;
    copy = Optional.empty();
    try {
      if (open.isPresent()) {
        open.get().close();
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Why not all that was passed on has been kept, if so. */
  synchronized Optional<String> lost() {
    return lost;
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
      lose(e);
    }
  }
}
