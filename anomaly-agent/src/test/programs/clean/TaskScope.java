// needs: 25
// expect: validated
import java.util.concurrent.StructuredTaskScope;

/** join is before everything after it. */
final class TaskScope {
  private static int order;
  private static int user;

  public static void main(String[] arguments) throws Exception {
    try (var scope = StructuredTaskScope.open()) {
      scope.fork(() -> order = 5);
      scope.fork(() -> user = 6);
      scope.join();
      if (order + user != 11) {
        throw new IllegalStateException();
      }
    }
  }
}
