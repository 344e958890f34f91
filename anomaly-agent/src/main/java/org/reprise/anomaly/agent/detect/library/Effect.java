package org.reprise.anomaly.agent.detect.library;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.detect.history.Kind;
import org.reprise.anomaly.agent.instrument.program.LibraryCalls;

/**
 * What a call does to its receiver.
 *
 * @param whole what it does to the object as one variable; null for nothing
 * @param part what it does to the element or key that it names; null for nothing
 * @param isAtomic it excludes other atomic calls on the object, as if it held a lock
 */
public record Effect(@Nullable Kind whole, @Nullable Kind part, boolean isAtomic) {
  private static final Effect NOTHING = new Effect(null, null, false);

  private static final Set<String> QUESTIONS =
      Set.of(
          "get",
          "size",
          "isEmpty",
          "contains",
          "containsAll",
          "containsKey",
          "containsValue",
          "indexOf",
          "lastIndexOf",
          "iterator",
          "listIterator",
          "descendingIterator",
          "spliterator",
          "forEach",
          "stream",
          "parallelStream",
          "toArray",
          "equals",
          "hashCode",
          "toString",
          "peek",
          "peekFirst",
          "peekLast",
          "element",
          "first",
          "last",
          "getFirst",
          "getLast",
          "firstKey",
          "lastKey",
          "firstEntry",
          "lastEntry",
          "keySet",
          "values",
          "entrySet",
          "getOrDefault",
          "getProperty",
          "propertyNames",
          "stringPropertyNames",
          "ceiling",
          "floor",
          "higher",
          "lower",
          "ceilingKey",
          "floorKey",
          "higherKey",
          "lowerKey",
          "ceilingEntry",
          "floorEntry",
          "higherEntry",
          "lowerEntry",
          "headMap",
          "tailMap",
          "subMap",
          "headSet",
          "tailSet",
          "subSet",
          "subList",
          "descendingMap",
          "descendingSet",
          "navigableKeySet",
          "descendingKeySet",
          "comparator",
          "clone",
          "length",
          "charAt",
          "substring",
          "hasNext",
          "hasMoreElements",
          "hasMoreTokens",
          "capacity",
          "cardinality",
          "nextSetBit",
          "nextClearBit",
          "intersects",
          "getTime",
          "before",
          "after",
          "compareTo",
          "remainingCapacity",
          "mappingCount",
          "getCount",
          "getSum",
          "getMin",
          "getMax",
          "getAverage",
          "elementAt",
          "firstElement",
          "lastElement",
          "elements",
          "keys",
          "reversed",
          "getClass",
          "plain",
          "getPlain",
          "getAcquire",
          "getOpaque",
          "sum",
          "intValue",
          "longValue",
          "doubleValue",
          "floatValue",
          "search",
          "group",
          "groupCount",
          "start",
          "end",
          "hitEnd",
          "available",
          "ready",
          "contentEquals",
          "binarySearch",
          "disjoint",
          "frequency",
          "max",
          "min",
          "getReference");

  /** Methods that change nothing of the file that they are given first, beside those below. */
  private static final Set<String> FILE_QUESTIONS =
      Set.of(
          "copy",
          "exists",
          "find",
          "lastModified",
          "length",
          "lines",
          "list",
          "listFiles",
          "mismatch",
          "newBufferedReader",
          "newDirectoryStream",
          "newInputStream",
          "notExists",
          "probeContentType",
          "size",
          "walk",
          "walkFileTree");

  private static final List<String> FILE_QUESTIONS_BEGIN = List.of("can", "get", "is", "read");

  /** Questions for which a list looks at elements that nobody names. */
  private static final Set<String> GOING_THROUGH =
      Set.of(
          "forEach",
          "contains",
          "containsAll",
          "indexOf",
          "lastIndexOf",
          "toArray",
          "equals",
          "hashCode",
          "toString",
          "clone",
          "binarySearch",
          "disjoint",
          "frequency",
          "max",
          "min");

  /** Of an atomic variable: who reads what these write, or by these, has seen nothing else. */
  private static final Set<String> RELAXED =
      Set.of("getPlain", "getOpaque", "setPlain", "setOpaque", "weakCompareAndSetPlain");

  /** What an iterator does to the collection, rather than to itself. */
  private static final Set<String> BY_ITERATOR = Set.of("remove", "set", "add");

  private static final Set<String> ADDING =
      Set.of(
          "incrementAndGet",
          "decrementAndGet",
          "addAndGet",
          "getAndIncrement",
          "getAndDecrement",
          "getAndAdd",
          "add",
          "increment",
          "decrement");

  /** Functions that commute, as {@code merge} may be given them. */
  private static final Map<String, Kind> COMMUTING =
      Map.of("sum", Kind.ADD, "max", Kind.EXTREME, "min", Kind.EXTREME);

