// expect: validated
import java.util.stream.IntStream;

/** A number has always the same hash code, whatever the method that asks knows of it. */
final class OwnHash {

  public static void main(String[] arguments) throws Exception {
    Object[] keys = IntStream.range(0, 10).mapToObj(i -> Integer.valueOf(i)).toArray();
    int[] hashes = new int[10];
    IntStream.range(0, 10).parallel().forEach(i -> hashes[i] = keys[i].hashCode());
  }
}
