// expect: validated
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Before and after the threads, a handle is as good as a field. */
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
    READY.setRelease(true);
    Thread writer = new Thread(() -> data = 3);
    writer.start();
    writer.join();
    System.out.println(data + (ready ? 1 : 0));
  }
}
