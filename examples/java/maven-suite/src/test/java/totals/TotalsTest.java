package totals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TotalsTest {
  @Test
  void reducedTotal() {
    assertEquals(45, Totals.reduced(10));
  }

  @Test
  void sharedTotal() {
    assertTrue(new Totals().shared(10) <= 45);
  }
}
