package org.reprise.launch.process;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A 64-bit ELF executable, as far as it tells how it is loaded.
 *
 * @param dynamic whether a dynamic loader starts it (it has a PT_INTERP segment); a static program
 *     loads nothing, so nothing can be preloaded into it
 * @param needed the shared libraries it names itself (DT_NEEDED)
 * @param buildId what the linker called this very build, in hexadecimal; empty if it did not
 */
public record ElfFile(boolean dynamic, List<String> needed, String buildId) {
  private static final int HEADER_BYTES = 64;
  private static final int SEGMENT_BYTES = 56;
  private static final int DYNAMIC_ENTRY_BYTES = 16;
  private static final int TABLE_BYTES_MAX = 4 * 1024 * 1024;

  private static final int PT_LOAD = 1;
  private static final int PT_DYNAMIC = 2;
  private static final int PT_INTERP = 3;
  private static final int PT_NOTE = 4;
  private static final int NT_GNU_BUILD_ID = 3;
  private static final int GNU = 0x00554e47;
  private static final long DT_NULL = 0;
  private static final long DT_NEEDED = 1;
  private static final long DT_STRTAB = 5;

  /** A part of the file and the address it is loaded at. */
  private record Segment(int type, long offset, long address, long fileBytes) {}

  /** Empty if the file is not a 64-bit ELF file, or not a sound one. */
  public static Optional<ElfFile> read(Path file) {
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer header = bytes(channel, 0, HEADER_BYTES, ByteOrder.LITTLE_ENDIAN);
      boolean is64Bit = header.getInt(0) == 0x464c457f && header.get(4) == 2;
      if (!is64Bit) {
        return Optional.empty();
      }
      ByteOrder order = header.get(5) == 2 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
      List<Segment> segments = segments(channel, header.order(order));
      return Optional.of(
          new ElfFile(
              segments.stream().anyMatch(segment -> segment.type == PT_INTERP),
              needed(channel, order, segments),
              buildId(channel, order, segments)));
    } catch (IOException
        | BufferUnderflowException
        | IndexOutOfBoundsException
        | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static List<Segment> segments(FileChannel channel, ByteBuffer header) throws IOException {
    long offset = header.getLong(32);
    int size = Short.toUnsignedInt(header.getShort(54));
    int count = Short.toUnsignedInt(header.getShort(56));
    if (size != SEGMENT_BYTES) {
      throw new IOException("segments of " + size + " bytes");
    }
    ByteBuffer table = bytes(channel, offset, (long) size * count, header.order());
    List<Segment> segments = new ArrayList<>();
    for (int at = 0; at < size * count; at += size) {
      segments.add(
          new Segment(
              table.getInt(at),
              table.getLong(at + 8),
              table.getLong(at + 16),
              table.getLong(at + 32)));
    }
    return segments;
  }

  private static List<String> needed(FileChannel channel, ByteOrder order, List<Segment> segments)
      throws IOException {
    Optional<Segment> dynamic =
        segments.stream().filter(segment -> segment.type == PT_DYNAMIC).findFirst();
    if (dynamic.isEmpty()) {
      return List.of();
    }
    ByteBuffer table = bytes(channel, dynamic.get().offset, dynamic.get().fileBytes, order);
    List<Long> names = new ArrayList<>();
    long strings = 0;
    for (int at = 0; at + DYNAMIC_ENTRY_BYTES <= table.limit(); at += DYNAMIC_ENTRY_BYTES) {
      long tag = table.getLong(at);
      if (tag == DT_NULL) {
        break;
      }
      if (tag == DT_NEEDED) {
        names.add(table.getLong(at + 8));
      } else if (tag == DT_STRTAB) {
        strings = fileOffset(segments, table.getLong(at + 8));
      }
    }
    List<String> needed = new ArrayList<>();
    for (long name : names) {
      needed.add(string(channel, strings + name));
    }
    return needed;
  }

  private static String buildId(FileChannel channel, ByteOrder order, List<Segment> segments)
      throws IOException {
    for (Segment segment : segments) {
      if (segment.type == PT_NOTE) {
        ByteBuffer notes = bytes(channel, segment.offset, segment.fileBytes, order);
        while (notes.remaining() >= 12) {
          int nameBytes = notes.getInt();
          int contentBytes = notes.getInt();
          int type = notes.getInt();
          int content = notes.position() + padded(nameBytes);
          if (type == NT_GNU_BUILD_ID && nameBytes == 4 && notes.getInt(notes.position()) == GNU) {
            byte[] id = new byte[contentBytes];
            notes.get(content, id);
            return HexFormat.of().formatHex(id);
          }
          notes.position(content + padded(contentBytes));
        }
      }
    }
    return "";
  }

  private static int padded(int bytes) throws IOException {
    if (bytes < 0 || bytes > TABLE_BYTES_MAX) {
      throw new IOException("a note of " + bytes + " bytes");
    }
    return (bytes + 3) / 4 * 4;
  }

  private static long fileOffset(List<Segment> segments, long address) throws IOException {
    for (Segment segment : segments) {
      long within = address - segment.address;
      if (segment.type == PT_LOAD && within >= 0 && within < segment.fileBytes) {
        return segment.offset + within;
      }
    }
    throw new IOException("an address outside the file");
  }

  private static String string(FileChannel channel, long offset) throws IOException {
    long left = Math.min(512, channel.size() - offset);
    ByteBuffer bytes = bytes(channel, offset, left, ByteOrder.LITTLE_ENDIAN);
    int end = 0;
    while (bytes.get(end) != 0) {
      end++;
    }
    byte[] name = new byte[end];
    bytes.get(0, name);
    return new String(name, StandardCharsets.UTF_8);
  }

  private static ByteBuffer bytes(FileChannel channel, long offset, long count, ByteOrder order)
      throws IOException {
    if (offset < 0 || count < 0 || count > TABLE_BYTES_MAX) {
      throw new IOException("a table of " + count + " bytes");
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) count).order(order);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, offset + bytes.position()) < 0) {
        throw new IOException("the file is cut off");
      }
    }
    return bytes.flip().order(order);
  }
}
