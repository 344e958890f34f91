// expect: anomaly bits WRITE-WRITE
import java.util.BitSet;
import java.util.stream.IntStream;

/** Bits share words. */
final class Bits {

  public static void main(String[] arguments) throws Exception {
    BitSet bits = new BitSet(64);
    IntStream.range(0, 64).parallel().forEach(i -> bits.set(i));
  }
}
