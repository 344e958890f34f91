// expect: anomaly cells[*] WRITE-READ
import java.util.Arrays;

/** A generator that reads its neighbour. */
final class SetAll {

  public static void main(String[] arguments) throws Exception {
    int[] cells = new int[100];
    Arrays.parallelSetAll(cells, i -> i == 0 ? 1 : cells[i - 1] + i);
    System.out.println(cells[99]);
  }
}
