// expect: may BoundedBuffer.Item.value
// expect: lock-ordered BoundedBuffer.count
// expect: may BoundedBuffer.first
// expect: may BoundedBuffer.items[*]
// expect: not validated

/** A buffer of the books: put waits for room, take for an item. */
final class BoundedBuffer {
  private final Item[] items = new Item[2];
  private int count;
  private int first;

  static final class Item {
    int value;
  }

  synchronized void put(Item item) throws InterruptedException {
    while (count == items.length) {
      wait();
    }
    items[(first + count) % items.length] = item;
    count++;
    notifyAll();
  }

  synchronized Item take() throws InterruptedException {
    while (count == 0) {
      wait();
    }
    Item item = items[first];
    first = (first + 1) % items.length;
    count--;
    notifyAll();
    return item;
  }

  public static void main(String[] arguments) throws Exception {
    BoundedBuffer buffer = new BoundedBuffer();
    Thread producer = new Thread(() -> {
      try {
        for (int i = 0; i < 6; i++) {
          Item item = new Item();
          item.value = i;
          buffer.put(item);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    producer.start();
    int sum = 0;
    for (int i = 0; i < 6; i++) {
      sum += buffer.take().value;
    }
    producer.join();
    System.out.println(sum);
  }
}
