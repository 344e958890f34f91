// expect: anomaly GetAndSet.Message.text WRITE-READ
// expect: lock-ordered box
import java.util.concurrent.atomic.AtomicReference;

/** The message is written after it was given away. */
final class GetAndSet {
  static final class Message {
    int text;
  }

  public static void main(String[] arguments) throws Exception {
    AtomicReference<Message> box = new AtomicReference<>();
    Thread sender = new Thread(() -> {
      Message message = new Message();
      box.set(message);
      message.text = 7;
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
