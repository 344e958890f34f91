package org.reprise.anomaly.hooks;

import org.jspecify.annotations.Nullable;

/**
 * The way from {@link Hooks} and {@link Ranges} to the detector, for contexts that are on. The
 * agent makes the virtual machine compile these methods for themselves only: a detector inlined
 * into each of a method's checks takes the compiler seconds, and the registers from the program's
 * own loop.
 */
final class Checks {
  private Checks() {}

  static void readElement(Object array, int index, int site, Context context) {
    try {
      Hooks.detector().readElement(array, index, site, context);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static void writeElement(Object array, int index, int site, Context context) {
    try {
      Hooks.detector().writeElement(array, index, site, context);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static void readRange(Object array, int from, int to, int stride, int site, Context context) {
    try {
      Hooks.detector().readRange(array, from, to, stride, site, context);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static void writeRange(Object array, int from, int to, int stride, int site, Context context) {
    try {
      Hooks.detector().writeRange(array, from, to, stride, site, context);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static void readRows(
      Object[] rows,
      int rowFrom,
      int rowTo,
      int rowStride,
      int from,
      int to,
      int stride,
      int site,
      Context context) {
    try {
      Hooks.detector().readRows(rows, rowFrom, rowTo, rowStride, from, to, stride, site, context);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static void writeRows(
      Object[] rows,
      int rowFrom,
      int rowTo,
      int rowStride,
      int from,
      int to,
      int stride,
      int site,
      Context context) {
    try {
      Hooks.detector().writeRows(rows, rowFrom, rowTo, rowStride, from, to, stride, site, context);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static void each(
      Object array,
      int from,
      int to,
      int stride,
      int shift,
      int count,
      boolean isWrite,
      int site,
      Context context) {
    try {
      context.each(array, from, to, stride, shift, count, isWrite, site);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static void eachRow(
      Object[] rows,
      int first,
      int from,
      int to,
      int stride,
      int shift,
      int count,
      boolean isConstant,
      boolean isWrite,
      int site,
      Context context) {
    try {
      context.eachRow(rows, first, from, to, stride, shift, count, isConstant, isWrite, site);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static boolean holdsRows(Object[] rows, int first, int count, int to, Context context) {
    try {
      return context.holdsRows(rows, first, count, to);
    } catch (Throwable e) {
      Hooks.failed(e);
      return false;
    }
  }

  static void elements(
      Object array,
      int[] indices,
      int count,
      int first,
      boolean isWrite,
      int site,
      Context context) {
    try {
      context.elements(array, indices, count, first, isWrite, site);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static @Nullable Stamps stamps(Object array, boolean isWrite, int site, Context context) {
    try {
      return context.stamps(array, isWrite, site);
    } catch (Throwable e) {
      Hooks.failed(e);
      return null;
    }
  }

  static void through(
      Object array,
      int[] indices,
      int from,
      int to,
      int stride,
      boolean isWrite,
      int site,
      Context context) {
    try {
      context.indices(isWrite, site).note(array, indices, from, to, stride);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static @Nullable Route route(
      int[][] rows, int @Nullable [] numbers, int from, int to, int low, int high) {
    try {
      return Hooks.detector().route(rows, numbers, from, to, low, high);
    } catch (Throwable e) {
      Hooks.failed(e);
      return null;
    }
  }

  static void through(
      Object array,
      Route route,
      int from,
      int to,
      int stride,
      boolean isWrite,
      int site,
      Context context) {
    try {
      context.indices(isWrite, site).addAll(array, route, from, to, stride);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static void addAll(
      Stamps stamps, int[] @Nullable [] lists, int count, int from, int to, int stride, int tag) {
    try {
      stamps.addAll(lists, count, from, to, stride, tag);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static void readField(Object object, int variable, int site, Context context) {
    try {
      Hooks.detector().readField(object, variable, site, context);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static void readFields(Object object, int[] fields, int group, Context context) {
    try {
      Hooks.detector().readFields(object, fields, group, context);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static boolean looksRead(Object array, int group, Context context) {
    try {
      return context.readArrays.look((Object[]) array, group, context);
    } catch (Throwable e) {
      Hooks.failed(e);
      return false;
    }
  }

  static void writeField(Object object, int variable, int site, Context context) {
    try {
      Hooks.detector().writeField(object, variable, site, context);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static void readStatic(int variable, int site, Context context) {
    try {
      Hooks.detector().readStatic(variable, site, context);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }

  static void writeStatic(int variable, int site, Context context) {
    try {
      Hooks.detector().writeStatic(variable, site, context);
    } catch (Throwable e) {
      Hooks.failed(e);
    }
  }
}
