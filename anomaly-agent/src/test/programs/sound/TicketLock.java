// expect: lock-ordered TicketLock.TICKETS
// expect: not validated
import java.util.concurrent.atomic.AtomicInteger;

/** Who has the next number goes on; the others spin on a volatile field. */
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
    set(2);
    one.join();
    System.out.println(last > 0);
  }
}
