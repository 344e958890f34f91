package mpi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import org.reprise.ranks.fabric.Payload;

/**
 * Objects as bytes and back: how MPI.OBJECT travels, so that no rank sees another one's objects.
 */
final class Serial {
  private Serial() {}

  static byte[] bytes(String call, Object[] objects) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeInt(objects.length);
      for (Object object : objects) {
        out.writeObject(object);
      }
    } catch (IOException e) {
      throw Misuse.error(call, "an object cannot be serialised: ", e);
    }
    return bytes.toByteArray();
  }

  static Object[] objects(String call, Payload payload) {
    if (payload.count() == 0) {
      return new Object[0];
    }
    InputStream bytes =
        new ByteArrayInputStream((byte[]) payload.array(), payload.offset(), payload.count());
    try (ObjectInputStream in = new RankInputStream(bytes)) {
      Object[] objects = new Object[in.readInt()];
      for (int i = 0; i < objects.length; i++) {
        objects[i] = in.readObject();
      }
      return objects;
    } catch (IOException | ClassNotFoundException e) {
      throw Misuse.error(call, "an object cannot be read: ", e);
    }
  }

  /**
   * Finds classes where the receiving rank's program finds them: each rank has its own. The default
   * would take the loader of the nearest class on the stack, which is that of this package.
   */
  private static final class RankInputStream extends ObjectInputStream {
    RankInputStream(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(
            description.getName(), false, Thread.currentThread().getContextClassLoader());
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description);
      }
    }
  }
}
