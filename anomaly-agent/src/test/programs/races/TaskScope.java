// needs: 25
// expect: anomaly TaskScope.order WRITE-READ
import java.util.concurrent.StructuredTaskScope;

/** Subtasks of one scope run beside each other. */
final class TaskScope {
  private static int order;

  public static void main(String[] arguments) throws Exception {
    try (var scope = StructuredTaskScope.open()) {
      scope.fork(() -> order = 5);
      StructuredTaskScope.Subtask<Integer> price = scope.fork(() -> order * 2);
      scope.join();
      System.out.println(price.get() >= 0);
    }
  }
}
