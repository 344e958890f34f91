package org.reprise.ranks.host;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One rank's part of a stream that all ranks share. Whole lines are passed on, so that lines of two
 * ranks do not mix; each may begin with a mark of the rank. What is not yet a line waits until it
 * is one, or until the rank ends.
 */
public final class LineOutput extends OutputStream {
  private final OutputStream shared;
  private final byte[] prefix;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(64);
  private boolean begun;

  /**
   * The part of one rank.
   *
   * @param shared also the lock that keeps lines apart
   * @param prefix what each line begins with, or empty
   */
  public LineOutput(OutputStream shared, String prefix) {
    this.shared = shared;
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void write(int oneByte) throws IOException {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    for (int at = offset; at < offset + length; at++) {
      if (bytes[at] == '\n') {
        line.write(bytes, from, at + 1 - from);
        pass();
        begun = false;
        from = at + 1;
      }
    }
    line.write(bytes, from, offset + length - from);
  }

  private void pass() throws IOException {
    synchronized (shared) {
      if (!begun) {
        shared.write(prefix);
      }
      line.writeTo(shared);
      shared.flush();
    }
    begun = true;
    line.reset();
  }

  @Override
  public synchronized void flush() throws IOException {
    if (line.size() > 0) {
      pass();
    }
  }

  /** Ends a line that was begun, where lines are marked: the next one is another rank's. */
  @Override
  public synchronized void close() throws IOException {
    flush();
    if (begun && prefix.length > 0) {
      line.write('\n');
      pass();
    }
    begun = false;
  }
}
