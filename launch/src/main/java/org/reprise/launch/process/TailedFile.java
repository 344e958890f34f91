package org.reprise.launch.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A file that others write: its lines are passed on as they come. */
public final class TailedFile implements AutoCloseable {
  private static final long PAUSE_MILLIS = 20;

  private final InputStream stream;
  private final Consumer<String> lines;
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
  private final Thread thread;

  private TailedFile(InputStream stream, Consumer<String> lines) {
    this.stream = stream;
    this.lines = lines;
    thread = Thread.ofPlatform().daemon().name("output").unstarted(this::run);
  }

  public static TailedFile start(Path file, Consumer<String> lines) throws IOException {
    TailedFile tailed = new TailedFile(Files.newInputStream(file), lines);
    tailed.thread.start();
    return tailed;
  }

  private void run() {
    try {
      while (true) {
        drain();
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  /** Passes on what has been written so far; the beginning of a line waits for its end. */
  public synchronized void drain() {
    byte[] buffer = new byte[1 << 16];
    try {
      for (int n = stream.read(buffer); n > 0; n = stream.read(buffer)) {
        for (int i = 0; i < n; i++) {
          if (buffer[i] == '\n') {
            passOn();
          } else {
            begun.write(buffer[i]);
          }
        }
      }
    } catch (IOException e) {
      // What is not to be read is not to be shown.
    }
  }

  private void passOn() {
    lines.accept(begun.toString(StandardCharsets.UTF_8));
    begun.reset();
  }

  @Override
  public void close() {
    thread.interrupt();
    synchronized (this) {
      drain();
      if (begun.size() > 0) {
        passOn();
      }
      try {
        stream.close();
      } catch (IOException e) {
        // Nothing is lost by it.
      }
    }
  }
}
