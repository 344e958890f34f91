package org.reprise.analysis;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.crypto.Mac;
import org.reprise.causality.columns.NumberReader;
import org.reprise.causality.columns.NumberWriter;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.Rank;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunSeal;

/**
 * What an analysis of a large run found out, kept beside its events, so that the next one starts at
 * once. It is dropped when the events changed or another version of Reprise comes.
 *
 * <p>A run directory may come from somebody else, and what is kept in it is taken as it is: so it
 * ends with a code under the key with which this user seals runs. What somebody else wrote, or what
 * is damaged, is as good as nothing.
 */
final class KeptAnalysis {
  private static final int VERSION = 1;
  private static final String PURPOSE = "kept analysis";
  private static final int CODE_BYTES = 32;

  private final RecordedRun run;
  private final List<Rank> ranks;
  private final RunSeal seal;

  KeptAnalysis(RecordedRun run, List<Rank> ranks, Surroundings surroundings) {
    this.run = run;
    this.ranks = ranks;
    seal = RunSeal.of(surroundings.environment());
  }

  private Path file(String name) {
    return run.directory().path().resolve("kept-" + name);
  }

  /** What was kept under this name; empty if nothing was that still holds. */
  <T> Optional<T> read(String name, Function<NumberReader, T> content) {
    Path file = file(name);
    try {
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.empty();
      }
      Mac mac = seal.codes(PURPOSE);
      long size = Files.size(file) - CODE_BYTES;
      try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 20)) {
        NumberInput numbers = new NumberInput(new CodedInput(in, mac), size);
        for (long part : stamp(name)) {
          if (numbers.number() != part) {
            return Optional.empty();
          }
        }
        T kept = content.apply(numbers);
        boolean ours =
            numbers.isAtEnd() && MessageDigest.isEqual(mac.doFinal(), in.readNBytes(CODE_BYTES));
        return ours ? Optional.of(kept) : Optional.empty();
      }
    } catch (IOException | GeneralSecurityException | RuntimeException unusable) {
      return Optional.empty(); // damaged, or not ours: found out again
    }
  }

  /** Keeps what is written, if that is possible; whoever does not find it works it out again. */
  void keep(String name, Consumer<NumberWriter> content) {
    Path fresh = file(name + ".new-" + ProcessHandle.current().pid());
    try {
      Mac mac = seal.codes(PURPOSE);
      PrivateFiles.createFile(fresh);
      try (OutputStream out = Files.newOutputStream(fresh)) {
        NumberOutput numbers = new NumberOutput(new CodedOutput(out, mac));
        for (long part : stamp(name)) {
          numbers.number(part);
        }
        content.accept(numbers);
        numbers.flush();
        out.write(mac.doFinal());
      }
      Files.move(fresh, file(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | GeneralSecurityException | RuntimeException notPossible) {
      PrivateFiles.removeQuietly(fresh); // no room, or a directory of somebody else
    }
  }

  /** What the content depends on: this version, and the files of events as they are. */
  private long[] stamp(String name) throws IOException, GeneralSecurityException {
    StringBuilder text = new StringBuilder(name + " " + VERSION + " " + run.ranks());
    for (Rank rank : ranks) {
      Path events = run.directory().eventsFile(rank);
      BasicFileAttributes known = Files.readAttributes(events, BasicFileAttributes.class);
      text.append('\n').append(rank.number()).append(' ').append(known.size());
      text.append(' ').append(known.lastModifiedTime());
    }
    byte[] digest =
        MessageDigest.getInstance("SHA-256")
            .digest(text.toString().getBytes(StandardCharsets.UTF_8));
    long[] parts = new long[digest.length / Long.BYTES];
    ByteBuffer.wrap(digest).asLongBuffer().get(parts);
    return parts;
  }

  /** Bytes on their way in, of which a code is made. */
  private static final class CodedInput extends FilterInputStream {
    private final Mac mac;

    CodedInput(InputStream in, Mac mac) {
      super(in);
      this.mac = mac;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int got = super.read(bytes, offset, length);
      if (got > 0) {
        mac.update(bytes, offset, got);
      }
      return got;
    }
  }

  /** Bytes on their way out, of which a code is made. */
  private static final class CodedOutput extends FilterOutputStream {
    private final Mac mac;

    CodedOutput(OutputStream out, Mac mac) {
      super(out);
      this.mac = mac;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      mac.update(bytes, offset, length);
      out.write(bytes, offset, length);
    }
  }
}
