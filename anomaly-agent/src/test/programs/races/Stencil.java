// expect: anomaly values[*] WRITE-READ
import java.util.stream.IntStream;

final class Stencil {

  public static void main(String[] arguments) throws Exception {
    double[] values = new double[200];
    IntStream.range(1, 199).parallel().forEach(i -> values[i] = (values[i - 1] + values[i + 1]) / 2);
  }
}
