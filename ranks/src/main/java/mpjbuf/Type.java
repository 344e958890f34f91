package mpjbuf;

import java.util.List;

/** What the elements of a section of a {@link Buffer} are. */
public final class Type {
  public static final Type BYTE = new Type(0, "BYTE", Byte.BYTES);
  public static final Type CHAR = new Type(1, "CHAR", Character.BYTES);
  public static final Type SHORT = new Type(2, "SHORT", Short.BYTES);
  public static final Type BOOLEAN = new Type(3, "BOOLEAN", 1);
  public static final Type INT = new Type(4, "INT", Integer.BYTES);
  public static final Type LONG = new Type(5, "LONG", Long.BYTES);
  public static final Type FLOAT = new Type(6, "FLOAT", Float.BYTES);
  public static final Type DOUBLE = new Type(7, "DOUBLE", Double.BYTES);
  public static final Type OBJECT = new Type(8, "OBJECT", 0);
  public static final Type UNDEFINED = new Type(-1, "UNDEFINED", 0);

  private static final List<Type> ALL =
      List.of(BYTE, CHAR, SHORT, BOOLEAN, INT, LONG, FLOAT, DOUBLE, OBJECT);

  private final int code;
  private final String name;
  private final int bytes;

  private Type(int code, String name, int bytes) {
    this.code = code;
    this.name = name;
    this.bytes = bytes;
  }

  public int getCode() {
    return code;
  }

  /** {@link #UNDEFINED} if there is none of this code. */
  public static Type getType(int code) {
    return code >= 0 && code < ALL.size() ? ALL.get(code) : UNDEFINED;
  }

  /** Bytes of an element; objects have no fixed number. */
  int bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return name;
  }
}
