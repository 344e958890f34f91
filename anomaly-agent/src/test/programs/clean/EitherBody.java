// expect: validated
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
        .forEach(isBackwards ? i -> visit(last - i) : this::visit);
  }

  public static void main(String[] arguments) {
    EitherBody loops = new EitherBody();
    loops.visitAll(true);
    loops.visitAll(false);
    if (IntStream.of(loops.visits).anyMatch(count -> count != 2)) {
      throw new IllegalStateException("not each twice");
    }
  }
}
