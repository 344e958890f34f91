import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.HexFormat;

/** Prints what others may have written down: the serial version and form of a class. */
final class SerialForm {
  private static class Base implements Serializable {
    int a = 1;
  }

  private static final class Derived extends Base {
    protected double b = 2;
  }

  public static void main(String[] arguments) throws Exception {
    System.out.println(ObjectStreamClass.lookup(Base.class).getSerialVersionUID());
    System.out.println(ObjectStreamClass.lookup(Derived.class).getSerialVersionUID());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Derived());
    }
    System.out.println(HexFormat.of().formatHex(bytes.toByteArray()));
  }
}
