// expect: anomaly LinkedNodes.Node.next WRITE-READ

/** The link is not volatile. */
final class LinkedNodes {
  static final class Node {
    final int value;
    Node next;

    Node(int value) {
      this.value = value;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Node head = new Node(0);
    Thread writer = new Thread(() -> {
      Node last = head;
      for (int i = 1; i <= 3; i++) {
        Node next = new Node(i);
        last.next = next;
        last = next;
      }
    });
    writer.start();
    int seen = 0;
    for (Node node = head; node != null; node = node.next) {
      seen += node.value;
    }
    writer.join();
    System.out.println(Math.min(seen, 0));
  }
}
