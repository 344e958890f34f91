package org.reprise.anomaly.agent.instrument;

import java.lang.reflect.Array;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.hooks.Context;
import org.reprise.anomaly.hooks.Detector;
import org.reprise.anomaly.hooks.Hooks;

/** A detector that only writes down which elements and fields were reported. */
final class Recorder extends Detector {
  /** There is one detector for the life of the JVM, so the tests share it. */
  static final Recorder INSTALLED = new Recorder();

  static {
    Hooks.install(INSTALLED);
  }

  private static final class On extends Context {
    On() {
      on = true;
      tag = 1;
    }
  }

  private final ThreadLocal<Context> contexts = ThreadLocal.withInitial(On::new);
  private Map<Object, String> names = new IdentityHashMap<>();
  private Set<String> reads = new TreeSet<>();
  private Set<String> writes = new TreeSet<>();
  private int calls;

  /** What was reported, by the names that were given to the objects. */
  record Record(Set<String> reads, Set<String> writes, int calls) {
    /** Whether every access of a run that reports all of them is in here, and nothing else. */
    @Nullable String differenceFrom(Record every) {
      Set<String> missing = new TreeSet<>(every.reads);
      missing.removeAll(reads);
      // Whoever writes an element conflicts with all who access it: that it read it, too, says no
      // more.
      missing.removeAll(writes);
      Set<String> missingWrites = new TreeSet<>(every.writes);
      missingWrites.removeAll(writes);
      Set<String> invented = new TreeSet<>(reads);
      invented.removeAll(every.reads);
      Set<String> inventedWrites = new TreeSet<>(writes);
      inventedWrites.removeAll(every.writes);
      return missing.isEmpty()
              && missingWrites.isEmpty()
              && invented.isEmpty()
              && inventedWrites.isEmpty()
          ? null
          : "missing reads %s, writes %s; invented reads %s, writes %s"
              .formatted(missing, missingWrites, invented, inventedWrites);
    }
  }

  /** Forgets everything; from now on these objects, and the rows of arrays, are written down. */
  void start(Map<String, Object> watched) {
    names = new IdentityHashMap<>();
    reads = new TreeSet<>();
    writes = new TreeSet<>();
    calls = 0;
    watched.forEach(this::name);
  }

  private void name(String name, Object object) {
    names.put(object, name);
    if (object instanceof Object[] rows) {
      for (int i = 0; i < rows.length; i++) {
        if (rows[i] != null) {
          name(name + "[" + i + "]", rows[i]);
        }
      }
    }
  }

  Record stop() {
    Record record = new Record(reads, writes, calls);
    start(Map.of());
    return record;
  }

  private void note(Set<String> to, Object array, int index) {
    String name = names.get(array);
    if (name != null && index >= 0 && index < Array.getLength(array)) {
      to.add(name + "[" + index + "]");
    }
  }

  @Override
  public Context newContext() {
    return contexts.get();
  }

  @Override
  public void readElement(Object array, int index, int site, Context context) {
    calls++;
    note(reads, array, index);
  }

  @Override
  public void writeElement(Object array, int index, int site, Context context) {
    calls++;
    note(writes, array, index);
  }

  @Override
  public void readRange(Object array, int from, int to, int stride, int site, Context context) {
    range(reads, array, from, to, stride);
  }

  @Override
  public void writeRange(Object array, int from, int to, int stride, int site, Context context) {
    range(writes, array, from, to, stride);
  }

  private void range(Set<String> set, Object array, int from, int to, int stride) {
    calls++;
    for (int i = from; stride > 0 ? i < to : i > to; i += stride) {
      note(set, array, i);
    }
  }

  @Override
  public void readField(Object object, int variable, int site, Context context) {
    field(reads, names.get(object), variable);
  }

  @Override
  public void writeField(Object object, int variable, int site, Context context) {
    field(writes, names.get(object), variable);
  }

  @Override
  public void readStatic(int variable, int site, Context context) {
    field(reads, "static", variable);
  }

  @Override
  public void writeStatic(int variable, int site, Context context) {
    field(writes, "static", variable);
  }

  private void field(Set<String> set, @Nullable String name, int variable) {
    calls++;
    if (name != null) {
      set.add(name + "." + variable);
    }
  }
}
