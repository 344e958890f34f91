// expect: validated
import java.util.stream.IntStream;

final class Sorted {

  public static void main(String[] arguments) throws Exception {
    int[] marks = new int[300];
    long sum = IntStream.range(0, 300).parallel().map(i -> {
      marks[i] = i;
      return 299 - i;
    }).sorted().map(i -> marks[299 - i]).sum();
    System.out.println(sum);
  }
}
