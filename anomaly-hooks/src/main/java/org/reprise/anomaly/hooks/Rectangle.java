package org.reprise.anomaly.hooks;

import org.jspecify.annotations.Nullable;

/**
 * Elements that a nest of loops accessed and that are not reported yet: some columns of some rows
 * of an array of arrays, or a range of one array. Ranges that come one after the other become one
 * as long as their union is a rectangle; else the old one is reported and the new one kept. So
 * whoever walks through rows of a few elements, or down its columns, reports once a nest.
 *
 * <p>Hot path: once per inner loop. Benchmarks: {@code bench/anomalies}.
 */
public final class Rectangle {
  private final boolean isWrite;
  private final int site;
  private final Context context;

  /** The array, or the array of rows if there are rows; null: nothing is kept. */
  private @Nullable Object array;

  /** The array, if what is kept is a part of it without gaps; it may be null even so. */
  private @Nullable Object dense;

  private int rowFrom;
  private int rowTo;

  /** 0: the columns belong to the array itself. */
  private int rowStride;

  private int from;
  private int to;
  private int stride;

  Rectangle(boolean isWrite, int site, Context context) {
    this.isWrite = isWrite;
    this.site = site;
    this.context = context;
  }

  /** Whether one element goes on where the last one was. Hot path: once per access. */
  boolean goesOn(Object newArray, int index) {
    boolean goesOn = newArray == dense && index == to;
    if (goesOn) {
      to = index + 1;
    }
    return goesOn;
  }

  /** One element. */
  void add(Object newArray, int index) {
    if (newArray == array && rowStride == 0) {
      if (index == to) {
        to += stride;
        return;
      }
      if (stride == 1 && index >= from && index < to) {
        return;
      }
    }
    add(newArray, 0, 0, 0, index, index + 1, 1);
  }

  /** Columns of rows; all strides as in {@link Hooks#readRange}. */
  void add(
      Object newArray,
      int newRowFrom,
      int newRowTo,
      int newRowStride,
      int newFrom,
      int newTo,
      int newStride) {
    include(newArray, newRowFrom, newRowTo, newRowStride, newFrom, newTo, newStride);
    dense = rowStride == 0 && stride == 1 ? array : null;
  }

  private void include(
      Object newArray,
      int newRowFrom,
      int newRowTo,
      int newRowStride,
      int newFrom,
      int newTo,
      int newStride) {
    if (newFrom == newTo || (newRowStride != 0 && newRowFrom == newRowTo)) {
      return;
    }
    if (newStride == -1) {
      // Whoever goes down, as insertion sort does, touches the same as who goes up.
      include(newArray, newRowFrom, newRowTo, newRowStride, newTo + 1, newFrom + 1, 1);
      return;
    }
    if (newArray == array && newRowStride == rowStride) {
      boolean sameRows = newRowFrom == rowFrom && newRowTo == rowTo;
      boolean sameColumns = newFrom == from && newTo == to && newStride == stride;
      if (sameColumns && (sameRows || addRows(newRowFrom, newRowTo))) {
        return;
      }
      if (sameRows && addColumns(newFrom, newTo, newStride)) {
        return;
      }
      if (isInside(newRowFrom, newRowTo, newFrom, newTo, newStride)) {
        return;
      }
    }
    report();
    array = newArray;
    rowFrom = newRowFrom;
    rowTo = newRowTo;
    rowStride = newRowStride;
    from = newFrom;
    to = newTo;
    stride = newStride;
  }

  private boolean addRows(int newFrom, int newTo) {
    if (newFrom == rowTo) {
      rowTo = newTo;
      return true;
    }
    if (rowStride == 1 && newFrom >= rowFrom && newFrom <= rowTo) {
      rowTo = Math.max(rowTo, newTo);
      return true;
    }
    if (rowStride == 1 && newTo == rowFrom) {
      rowFrom = newFrom;
      return true;
    }
    return false;
  }

  private boolean addColumns(int newFrom, int newTo, int newStride) {
    boolean isOne = newStride == 1 && newTo == newFrom + 1;
    if (isOne && newFrom == to) {
      to += stride;
      return true;
    }
    if (newStride == stride && newFrom == to) {
      to = newTo;
      return true;
    }
    if (newStride == 1 && stride == 1) {
      if (newFrom >= from && newFrom <= to) {
        to = Math.max(to, newTo);
        return true;
      }
      if (newFrom < from && newTo >= from) {
        to = Math.max(to, newTo);
        from = newFrom;
        return true;
      }
    }
    if (isOne && stride == 1 && to == from + 1) {
      stride = newFrom - from;
      to = newFrom + stride;
      return true;
    }
    return false;
  }

  private boolean isInside(int newRowFrom, int newRowTo, int newFrom, int newTo, int newStride) {
    return newStride == 1
        && stride == 1
        && newFrom >= from
        && newTo <= to
        && (rowStride == 0 || (rowStride == 1 && newRowFrom >= rowFrom && newRowTo <= rowTo));
  }

  void report() {
    Object reported = array;
    if (reported == null) {
      return;
    }
    array = null;
    dense = null;
    if (rowStride == 0) {
      if (isWrite) {
        Hooks.writeRange(reported, from, to, stride, site, context);
      } else {
        Hooks.readRange(reported, from, to, stride, site, context);
      }
    } else if (isWrite) {
      Hooks.writeRows(reported, rowFrom, rowTo, rowStride, from, to, stride, site, context);
    } else {
      Hooks.readRows(reported, rowFrom, rowTo, rowStride, from, to, stride, site, context);
    }
  }
}
