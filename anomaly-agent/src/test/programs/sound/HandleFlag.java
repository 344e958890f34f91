// expect: lock-ordered HandleFlag.data
// expect: not validated call of VarHandle.setRelease(), which accesses variables past the checks
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A flag that is set and asked through a handle, with release and acquire. */
final class HandleFlag {
  private static final VarHandle READY;
  private boolean ready;
  private int data;

  static {
    try {
      READY = MethodHandles.lookup().findVarHandle(HandleFlag.class, "ready", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    HandleFlag flag = new HandleFlag();
    Thread writer = new Thread(() -> {
      flag.data = 3;
      READY.setRelease(flag, true);
    });
    writer.start();
    while (!(boolean) READY.getAcquire(flag)) {
      Thread.onSpinWait();
    }
    System.out.println(flag.data);
    writer.join();
  }
}