  /**
   * The effect of calling a method.
   *
   * @param method as the site says it: the name, then {@code :void} if the result is not used, then
   *     {@code :sum} and the like if a function is handed over that is known, {@code :own} if it is
   *     one of its arguments only
   */
  public static Effect of(Family family, String method) {
    String[] parts = method.split(":", -1);
    String name = parts[0];
    boolean dropped = parts.length > 1 && parts[1].equals("void");
    Kind commuting = parts.length > 2 ? COMMUTING.get(parts[2]) : null;
    boolean ownFunction = parts.length > 2 && parts[2].equals(LibraryCalls.OF_ARGUMENTS);
    boolean asks = QUESTIONS.contains(name);
    return switch (family) {
      case NONE, VIEW -> NOTHING;
      case COLLECTION, STATE -> new Effect(asks ? Kind.READ : Kind.WRITE, null, false);
      case SYNCHRONIZED, RANDOM -> new Effect(asks ? Kind.READ : Kind.WRITE, null, true);
      case LIST -> list(name, asks);
      case CONCURRENT -> concurrent(name, asks, dropped, commuting, ownFunction);
      case QUEUE -> queue(asks);
      case FILES -> new Effect(null, file(name, parts.length > 1 ? parts[1] : ""), false);
      case ATOMIC -> new Effect(atomic(name, asks, dropped, commuting), null, isUpdate(name, asks));
      case ATOMIC_ARRAY ->
          new Effect(
              null,
              name.equals("length") ? null : atomic(name, asks, dropped, commuting),
              isUpdate(name, asks));
    };
  }

  /** Whether the call changes the object, or a part of it. */
  public boolean isWrite() {
    return (whole != null && whole.isWrite()) || (part != null && part.isWrite());
  }

  /** Whether a method, with how it is used, orders nothing but the variable itself. */
  public static boolean isRelaxed(String method) {
    return RELAXED.contains(name(method));
  }

  /** The method's name without what the site says about its use. */
  public static String name(String method) {
    int use = method.indexOf(':');
    return use < 0 ? method : method.substring(0, use);
  }

  /** What a call of an iterator's method is to the collection that it goes through. */
  public static String throughIterator(String method) {
    return BY_ITERATOR.contains(name(method)) ? method : "forEach:void";
  }

  public static boolean asks(String name) {
    return QUESTIONS.contains(name);
  }

  public static boolean goesThrough(String method) {
    return GOING_THROUGH.contains(name(method));
  }

  private static Effect list(String name, boolean asks) {
    if (name.equals("get")) {
      return new Effect(Kind.READ, Kind.READ, false);
    }
    if (name.equals("set")) {
      return new Effect(Kind.READ, Kind.WRITE, false);
    }
    return new Effect(asks ? Kind.READ : Kind.WRITE, null, false);
  }

  private static Effect concurrent(
      String name, boolean asks, boolean dropped, @Nullable Kind commuting, boolean ownFunction) {
    return switch (name) {
      case "get", "containsKey", "contains", "getOrDefault" -> new Effect(null, Kind.READ, false);
      case "add" -> new Effect(Kind.INSERT, dropped ? Kind.INSERT : Kind.WRITE, true);
      case "computeIfAbsent" ->
          new Effect(Kind.INSERT, ownFunction ? Kind.INSERT : Kind.WRITE, true);
      case "merge" ->
          new Effect(Kind.INSERT, dropped && commuting != null ? commuting : Kind.WRITE, true);
      case "put", "putIfAbsent", "remove", "replace", "compute", "computeIfPresent" ->
          new Effect(Kind.INSERT, Kind.WRITE, true);
      default -> new Effect(asks ? Kind.READ : Kind.WRITE, null, !asks);
    };
  }

  private static Kind file(String name, String use) {
    if (name.equals("createDirectories") || (name.startsWith("mkdir") && use.equals("void"))) {
      return Kind.INSERT;
    }
    boolean asks =
        (name.equals("<init>") && use.equals("read"))
            || FILE_QUESTIONS.contains(name)
            || FILE_QUESTIONS_BEGIN.stream().anyMatch(name::startsWith);
    return asks ? Kind.READ : Kind.WRITE;
  }

  private static Effect queue(boolean asks) {
    return asks ? new Effect(Kind.READ, null, false) : new Effect(Kind.WRITE, null, true);
  }

  private static Kind atomic(String name, boolean asks, boolean dropped, @Nullable Kind commuting) {
    if (asks) {
      return Kind.READ;
    }
    if (dropped && ADDING.contains(name)) {
      return Kind.ADD;
    }
    if (dropped && name.equals("accumulate")) {
      return Kind.EXTREME;
    }
    return dropped && commuting != null ? commuting : Kind.WRITE;
  }

  /** Whether an atomic variable is updated in one step, rather than asked or simply set. */
  private static boolean isUpdate(String name, boolean asks) {
    return !asks && !name.equals("set") && !name.equals("lazySet");
  }
}
