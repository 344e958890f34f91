package org.reprise.anomaly.agent.detect.library;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.RandomAccess;
import java.util.concurrent.BlockingQueue;
import java.util.random.RandomGenerator;

/** How objects of a library class behave as variables. */
public enum Family {
  /** Nothing that a schedule could change, or no variable at all: locks, immutable collections. */
  NONE,
  /** Shows another collection, which is the variable. */
  VIEW,
  /** An unprotected collection: one variable. */
  COLLECTION,
  /** A list with cheap indices: setting elements at different indices is no conflict. */
  LIST,
  /** Collections, input and output whose every method holds a lock of its own. */
  SYNCHRONIZED,
  /** Maps and sets of java.util.concurrent: keys are variables, and so is their number. */
  CONCURRENT,
  /** A queue for many threads: the end that is put to and the end that is taken from. */
  QUEUE,
  /** One value that is updated atomically. */
  ATOMIC,
  /** Many values, each updated atomically. */
  ATOMIC_ARRAY,
  /** A text that grows, a format with state, an iterator: whatever is not a question writes it. */
  STATE,
  /** A source of random numbers: each call changes it, atomically. */
  RANDOM,
  /** All files together, for which the class of paths stands: each is a variable. */
  FILES;

  public static final ClassValue<Family> OF =
      new ClassValue<>() {
        @Override
        protected Family computeValue(Class<?> type) {
          return of(type);
        }
      };

  /** Whether the object's own methods order, as they come, what those do who call them. */
  public boolean synchronises() {
    return switch (this) {
      case SYNCHRONIZED, CONCURRENT, QUEUE, ATOMIC, ATOMIC_ARRAY -> true;
      case NONE, VIEW, COLLECTION, LIST, STATE, RANDOM, FILES -> false;
    };
  }

  private static Family of(Class<?> type) {
    String name = library(type).getName();
    if (Iterator.class.isAssignableFrom(type)) {
      return STATE; // whatever it goes through
    }
    if (type == Class.class) {
      return FILES;
    }
    if (InputStream.class.isAssignableFrom(type)
        || OutputStream.class.isAssignableFrom(type)
        || Reader.class.isAssignableFrom(type)
        || Writer.class.isAssignableFrom(type)) {
      return SYNCHRONIZED; // in whatever package
    }
    if (name.startsWith("java.util.concurrent.")) {
      return concurrent(name, type);
    }
    if (name.startsWith("java.util.Collections$Unmodifiable")) {
      return VIEW;
    }
    if (name.startsWith("java.util.ImmutableCollections")
        || name.startsWith("java.util.Collections$Empty")
        || name.startsWith("java.util.Collections$Singleton")) {
      return NONE;
    }
    if (name.startsWith("java.util.Collections$Synchronized")
        || name.equals("java.util.Vector")
        || name.equals("java.util.Stack")
        || name.equals("java.util.Hashtable")
        || name.equals("java.util.Properties")
        || name.equals("java.lang.StringBuffer")
        || name.startsWith("java.io.")) {
      return SYNCHRONIZED;
    }
    if (Random.class.isAssignableFrom(type)) {
      return RANDOM;
    }
    if (List.class.isAssignableFrom(type) && RandomAccess.class.isAssignableFrom(type)) {
      return LIST;
    }
    if (Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)) {
      return COLLECTION;
    }
    if (RandomGenerator.class.isAssignableFrom(type)
        || name.equals("java.lang.StringBuilder")
        || name.equals("java.util.BitSet")
        || name.equals("java.util.Formatter")
        || name.equals("java.util.Scanner")
        || name.equals("java.util.StringTokenizer")
        || name.equals("java.util.regex.Matcher")
        || name.equals("java.util.StringJoiner")
        || name.endsWith("Calendar")
        || name.equals("java.util.Date")
        || name.endsWith("SummaryStatistics")
        || name.startsWith("java.text.")) {
      return STATE;
    }
    return NONE;
  }

  private static Family concurrent(String name, Class<?> type) {
    if (name.startsWith("java.util.concurrent.atomic.")) {
      return name.endsWith("Array") ? ATOMIC_ARRAY : ATOMIC;
    }
    if (name.startsWith("java.util.concurrent.CopyOnWrite")) {
      return SYNCHRONIZED; // its elements stand in the order in which they came
    }
    if (BlockingQueue.class.isAssignableFrom(type) || Queue.class.isAssignableFrom(type)) {
      return QUEUE;
    }
    if (Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)) {
      return CONCURRENT;
    }
    return NONE;
  }

  /** The library class that a class of the program extends. */
  private static Class<?> library(Class<?> type) {
    Class<?> library = type;
    while (library.getClassLoader() != null && library.getSuperclass() != null) {
      library = library.getSuperclass();
    }
    return library;
  }
}
