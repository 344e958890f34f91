// expect: validated
import java.nio.IntBuffer;
import java.util.stream.IntStream;

/** The buffer is filled when nothing runs beside. */
final class NioBuffer {

  public static void main(String[] arguments) throws Exception {
    IntBuffer cells = IntBuffer.allocate(10);
    IntStream.range(0, 100).sequential().forEach(i -> cells.put(i % 10, i));
    System.out.println(cells.get(0) >= 0);
  }
}
