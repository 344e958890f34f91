// needs: 25
// expect: validated

final class VirtualThreads {

  public static void main(String[] arguments) throws Exception {
    int[] hits = new int[5];
    Thread[] threads = new Thread[5];
    for (int i = 0; i < 5; i++) {
      int k = i;
      threads[i] = Thread.ofVirtual().start(() -> hits[k]++);
    }
    int sum = 0;
    for (int i = 0; i < 5; i++) {
      threads[i].join();
      sum += hits[i];
    }
    System.out.println(sum);
  }
}
