package org.reprise.anomaly.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Fewer checks report exactly what one check per access reports. */
class EquivalenceTest {
  private static final int SIZE = 8;

  /** Shared, so that both sides number fields alike. */
  private static final Variables variables = new Variables();

  /** One run of a random program: what was reported, and what the program left behind. */
  record Run(Recorder.Record record, String result) {}

  static Run run(String name, Map<String, byte[]> classFiles, boolean every, int n, int m)
      throws Exception {
    Sites sites = new Sites();
    Hierarchy hierarchy = new Hierarchy();
    Warnings warnings = (className, method, why) -> {};
    Scope scope = Scope.everything();
    Instrumenter instrumenter =
        every
            ? new EveryAccess(sites, variables, hierarchy, scope, warnings)
            : new FewerChecks(sites, variables, hierarchy, scope, warnings);
    Class<?> nest = new InstrumentedClasses(classFiles, instrumenter).loadClass(name);
    double[][] a = new double[SIZE][SIZE];
    double[] b = new double[SIZE * 2];
    int[] c = {3, 1, 4, 1, 5, 2, 6, 5};
    Object o = nest.getConstructor().newInstance();
    Map<String, Object> watched = new LinkedHashMap<>();
    watched.put("a", a);
    watched.put("b", b);
    watched.put("c", c);
    watched.put("o", o);
    Recorder.INSTALLED.start(watched);
    String ending = "returned";
    try {
      nest.getMethod(
              "run", double[][].class, double[].class, int[].class, int.class, int.class, nest)
          .invoke(null, a, b, c, n, m, o);
    } catch (InvocationTargetException e) {
      ending = String.valueOf(e.getCause());
    }
    Recorder.Record record = Recorder.INSTALLED.stop();
    return new Run(
        record, ending + java.util.Arrays.deepToString(a) + java.util.Arrays.toString(b));
  }

  @Test
  void randomLoopNestsReportTheSameAccesses() throws Exception {
    int few = 0;
    int many = 0;
    long first = Long.getLong("reprise.seed", 1);
    Map<String, String> sources = new LinkedHashMap<>();
    for (long seed = first; seed < first + Integer.getInteger("reprise.seeds", 100); seed++) {
      sources.put("Nest" + seed, new RandomNests("Nest" + seed, seed).source());
    }
    Map<String, byte[]> classFiles = Sources.compile(sources);
    for (String name : sources.keySet()) {
      String source = sources.get(name);
      for (int[] sizes : new int[][] {{5, 3}, {SIZE, SIZE}, {0, 1}}) {
        Run every = run(name, classFiles, true, sizes[0], sizes[1]);
        Run fewer = run(name, classFiles, false, sizes[0], sizes[1]);
        assertThat(fewer.result()).as(source).isEqualTo(every.result());
        assertThat(fewer.record().differenceFrom(every.record()))
            .as("n=%d m=%d\n%s", sizes[0], sizes[1], source)
            .isNull();
        few += fewer.record().calls();
        many += every.record().calls();
      }
    }
    assertThat(few).as("hook calls against %d", many).isLessThan(many / 2);
  }
}
