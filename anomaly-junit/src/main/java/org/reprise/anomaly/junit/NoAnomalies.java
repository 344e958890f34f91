package org.reprise.anomaly.junit;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.reprise.anomaly.hooks.Hooks;

/**
 * Fails a test that has access anomalies: {@code @ExtendWith(NoAnomalies.class)}. The tests run
 * under the anomaly agent, one at a time; what concurrent tests do is not told apart.
 *
 * <p>Without the agent nothing is checked, and the test fails for that, unless {@code
 * -Dreprise.anomalies=optional} allows it.
 */
public class NoAnomalies implements BeforeEachCallback, AfterEachCallback {
  private static final String OPTIONAL = "optional";

  /** Where this test's findings begin: what other code did before is not its fault. */
  @Override
  public final void beforeEach(ExtensionContext context) {
    if (verdictLines() == null && !OPTIONAL.equals(System.getProperty("reprise.anomalies"))) {
      throw new AssertionError(
          "nothing can be checked: this virtual machine runs without the anomaly agent; start it"
              + " with -javaagent: and the path of reprise-anomaly-agent-VERSION.jar, or allow tests without by"
              + " -Dreprise.anomalies=optional");
    }
  }

  @Override
  public final void afterEach(ExtensionContext context) {
    List<String> lines = verdictLines();
    if (lines != null && (fails(lines.get(0)) || isUnchecked(lines))) {
      throw new AssertionError(
          context.getDisplayName() + ": " + String.join(System.lineSeparator(), lines));
    }
  }

  /** Whether the agent was told to include something else. */
  private static boolean isUnchecked(List<String> lines) {
    return lines.stream().anyMatch(line -> line.contains("nothing was checked"));
  }

  /** The agent brings the class that is asked: where there is no agent, there may be no class. */
  private static @Nullable List<String> verdictLines() {
    try {
      return Hooks.takeVerdictLines();
    } catch (NoClassDefFoundError e) {
      return null;
    }
  }

  /** Whether a test with this verdict fails: "validated", "anomalies" or "not validated". */
  boolean fails(@Nullable String verdict) {
    return "anomalies".equals(verdict);
  }
}
