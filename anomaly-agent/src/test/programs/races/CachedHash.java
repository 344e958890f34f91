// expect: anomaly CachedHash.Name.hash WRITE-READ
// expect: may CachedHash.Name.hash WRITE-WRITE
import java.util.stream.IntStream;

/** The first iterations compute what they do not find. */
final class CachedHash {
  private static final class Name {
    private final String text;
    private int hash;

    Name(String text) {
      this.text = text;
    }

    int hash() {
      if (hash == 0) {
        hash = text.length() * 31;
      }
      return hash;
    }
  }

  public static void main(String[] arguments) {
    Name name = new Name("shared");
    int[] results = new int[40];
    int early = results[0];
    IntStream.range(0, 40).parallel().forEach(i -> results[i] = name.hash());
    System.out.println(results[39] + early);
  }
}
