// expect: lock-ordered GetAndSet.Message.text
// expect: lock-ordered box
// expect: not validated
import java.util.concurrent.atomic.AtomicReference;

/** A message goes from one to the other by getAndSet; who gets it has it alone. */
final class GetAndSet {
  static final class Message {
    int text;
  }

  public static void main(String[] arguments) throws Exception {
    AtomicReference<Message> box = new AtomicReference<>();
    Thread sender = new Thread(() -> {
      Message message = new Message();
      message.text = 7;
      box.set(message);
    });
    sender.start();
    Message received = box.getAndSet(null);
    while (received == null) {
      received = box.getAndSet(null);
    }
    System.out.println(received.text);
    sender.join();
  }
}
