// expect: anomaly TicketLock.last WRITE-WRITE
import java.util.concurrent.atomic.AtomicInteger;

/** One goes on without a number. */
final class TicketLock {
  private static final AtomicInteger TICKETS = new AtomicInteger();
  private static volatile int turn;
  private static int last;

  private static void set(int value) {
    int own = TICKETS.getAndIncrement();
    while (turn != own) {
      Thread.onSpinWait();
    }
    last = value;
    turn = own + 1;
  }

  public static void main(String[] arguments) throws Exception {
    Thread one = new Thread(() -> set(1));
    one.start();
    last = 2;
    one.join();
    System.out.println(last > 0);
  }
}
