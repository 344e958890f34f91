// expect: validated

import java.util.stream.IntStream;

/** Each iteration asks an object of its own for a number, which counts how often it was asked. */
public class AskedObjects {
  private final int[] asked = new int[4];

  private int number(int at) {
    return asked[at]++;
  }

  private int all(AskedObjects[] others, int[] numbers) {
    IntStream.range(0, 4).parallel().forEach(i -> numbers[i] = others[i].number(2));
    return numbers[3];
  }

  public static void main(String[] arguments) {
    AskedObjects[] others = {
      new AskedObjects(), new AskedObjects(), new AskedObjects(), new AskedObjects()
    };
    System.out.println(new AskedObjects().all(others, new int[4]));
  }
}
