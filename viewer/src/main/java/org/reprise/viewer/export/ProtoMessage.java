package org.reprise.viewer.export;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A message of Protocol Buffers that is being written: fields one after the other, each a number
 * with a wire type and a value (protobuf.dev, "Encoding").
 */
final class ProtoMessage {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH_DELIMITED = 2;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  ProtoMessage number(int field, long value) {
    key(field, VARINT);
    varint(value);
    return this;
  }

  ProtoMessage fixed(int field, long value) {
    key(field, FIXED64);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      bytes.write((int) (value >>> shift));
    }
    return this;
  }

  ProtoMessage text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  ProtoMessage message(int field, ProtoMessage value) {
    return bytes(field, value.encoded());
  }

  private ProtoMessage bytes(int field, byte[] value) {
    key(field, LENGTH_DELIMITED);
    varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  private void key(int field, int wireType) {
    varint((long) field << 3 | wireType);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes.write((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  byte[] encoded() {
    return bytes.toByteArray();
  }
}
