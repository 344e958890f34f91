package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.detect.listing.ListedRoute;
import org.reprise.anomaly.agent.detect.listing.Routes;
import org.reprise.anomaly.hooks.Route;

/** A route is taken for one that is known only if it leads through the same rows. */
class RoutesTest {
  private static final int ROWS = 40;
  private static final int COUNT = Routes.VISITS_MIN;

  private final Routes routes = new Routes();
  private final int[][] rows = new int[ROWS][];
  private final int[] numbers = new int[ROWS];

  @BeforeEach
  void fill() {
    for (int i = 0; i < ROWS; i++) {
      rows[i] = new int[] {i, 2 * i};
      numbers[i] = (7 * i + 3) % ROWS;
    }
  }

  @Test
  void theSameNumbersAreTheSameRoute() {
    Route route = routes.of(rows, numbers, 0, COUNT, 0, 2);
    assertThat(rows(route)).isEqualTo(rowsOf(numbers, COUNT));
    assertThat(routes.of(rows, numbers, 0, COUNT, 0, 2)).isSameAs(route);
    assertThat(routes.of(rows, numbers.clone(), 0, COUNT, 0, 2)).isSameAs(route);
    int[] shifted = new int[ROWS];
    System.arraycopy(numbers, 0, shifted, 2, COUNT);
    assertThat(routes.of(rows, shifted, 2, COUNT + 2, 0, 2)).isSameAs(route);
  }

  @Test
  void otherNumbersAreAnother() {
    Route route = routes.of(rows, numbers, 0, COUNT, 0, 2);
    numbers[COUNT - 1] = 7;
    Route other = routes.of(rows, numbers, 0, COUNT, 0, 2);
    assertThat(other).isNotNull().isNotSameAs(route);
    assertThat(rows(other)).isEqualTo(rowsOf(numbers, COUNT));
    assertThat(routes.of(rows, numbers, 0, COUNT + 1, 0, 2)).isNotSameAs(other);
    Route again = routes.of(rows, numbers, 0, COUNT, 0, 2);
    assertThat(routes.of(rows.clone(), numbers, 0, COUNT, 0, 2)).isNotSameAs(again);
  }

  @Test
  void rowsByTheirOwnNumbersAreAnother() {
    int[] same = IntStream.range(0, ROWS).toArray();
    Route numbered = routes.of(rows, same, 0, COUNT, 0, 2);
    Route own = routes.of(rows, null, 0, COUNT, 0, 2);
    assertThat(own).isNotNull().isNotSameAs(numbered);
    assertThat(rows(own)).isEqualTo(rowsOf(same, COUNT));
    assertThat(routes.of(rows, null, 0, COUNT, 0, 2)).isSameAs(own);
    assertThat(rows(routes.of(rows, null, 1, COUNT + 1, 0, 2))[0]).isSameAs(rows[1]);
  }

  @Test
  void whereSomethingMayBeThrownThereIsNone() {
    assertThat(routes.of(rows, numbers, 0, ROWS + 1, 0, 2)).as("too few numbers").isNull();
    assertThat(routes.of(rows, numbers, -1, COUNT, 0, 2)).isNull();
    assertThat(routes.of(rows, numbers, COUNT, COUNT, 0, 2)).as("nothing").isNull();
    assertThat(routes.of(rows, numbers, ROWS - 1, 2, 0, 2)).isNull();
    assertThat(routes.of(rows, null, 5, ROWS + 1, 0, 2)).as("too few rows").isNull();
    assertThat(routes.of(rows, numbers, 0, COUNT, 0, 3)).as("rows that are too short").isNull();
    int number = numbers[3];
    rows[number] = new int[] {1, -1};
    assertThat(routes.of(rows, numbers, 0, COUNT, 0, 2)).as("no index").isNull();
    assertThat(routes.of(rows, numbers, 0, COUNT, 0, 1)).as("not looked at").isNotNull();
    rows[number] = null;
    assertThat(routes.of(rows, numbers, 0, COUNT, 0, 2)).as("no row").isNull();
    numbers[3] = ROWS;
    assertThat(routes.of(rows, numbers, 0, COUNT, 0, 1)).as("no such row").isNull();
  }

  /** What others know of a route that they took before must not help where the numbers end. */
  @Test
  void aRouteThatIsKnownIsStillComparedWithItsBounds() {
    assertThat(routes.of(rows, numbers, 0, COUNT, 0, 2)).isNotNull();
    int[] shorter = Arrays.copyOf(numbers, COUNT - 1);
    assertThat(routes.of(rows, shorter, 0, COUNT, 0, 2)).isNull();
  }

  @Test
  void fewVisitsHaveNone() {
    assertThat(routes.of(rows, numbers, 0, COUNT - 1, 0, 2)).isNull();
  }

  @Test
  void statementsWithTheSamePlacesShareWhatIsKnown() {
    ListedRoute route = new ListedRoute(known(Route.of(rows, numbers, 0, COUNT, 0, 2)));
    assertThat(route.listing(0, 2, 1)).isSameAs(route.listing(0, 2, 1));
    assertThat(route.listing(0, 1, 1)).isNotSameAs(route.listing(0, 2, 1));
  }

  private int[][] rowsOf(int[] from, int count) {
    return Arrays.stream(from, 0, count).mapToObj(number -> rows[number]).toArray(int[][]::new);
  }

  private static int[][] rows(@Nullable Route route) {
    return known(route).rows();
  }

  private static Route known(@Nullable Route route) {
    if (route == null) {
      throw new AssertionError("no route");
    }
    return route;
  }
}
