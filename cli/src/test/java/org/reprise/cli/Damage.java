package org.reprise.cli;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Spoils a file of a run, in ways that chance and people do: cut off, bits flipped, records in
 * another order, left out or twice, numbers that cannot be, a file of another rank or run; and in
 * ways that somebody does who wants harm: links, named pipes, holes, texts for a terminal.
 */
final class Damage {
  private static final int HEADER_BYTES = 8192;
  private static final int RECORD_BYTES = 32;
  private static final int COMMITTED_AT = 72;
  private static final int OUTCOMES_AT = 80;

  /** Where a header has its version, ranks, rank, size of the records and the like. */
  private static final int[] HEADER_FIELDS = {
    8, 12, 16, 20, 24, 28, 32, 40, 48, 52, 72, 80, 88, 112, 144, 152, 208, 240, 856
  };

  /** A text, number, word, or whole list or object without others in it. */
  private static final Pattern VALUE =
      Pattern.compile("(?<=[:,\\[] )(\"[^\"]*\"|-?\\d+|true|false|\\[[^\\[\\]]*]|\\{[^{}]*})");

  private static final List<String> VALUES =
      List.of(
          "[]",
          "{}",
          "[ [] ]",
          "{ \"a\" : 1 }",
          "null",
          "true",
          "\"\"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "\"\\u001b[2J\\u202e\\n\"",
          "\"-n\"",
          "\"x=y\"",
          "\"/dev/zero\"",
          "\"" + "x".repeat(5000) + "\"",
          "\"" + "../".repeat(50) + "\"",
          "0",
          "-1",
          "1",
          "1.5",
          "1e999",
          "2147483647",
          "-2147483648",
          "9223372036854775807",
          "-9223372036854775808",
          "99999999999999999999999",
          "\"2025-01-01T10:00:00Z\"",
          "\"+999999999-12-31T23:59:59Z\"",
          "[ \"x\", 1 ]",
          "[ \"-n\", \"-1\" ]",
          "{ \"PATH\" : \"/nowhere\", \"BASH_ENV\" : \"/dev/zero\", \"OMP_=\" : \"\" }");

