package org.reprise.ranks.host;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Makes a class file name {@link RankRandom} wherever it names {@link ThreadLocalRandom}. That
 * class is final and its seeds belong to the JVM, so nothing less than another type will do; and a
 * type may stand in fields, signatures and calls. All of them name it by texts of the constant
 * pool, and those are changed.
 */
final class RenamedTypes {
  private static final String FROM = ThreadLocalRandom.class.getName().replace('.', '/');
  private static final String TO = RankRandom.class.getName().replace('.', '/');
  private static final byte[] SEARCHED = FROM.getBytes(StandardCharsets.UTF_8);

  private static final int MAGIC_AND_VERSION_BYTES = 8;
  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;

  /** The class file; the same array if it does not name the type. */
  static byte[] apply(byte[] classFile) {
    if (!contains(classFile)) {
      return classFile;
    }
    try {
      return rewrite(classFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean contains(byte[] classFile) {
    for (int at = 0; at + SEARCHED.length <= classFile.length; at++) {
      int same = 0;
      while (same < SEARCHED.length && classFile[at + same] == SEARCHED[same]) {
        same++;
      }
      if (same == SEARCHED.length) {
        return true;
      }
    }
    return false;
  }

  private static byte[] rewrite(byte[] classFile) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(classFile.length);
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(in.readNBytes(MAGIC_AND_VERSION_BYTES));
    int entries = in.readUnsignedShort();
    out.writeShort(entries);
    for (int entry = 1; entry < entries; entry++) {
      int tag = in.readUnsignedByte();
      out.writeByte(tag);
      if (tag == UTF8) {
        out.writeUTF(renamed(in.readUTF()));
      } else {
        out.write(in.readNBytes(operandBytes(tag)));
        // These two take two numbers in the pool.
        entry += tag == LONG || tag == DOUBLE ? 1 : 0;
      }
    }
    out.write(in.readAllBytes());
    return bytes.toByteArray();
  }

  private static String renamed(String text) {
    return text.equals(FROM) ? TO : text.replace("L" + FROM + ";", "L" + TO + ";");
  }

  /** JVM specification, section 4.4. */
  private static int operandBytes(int tag) {
    return switch (tag) {
      case LONG, DOUBLE -> 8;
      case 3, 4, 9, 10, 11, 12, 17, 18 -> 4;
      case 15 -> 3;
      case 7, 8, 16, 19, 20 -> 2;
      default -> throw new ClassFormatError("constant pool tag " + tag);
    };
  }

  private RenamedTypes() {}
}
