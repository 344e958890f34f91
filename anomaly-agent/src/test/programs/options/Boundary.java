import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import suite.lib.Toolbox;

/** Uses a library in one of several ways: the argument says in which. */
final class Boundary {
  public static void main(String[] arguments) throws InterruptedException {
    List<Integer> numbers = List.of(1, 2, 3, 4, 5, 6, 7, 8);
    List<Integer> results = new ArrayList<>(List.of(0));
    int[] cells = new int[8];
    switch (arguments[0]) {
      case "forks" -> Toolbox.copy(numbers, results);
      case "hands" -> {
        Consumer<Integer> adder = Toolbox.adder(results);
        numbers.parallelStream().forEach(number -> adder.accept(number));
      }
      case "runs" -> {
        IntUnaryOperator counting = Toolbox.counting();
        IntStream.range(0, 8).parallel().forEach(i -> cells[i] = counting.applyAsInt(i));
      }
      case "beside" -> {
        Thread other = new Thread(() -> cells[0] = 1);
        other.start();
        Toolbox.count(cells);
        other.join();
      }
      default -> {
        IntStream.range(0, 8).parallel().forEach(i -> cells[i] = i);
        Toolbox.count(cells);
        Toolbox.counting().applyAsInt(1);
      }
    }
  }
}
