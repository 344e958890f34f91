package suite.lib;

import java.util.HashMap;
import java.util.Map;

/** Remembers results; not for several threads. */
public final class Memo {
  private final Map<Integer, Long> table = new HashMap<>();
  private int lookups;

  public long square(int n) {
    lookups++;
    Long known = table.get(n);
    if (known == null) {
      known = (long) n * n;
      table.put(n, known);
    }
    return known;
  }
}
