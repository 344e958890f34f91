// expect: anomaly HandleFlag.data WRITE-READ
// expect: not validated call of VarHandle.setRelease(), which accesses variables past the checks
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The flag is set before the data is there. */
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
      READY.setRelease(flag, true);
      flag.data = 3;
    });
    writer.start();
    while (!(boolean) READY.getAcquire(flag)) {
      Thread.onSpinWait();
    }
    System.out.println(flag.data);
    writer.join();
  }
}
