// expect: anomaly EitherBody.visits[*] WRITE-WRITE
// expect: anomaly EitherBody.visits[*] WRITE-READ
import java.util.stream.IntStream;

/** Which of two functions a loop gets is decided when it begins; one calls the other's method. */
final class EitherBody {
  private final int[] visits = new int[1000];

  private void visit(int i) {
    visits[i]++;
  }

  private void visitAll(boolean isBackwards) {
    int last = visits.length - 1;
    IntStream.rangeClosed(0, last)
        .parallel()
        .forEach(isBackwards ? i -> visit((last - i) / 2) : this::visit);
  }

  public static void main(String[] arguments) {
    EitherBody loops = new EitherBody();
    loops.visitAll(true);
    loops.visitAll(false);
  }
}
