package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.hooks.Route;

/** A route is taken for one that is known only if it leads through the same rows. */
class RoutesTest {
  private static final int ROWS = 10;

  private final Routes routes = new Routes();
  private final int[][] rows = new int[ROWS][];
  private final int[] numbers = {3, 1, 4, 1, 5, 9, 2, 6};

  @BeforeEach
  void fill() {
    for (int i = 0; i < ROWS; i++) {
      rows[i] = new int[] {i, 2 * i};
    }
  }

  @Test
  void theSameNumbersAreTheSameRoute() {
    Route route = routes.of(rows, numbers, 0, 5, 0, 2);
    assertThat(rows(route)).isEqualTo(new int[][] {rows[3], rows[1], rows[4], rows[1], rows[5]});
    assertThat(routes.of(rows, numbers, 0, 5, 0, 2)).isSameAs(route);
    assertThat(routes.of(rows, numbers.clone(), 0, 5, 0, 2)).isSameAs(route);
    assertThat(routes.of(rows, new int[] {8, 3, 1, 4, 1, 5}, 1, 6, 0, 2)).isSameAs(route);
  }

  @Test
  void otherNumbersAreAnother() {
    Route route = routes.of(rows, numbers, 0, 5, 0, 2);
    numbers[3] = 7;
    Route other = routes.of(rows, numbers, 0, 5, 0, 2);
    assertThat(other).isNotNull().isNotSameAs(route);
    assertThat(rows(other)).isEqualTo(new int[][] {rows[3], rows[1], rows[4], rows[7], rows[5]});
    assertThat(routes.of(rows, numbers, 0, 4, 0, 2)).isNotSameAs(other);
    assertThat(routes.of(rows.clone(), numbers, 0, 5, 0, 2)).isNotSameAs(other);
  }

  @Test
  void rowsByTheirOwnNumbersAreAnother() {
    int[] same = {0, 1, 2};
    Route numbered = routes.of(rows, same, 0, 3, 0, 2);
    Route own = routes.of(rows, null, 0, 3, 0, 2);
    assertThat(own).isNotNull().isNotSameAs(numbered);
    assertThat(rows(own)).isEqualTo(new int[][] {rows[0], rows[1], rows[2]});
    assertThat(routes.of(rows, null, 0, 3, 0, 2)).isSameAs(own);
    assertThat(routes.of(rows, null, 1, 4, 0, 2)).isNotNull().isNotSameAs(own);
  }

  @Test
  void whereSomethingMayBeThrownThereIsNone() {
    assertThat(routes.of(rows, numbers, 0, 9, 0, 2)).as("too few numbers").isNull();
    assertThat(routes.of(rows, numbers, -1, 2, 0, 2)).isNull();
    assertThat(routes.of(rows, numbers, 2, 2, 0, 2)).as("nothing").isNull();
    assertThat(routes.of(rows, numbers, 5, 2, 0, 2)).isNull();
    assertThat(routes.of(rows, null, 5, ROWS + 1, 0, 2)).as("too few rows").isNull();
    assertThat(routes.of(rows, numbers, 0, 3, 0, 3)).as("rows that are too short").isNull();
    rows[1] = null;
    assertThat(routes.of(rows, numbers, 0, 3, 0, 2)).as("no row").isNull();
    rows[1] = new int[] {1, -1};
    assertThat(routes.of(rows, numbers, 0, 3, 0, 2)).as("no index").isNull();
    assertThat(routes.of(rows, numbers, 0, 3, 0, 1)).as("not looked at").isNotNull();
    numbers[2] = ROWS;
    assertThat(routes.of(rows, numbers, 0, 3, 0, 1)).as("no such row").isNull();
  }

  /** What others know of a route that they took before must not help where it ends earlier. */
  @Test
  void aRouteThatIsKnownIsStillComparedWithItsBounds() {
    int[] longer = {3, 1, 4, 1, 5};
    assertThat(routes.of(rows, longer, 0, 5, 0, 2)).isNotNull();
    assertThat(routes.of(rows, new int[] {3, 1, 4, 1}, 0, 5, 0, 2)).isNull();
  }

  @Test
  void statementsWithTheSamePlacesShareWhatIsKnown() {
    ListedRoute route = new ListedRoute(routeOf(0, 5));
    assertThat(route.listing(0, 2, 1)).isSameAs(route.listing(0, 2, 1));
    assertThat(route.listing(0, 1, 1)).isNotSameAs(route.listing(0, 2, 1));
  }

  private Route routeOf(int from, int to) {
    return known(Route.of(rows, numbers, from, to, 0, 2));
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
