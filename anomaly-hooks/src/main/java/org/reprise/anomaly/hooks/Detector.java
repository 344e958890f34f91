package org.reprise.anomaly.hooks;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the accesses that {@link Hooks} reports. One class extends it, in the agent, so
 * that the virtual machine calls it directly. What a method throws goes to {@link #failed}, never
 * to the program.
 */
public abstract class Detector {
  /** Nobody listens. */
  static final Detector NONE = new Detector() {};

  protected Detector() {}

  /** The context of the current thread, which has none yet. */
  public Context newContext() {
    return Context.OFF;
  }

  public void readElement(Object array, int index, int site, Context context) {}

  public void writeElement(Object array, int index, int site, Context context) {}

  public void readRange(Object array, int from, int to, int stride, int site, Context context) {}

  public void writeRange(Object array, int from, int to, int stride, int site, Context context) {}

  /** Ranges of rows; elements outside the arrays are ignored, and so are rows that are null. */
  public void readRows(
      Object[] rows,
      int rowFrom,
      int rowTo,
      int rowStride,
      int from,
      int to,
      int stride,
      int site,
      Context context) {
    for (int row = rowFrom; rowStride > 0 ? row < rowTo : row > rowTo; row += rowStride) {
      if (row >= 0 && row < rows.length && rows[row] != null) {
        readRange(rows[row], from, to, stride, site, context);
      }
    }
  }

  public void writeRows(
      Object[] rows,
      int rowFrom,
      int rowTo,
      int rowStride,
      int from,
      int to,
      int stride,
      int site,
      Context context) {
    for (int row = rowFrom; rowStride > 0 ? row < rowTo : row > rowTo; row += rowStride) {
      if (row >= 0 && row < rows.length && rows[row] != null) {
        writeRange(rows[row], from, to, stride, site, context);
      }
    }
  }

  /**
   * Elements in no order, from the block with this tag on, as in {@link Indices}; {@code indices}
   * may be used again after the call.
   */
  public void readElements(
      Object array, int[] indices, int count, int tag, int site, Context context) {
    for (int i = 0; i < count; i++) {
      if (indices[i] >= 0) {
        readElement(array, indices[i], site, context);
      }
    }
  }

  public void writeElements(
      Object array, int[] indices, int count, int tag, int site, Context context) {
    for (int i = 0; i < count; i++) {
      if (indices[i] >= 0) {
        writeElement(array, indices[i], site, context);
      }
    }
  }

  /** As {@link Route#of}, for whoever remembers routes. */
  public @Nullable Route route(
      int[][] rows, int @Nullable [] numbers, int from, int to, int low, int high) {
    return Route.of(rows, numbers, from, to, low, high);
  }

  public void readField(Object object, int variable, int site, Context context) {}

  /**
   * Fields of one object: {@code fields} holds variables and sites in turn; the group is what
   * {@link Shadow#readByMany} wants to know.
   */
  public void readFields(Object object, int[] fields, int group, Context context) {
    for (int i = 0; i < fields.length; i += 2) {
      readField(object, fields[i], fields[i + 1], context);
    }
  }

  public void writeField(Object object, int variable, int site, Context context) {}

  public void readStatic(int variable, int site, Context context) {}

  public void writeStatic(int variable, int site, Context context) {}

  public void call(Object receiver, int site, Context context) {}

  public void called(Object receiver, @Nullable Object part, int site, Context context) {}

  public void callPart(Object receiver, Object part, int site, Context context) {}

  public void put(boolean isAccepted, Object queue, Context context) {}

  public Collection<?> drain(Collection<?> into, Object queue, Context context) {
    return into;
  }

  public void took(Object element, Object queue, int site, Context context) {}

  public void view(Object view, Object receiver, int site, Context context) {}

  public void enter(Object lock, Context context) {}

  public void tried(Object lock, Context context) {}

  public void exit(Object lock, Context context) {}

  public void releases(@Nullable Object object, Context context) {}

  public void acquires(@Nullable Object object, Context context) {}

  public void confine(Object object, Context context) {}

  public void waits(Object lock, Context context) {}

  public void waited(Object lock, Context context) {}

  public void initialize(boolean begins, Context context) {}

  /** Stands for the value of an atomic variable, where fields have numbers. */
  public static final int ATOMIC_VALUE = -1;

  public void publish(
      @Nullable Object object, int variable, long before, long after, Context context) {}

  public void write(
      @Nullable Object object, int variable, long before, long after, Context context) {}

  public void wakesAll(Object signal, Context context) {}

  public void readVolatile(@Nullable Object object, int variable, int site, Context context) {}

  public void left(
      @Nullable Object object,
      int variable,
      int site,
      int test,
      long other,
      @Nullable Object signal,
      Context context) {}

  public void reduce(Object stream, int site, Context context) {}

  public void hazard(int site, Context context) {}

  public void hash(Object object, int site, Context context) {}

  public void text(Object object, int site, Context context) {}

  public void binds(Object object, Context context) {}

  public void gives(Object receiver, Object function, Context context) {}

  public void question(int site, Context context) {}

  public void obstacle(int site, Context context) {}

  public void outside(int number, Context context) {}

  public @Nullable String takeVerdict() {
    return null;
  }

  public @Nullable List<String> takeVerdictLines() {
    return null;
  }

  /** One of the methods above threw this. */
  public void failed(Throwable fault) {}
}
