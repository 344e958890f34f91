// expect: lock-ordered TreiberStack.Node.next
// expect: lock-ordered TreiberStack.Node.value
// expect: lock-ordered TreiberStack.head
// expect: not validated
import java.util.concurrent.atomic.AtomicReference;

/** A stack whose head is exchanged by compareAndSet. */
final class TreiberStack {
  private final AtomicReference<Node> head = new AtomicReference<>();

  static final class Node {
    int value;
    Node next;
  }

  void push(int value) {
    Node node = new Node();
    node.value = value;
    Node old;
    do {
      old = head.get();
      node.next = old;
    } while (!head.compareAndSet(old, node));
  }

  Node pop() {
    Node old;
    do {
      old = head.get();
      if (old == null) {
        return null;
      }
    } while (!head.compareAndSet(old, old.next));
    return old;
  }

  public static void main(String[] arguments) throws Exception {
    TreiberStack stack = new TreiberStack();
    Thread other = new Thread(() -> {
      for (int i = 1; i <= 4; i++) {
        stack.push(i);
      }
    });
    other.start();
    int sum = 0;
    int popped = 0;
    while (popped < 4) {
      Node node = stack.pop();
      if (node != null) {
        sum += node.value;
        popped++;
      }
    }
    other.join();
    System.out.println(sum);
  }
}
