// expect: not validated which accesses a buffer, whose elements are not followed
import java.nio.IntBuffer;
import java.util.stream.IntStream;

/** Elements of a buffer are past the checks, whether two write the same or not. */
final class NioBuffer {

  public static void main(String[] arguments) throws Exception {
    IntBuffer cells = IntBuffer.allocate(10);
    IntStream.range(0, 100).parallel().forEach(i -> cells.put(i % 10, i));
    System.out.println(cells.get(0) >= 0);
  }
}