  private static final long[] NUMBERS = {
    0,
    1,
    2,
    -1,
    3,
    4,
    7,
    255,
    4096,
    65_536,
    1_000_000,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    0xffff_ffffL,
    1L << 40,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  private final Random random;
  private final List<Path> others;
  private final Path pipe;

  /**
   * A source of damage.
   *
   * @param others files that a file may be mixed up with
   * @param workshop a directory for what files are linked to
   */
  Damage(Random random, List<Path> others, Path workshop) throws IOException {
    this.random = random;
    this.others = others;
    this.pipe = workshop.resolve("pipe");
    try {
      if (new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() != 0) {
        throw new IOException("no named pipe");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Puts something else in place of a file; what, in words. */
  String to(Path file) throws IOException {
    int kind = random.nextInt(40);
    if (kind >= 10) {
      byte[] bytes = of(file);
      Files.delete(file);
      Files.write(file, bytes);
      return "content";
    }
    byte[] whole = Files.readAllBytes(file);
    Files.delete(file);
    return switch (kind) {
      case 0 -> {
        Files.createSymbolicLink(file, others.get(below(others.size())));
        yield "link";
      }
      case 1 -> {
        Files.createSymbolicLink(file, Path.of("nowhere"));
        yield "link to nowhere";
      }
      case 2 -> {
        Files.createSymbolicLink(file, Path.of("/dev/zero"));
        yield "link to zeros";
      }
      case 3 -> {
        Files.createLink(file, pipe);
        yield "pipe";
      }
      case 4 -> {
        Files.createDirectory(file);
        yield "directory";
      }
      case 5, 6, 7 -> {
        Files.write(file, whole);
        try (RandomAccessFile holes = new RandomAccessFile(file.toFile(), "rw")) {
          holes.setLength(1L << 40);
          if (kind == 7 && whole.length >= HEADER_BYTES) {
            holes.seek(COMMITTED_AT);
            holes.writeLong(Long.reverseBytes((1L << 40) - HEADER_BYTES));
          }
        }
        yield "holes";
      }
      case 8 -> {
        Files.write(file, whole);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        yield "writable by others";
      }
      default -> "nothing";
    };
  }

  private int below(int bound) {
    return random.nextInt(Math.max(1, bound));
  }

  private long number() {
    return random.nextInt(4) == 0 ? random.nextLong() : NUMBERS[below(NUMBERS.length)];
  }

  /** Another version of a file. */
  byte[] of(Path file) throws IOException {
    byte[] whole = Files.readAllBytes(file);
    if (file.toString().endsWith(".json")) {
      return text(whole);
    }
    return switch (random.nextInt(9)) {
      case 0 -> Arrays.copyOf(whole, below(whole.length + 100));
      case 1 -> flipped(whole, 0, Math.min(whole.length, 300));
      case 2 -> flipped(whole, HEADER_BYTES, whole.length);
      case 3 -> Files.readAllBytes(others.get(below(others.size())));
      case 4 -> headerField(whole);
      case 5 -> moved(whole);
      case 6 -> withoutOrTwice(whole);
      default -> fields(whole);
    };
  }

  private byte[] text(byte[] whole) {
    byte[] bytes = whole.clone();
    if (random.nextInt(3) > 0) {
      return field(new String(bytes, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
    }
    if (random.nextInt(4) == 0) {
      return Arrays.copyOf(bytes, below(bytes.length));
    }
    for (int i = below(3); i >= 0 && bytes.length > 0; i--) {
      bytes[below(bytes.length)] = (byte) "0123456789-\"{}[]:,e\0".charAt(below(20));
    }
    return bytes;
  }

  /** Another value for a field of run.json, or for an element of a list in it. */
  private String field(String json) {
    List<MatchResult> values = VALUE.matcher(json).results().toList();
    if (values.isEmpty()) {
      return json;
    }
    MatchResult value = values.get(below(values.size()));
    return json.substring(0, value.start())
        + VALUES.get(below(VALUES.size()))
        + json.substring(value.end());
  }

  private byte[] flipped(byte[] whole, int from, int to) {
    byte[] bytes = whole.clone();
    for (int i = below(4); i >= 0 && from < to; i--) {
      bytes[from + below(to - from)] ^= (byte) (1 << below(Byte.SIZE));
    }
    return bytes;
  }

  private byte[] headerField(byte[] whole) {
    byte[] bytes = whole.clone();
    int at = HEADER_FIELDS[below(HEADER_FIELDS.length)];
    if (bytes.length >= HEADER_BYTES) {
      ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      if (at >= COMMITTED_AT && at != 144 && at != 208 && at != 240) {
        header.putLong(at, number());
      } else {
        header.putInt(at, (int) number());
      }
    }
    return bytes;
  }

  private int records(byte[] whole) {
    return Math.max(0, (whole.length - HEADER_BYTES) / RECORD_BYTES);
  }

  private static int place(int record) {
    return HEADER_BYTES + record * RECORD_BYTES;
  }

  /** Sends behind what they caused: circles. */
  private byte[] moved(byte[] whole) {
    byte[] bytes = whole.clone();
    int records = records(whole);
    for (int i = below(3); i >= 0 && records > 1; i--) {
      int a = place(below(records));
      int b = place(below(records));
      byte[] first = Arrays.copyOfRange(bytes, a, a + RECORD_BYTES);
      System.arraycopy(bytes, b, bytes, a, RECORD_BYTES);
      System.arraycopy(first, 0, bytes, b, RECORD_BYTES);
    }
    return bytes;
  }

  /** A record more or less, and a header that says so. */
  private byte[] withoutOrTwice(byte[] whole) {
    int records = records(whole);
    if (records == 0) {
      return whole;
    }
    int at = place(below(records));
    boolean twice = random.nextBoolean();
    byte[] bytes = Arrays.copyOf(whole, whole.length + (twice ? RECORD_BYTES : 0));
    if (twice) {
      System.arraycopy(whole, at, bytes, at + RECORD_BYTES, whole.length - at);
    } else {
      System.arraycopy(whole, at + RECORD_BYTES, bytes, at, whole.length - at - RECORD_BYTES);
      bytes = Arrays.copyOf(bytes, bytes.length - RECORD_BYTES);
    }
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int more = twice ? 1 : -1;
    header.putLong(COMMITTED_AT, header.getLong(COMMITTED_AT) + (long) more * RECORD_BYTES);
    header.putLong(OUTCOMES_AT, header.getLong(OUTCOMES_AT) + more);
    return bytes;
  }

  /** Numbers in records: kinds, peers, tags, links, sizes, times. */
  private byte[] fields(byte[] whole) {
    byte[] bytes = whole.clone();
    int records = records(whole);
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = below(4); i >= 0 && records > 0; i--) {
      int at = place(below(records));
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) below(26);
        case 1 -> bytes[at + 1] = (byte) below(256);
        default -> buffer.putInt(at + Integer.BYTES * (1 + below(7)), (int) number());
      }
    }
    return bytes;
  }
}
