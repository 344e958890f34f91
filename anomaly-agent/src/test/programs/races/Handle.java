// expect: not validated VarHandle.setRelease(), which accesses variables past the checks
// expect: anomaly Handle.data WRITE-READ
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Published through a handle that nobody waits for. */
final class Handle {
  private static final VarHandle READY;
  private static boolean ready;
  private static int data;

  static {
    try {
      READY = MethodHandles.lookup().findStaticVarHandle(Handle.class, "ready", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      data = 3;
      READY.setRelease(true);
    });
    writer.start();
    int seen = data;
    writer.join();
    System.out.println(seen >= 0 || ready);
  }
}
