// expect: validated
import java.util.Arrays;

/** A generator that reads the cell it sets, and another array. */
final class SetAll {

  public static void main(String[] arguments) throws Exception {
    int[] cells = new int[100];
    int[] old = new int[100];
    Arrays.parallelSetAll(cells, i -> i == 0 ? 1 : cells[i] + old[i - 1]);
    System.out.println(cells[99]);
  }
}
