// expect: not validated Object.hashCode(), which depends on addresses
import java.util.stream.IntStream;

/** An object without a hash code of its own has another one in each run. */
final class OwnHash {

  public static void main(String[] arguments) throws Exception {
    Object[] keys = IntStream.range(0, 10).mapToObj(i -> new Object()).toArray();
    int[] hashes = new int[10];
    IntStream.range(0, 10).parallel().forEach(i -> hashes[i] = keys[i].hashCode());
  }
}
