// needs: 25
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** More virtual threads than anything else is made for, each of which sleeps a little. */
final class ManyVirtual {
  public static void main(String[] arguments) throws Exception {
    int[] squares = new int[Integer.parseInt(arguments[0])];
    try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < squares.length; i++) {
        int number = i;
        each.submit(
            () -> {
              Thread.sleep(1);
              squares[number] = number * number;
              return number;
            });
      }
    }
    System.out.println(IntStream.of(squares).sum());
  }
}
