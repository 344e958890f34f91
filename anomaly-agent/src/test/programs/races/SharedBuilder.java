// expect: anomaly text WRITE-WRITE
import java.util.stream.IntStream;

final class SharedBuilder {

  public static void main(String[] arguments) throws Exception {
    StringBuilder text = new StringBuilder(4096);
    IntStream.range(0, 20).parallel().forEach(i -> text.append(i));
  }
}
