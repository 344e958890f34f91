package org.reprise.anomaly.agent.instrument.program;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Which calls of library methods are reported: those on objects that are variables themselves. */
public final class LibraryCalls {
  private static final List<String> PACKAGES = List.of("java/util/", "java/text/");

  private static final List<String> NO_VARIABLES =
      List.of(
          "java/util/function/",
          "java/util/stream/",
          "java/util/regex/Pattern",
          "java/util/Optional",
          "java/util/Objects",
          "java/util/Locale",
          "java/util/UUID");

  private static final Set<String> CLASSES =
      Set.of(
          "java/lang/StringBuilder",
          "java/lang/StringBuffer",
          "java/lang/Appendable",
          "java/lang/CharSequence",
          "java/lang/Iterable",
          "java/io/Console",
          "java/io/PrintStream",
          "java/io/PrintWriter",
          "java/io/RandomAccessFile",
          "java/io/StreamTokenizer");

  private static final List<String> STREAMS =
      List.of("Stream", "Reader", "Writer", "Input", "Output");

  /**
   * Packages of the JDK of whose objects it is known what they are, and what prevents validation.
   */
  private static final List<String> KNOWN =
      List.of(
          "java/lang/",
          "java/util/",
          "java/time/",
          "java/math/",
          "java/io/",
          "java/nio/",
          "java/text/",
          "java/net/Inet",
          "java/net/UR",
          "sun/misc/Unsafe",
          "jdk/internal/misc/Unsafe");

  /** Packages below those of which this is not so. */
  private static final List<String> UNKNOWN =
      List.of("java/util/zip/", "java/util/jar/", "java/util/logging/", "java/util/prefs/");

  /** Methods of {@code Collections} that read or change their first argument. */
  private static final Set<String> ON_COLLECTIONS =
      Set.of(
          "addAll",
          "binarySearch",
          "copy",
          "disjoint",
          "fill",
          "frequency",
          "max",
          "min",
          "replaceAll",
          "reverse",
          "rotate",
          "shuffle",
          "sort",
          "swap");

  public static final String STAMPED = "java/util/concurrent/locks/StampedLock";

  private static final String CONDITION = "java/util/concurrent/locks/Condition";

  /** Classes of which an object may be one that synchronises itself. */
  private static final Set<String> SYNCHRONISING =
      Set.of(
          "java/util/Collection",
          "java/util/List",
          "java/util/Set",
          "java/util/SortedSet",
          "java/util/NavigableSet",
          "java/util/Map",
          "java/util/SortedMap",
          "java/util/NavigableMap",
          "java/util/Queue",
          "java/util/Deque",
          "java/util/AbstractQueue",
          "java/util/Iterator",
          "java/util/Vector",
          "java/util/Stack",
          "java/util/Hashtable",
          "java/util/Properties",
          "java/lang/Iterable",
          "java/lang/StringBuffer");

  /** Methods of queues that return an element, which they take out or only look at. */
  private static final Set<String> TAKES =
      Set.of(
          "take",
          "poll",
          "takeFirst",
          "takeLast",
          "pollFirst",
          "pollLast",
          "remove",
          "removeFirst",
          "removeLast",
          "pop",
          "peek",
          "peekFirst",
          "peekLast",
          "element",
          "getFirst",
          "getLast");

  private static final Set<String> REMOVES =
      Set.of("remove", "removeFirstOccurrence", "removeLastOccurrence");

  private static final Set<String> PUTS =
      Set.of(
          "put",
          "add",
          "offer",
          "addLast",
          "offerLast",
          "putLast",
          "transfer",
          "tryTransfer",
          "addFirst",
          "offerFirst",
          "putFirst",
          "push");

  /** Says that a function takes nothing from the block but its arguments. */
  public static final String OF_ARGUMENTS = "own";

  /** Follows the name of a method that goes through the object as one of its arguments. */
  public static final String GIVEN = ":given";

  private static final Set<String> COMMUTING = Set.of("sum", "max", "min");

  private static final Set<String> NUMBERS =
      Set.of("java/lang/Integer", "java/lang/Long", "java/lang/Math");

  /** Methods whose result leads back to the receiver. */
  private static final Set<String> VIEWS =
      Set.of(
          "stream",
          "parallelStream",
          "iterator",
          "listIterator",
          "descendingIterator",
          "subList",
          "keySet",
          "values",
          "entrySet",
          "headMap",
          "tailMap",
          "subMap",
          "headSet",
          "tailSet",
          "subSet",
          "descendingMap",
          "descendingSet",
          "navigableKeySet",
          "descendingKeySet",
          "readLock",
          "writeLock",
          "newCondition",
          "asReadLock",
          "asWriteLock",
          "asReadWriteLock",
          "reversed");

  /** Methods of streams that let the elements flow. */
  private static final Set<String> ENDS =
      Set.of(
          "forEach",
          "forEachOrdered",
          "collect",
          "reduce",
          "toArray",
          "toList",
          "sum",
          "average",
          "min",
          "max",
          "count",
          "summaryStatistics",
          "anyMatch",
          "allMatch",
          "noneMatch",
          "findFirst",
          "findAny");

  /** Methods that run a function of the program. */
  private static final Set<String> WITH_FUNCTION =
      Set.of(
          "compute",
          "computeIfAbsent",
          "computeIfPresent",
          "merge",
          "updateAndGet",
          "getAndUpdate",
          "accumulateAndGet",
          "getAndAccumulate",
          "forEach",
          "replaceAll",
          "removeIf",
          "sort");

  private LibraryCalls() {}

  /** Whether methods of this name run a function of the program. */
  public static boolean takesFunction(String name) {
    return WITH_FUNCTION.contains(name);
  }

  /** Whether the call is one with which a stream ends. */
  public static boolean endsStream(MethodInsnNode call) {
    return call.getOpcode() == Opcodes.INVOKEINTERFACE
        && call.owner.startsWith("java/util/stream/")
        && ENDS.contains(call.name);
  }

  /** Whether the call is one on an object that is a variable of its own, such as a collection. */
  public static boolean isReported(
      MethodInsnNode call, @Nullable ClassLoader loader, Hierarchy hierarchy) {
    if (call.getOpcode() == Opcodes.INVOKESTATIC
        || call.name.equals("<init>")
        || call.owner.startsWith("[")) {
      return false;
    }
    String owner = call.owner;
    if (!Scope.isLibrary(owner.replace('/', '.'))) {
      owner = hierarchy.declaring(loader, owner, call.name, call.desc);
    }
    return isVariable(owner) || isUnknown(owner);
  }

  /** Whether nobody knows what methods of the class, one of the JDK, do to their objects. */
  public static boolean isUnknown(String owner) {
    return Scope.isLibrary(owner.replace('/', '.'))
        && !Scope.isOfReprise(owner.replace('/', '.'))
        && (UNKNOWN.stream().anyMatch(owner::startsWith)
            || KNOWN.stream().noneMatch(owner::startsWith));
  }

  private static boolean isVariable(String owner) {
    return CLASSES.contains(owner)
        || (owner.startsWith("java/io/") && STREAMS.stream().anyMatch(owner::endsWith))
        || (PACKAGES.stream().anyMatch(owner::startsWith)
            && NO_VARIABLES.stream().noneMatch(owner::startsWith));
  }

  /**
   * What the caller does with the call, for those that may commute: {@code :void} if the result is
   * not used, then {@code :sum} and the like if the function handed over is one of those.
   */
  public static String use(MethodInsnNode call) {
    AbstractInsnNode next = call.getNext();
    while (next != null && next.getOpcode() < 0) {
      next = next.getNext();
    }
    boolean dropped =
        call.desc.endsWith(")V")
            || (next != null
                && (next.getOpcode() == Opcodes.POP || next.getOpcode() == Opcodes.POP2));
    String function = "";
    if (argument(call) instanceof InvokeDynamicInsnNode lambda
        && lambda.bsmArgs.length > 1
        && lambda.bsmArgs[1] instanceof Handle target) {
      if (NUMBERS.contains(target.getOwner())) {
        function = ":" + target.getName();
      } else if (isOfItsArguments(lambda, target)) {
        function = ":" + OF_ARGUMENTS + ":" + target.getOwner() + "#" + target.getName();
      }
    }
    return (dropped ? ":void" : ":used") + function;
  }

  /** The function that is handed over takes nothing from the block but its arguments. */
  private static boolean isOfItsArguments(InvokeDynamicInsnNode lambda, Handle target) {
    boolean isStatic =
        target.getTag() == Opcodes.H_INVOKESTATIC || target.getTag() == Opcodes.H_NEWINVOKESPECIAL;
    return Type.getArgumentTypes(lambda.desc).length <= (isStatic ? 0 : 1);
  }

  /** The function of its arguments that is handed over, if it is one of an object's. */
  public static Optional<AbstractInsnNode> boundFunction(MethodInsnNode call) {
    return argument(call) instanceof InvokeDynamicInsnNode lambda
            && lambda.bsmArgs.length > 1
            && lambda.bsmArgs[1] instanceof Handle target
            && isOfItsArguments(lambda, target)
            && Type.getArgumentTypes(lambda.desc).length == 1
        ? Optional.of(lambda)
        : Optional.empty();
  }

  /** Whether the function that is handed over is a sum of integers, a maximum or a minimum. */
  static boolean commutes(MethodInsnNode call) {
    return argument(call) instanceof InvokeDynamicInsnNode lambda
        && lambda.bsmArgs.length > 1
        && lambda.bsmArgs[1] instanceof Handle target
        && NUMBERS.contains(target.getOwner())
        && COMMUTING.contains(target.getName());
  }

  /** Whether the function that is handed over is a maximum or a minimum, of whatever numbers. */
  static boolean takesExtreme(MethodInsnNode call) {
    return argument(call) instanceof InvokeDynamicInsnNode lambda
        && lambda.bsmArgs.length > 1
        && lambda.bsmArgs[1] instanceof Handle target
        && (target.getName().equals("max") || target.getName().equals("min"));
  }

  /** Whether the constant is among the arguments, as far as nothing is computed between them. */
  static boolean isGiven(MethodInsnNode call, Object constant) {
    AbstractInsnNode at = call.getPrevious();
    while (at != null && !(at instanceof MethodInsnNode) && !(at instanceof JumpInsnNode)) {
      if (at instanceof LdcInsnNode load && load.cst.equals(constant)) {
        return true;
      }
      at = at.getPrevious();
    }
    return false;
  }

  /** The name of the method that made the last argument of the call; empty if none did. */
  static String madeBefore(MethodInsnNode call) {
    return argument(call) instanceof MethodInsnNode made ? made.name : "";
  }

  /** What made the last argument, or the last before those that are constants. */
  private static @Nullable AbstractInsnNode argument(MethodInsnNode call) {
    AbstractInsnNode made = call.getPrevious();
    while (made != null && made.getOpcode() <= Opcodes.LDC) {
      made = made.getPrevious();
    }
    return made;
  }

  /** Whether the call returns something through which its receiver can be changed or read. */
  public static boolean returnsView(MethodInsnNode call) {
    return VIEWS.contains(call.name) && Type.getReturnType(call.desc).getSort() == Type.OBJECT;
  }

  /** Whether the call is static and reads or changes a collection, its first argument. */
  public static boolean isOnCollection(MethodInsnNode call) {
    return call.getOpcode() == Opcodes.INVOKESTATIC
        && call.owner.equals("java/util/Collections")
        && ON_COLLECTIONS.contains(call.name);
  }

  /** Whether the call returns a view of its only argument, a collection. */
  public static boolean wraps(MethodInsnNode call) {
    return call.getOpcode() == Opcodes.INVOKESTATIC
        && call.owner.equals("java/util/Collections")
        && (call.name.startsWith("unmodifiable") || call.name.startsWith("synchronized"));
  }

  /** Whether the call returns an element of a queue, if the receiver is one. */
  public static boolean takes(MethodInsnNode call) {
    return TAKES.contains(call.name) && Type.getReturnType(call.desc).getSort() == Type.OBJECT;
  }

  /** Whether the call returns whether it took its argument out of a queue. */
  public static boolean removes(MethodInsnNode call) {
    return REMOVES.contains(call.name)
        && call.desc.equals("(Ljava/lang/Object;)Z")
        && mayBeOnQueue(call);
  }

  /** Whether the call puts its first argument into a queue, unless it returns false. */
  public static boolean puts(MethodInsnNode call) {
    return PUTS.contains(call.name)
        && (call.desc.endsWith(")V") || call.desc.endsWith(")Z"))
        && call.desc.startsWith("(L")
        && mayBeOnQueue(call);
  }

  /** Most collections are known to be none. */
  private static boolean mayBeOnQueue(MethodInsnNode call) {
    return !call.owner.startsWith("java/util/")
        || call.owner.endsWith("Queue")
        || call.owner.endsWith("Deque")
        || call.owner.equals("java/util/Collection");
  }

  /** Whether the receiver may be an object that synchronises itself. */
  public static boolean maySynchronise(MethodInsnNode call) {
    return (call.owner.startsWith("java/util/concurrent/") && !isLock(call))
        || SYNCHRONISING.contains(call.owner)
        || !call.owner.startsWith("java/");
  }

  /** Whether the call orders what its threads do, as a volatile access does, past the checks. */
  public static boolean isOrderedPastChecks(MethodInsnNode call) {
    boolean isHandle =
        call.owner.equals("java/lang/invoke/VarHandle")
            || call.owner.endsWith("/Unsafe")
            || (call.owner.startsWith("java/util/concurrent/atomic/")
                && call.owner.endsWith("FieldUpdater"));
    boolean isPlain =
        call.name.equals("get")
            || call.name.equals("set")
            || call.name.endsWith("Opaque")
            || call.desc.startsWith("()");
    boolean isFence = call.name.endsWith("Fence");
    return isHandle && (isFence || !isPlain || call.owner.endsWith("FieldUpdater"));
  }

  /** Whether such a call reads, and writes nothing. */
  public static boolean onlyReads(MethodInsnNode call) {
    return (call.name.startsWith("get") && !call.name.startsWith("getAnd"))
        || call.name.equals("acquireFence")
        || call.name.equals("loadFence")
        || call.name.equals("loadLoadFence");
  }

  /** Whether the call makes a text of the last operand, an object of whatever class. */
  public static boolean makesText(MethodInsnNode call) {
    boolean isOfString = call.owner.equals("java/lang/String") && call.name.equals("valueOf");
    boolean isAppended = call.owner.equals("java/lang/StringBuilder") && call.name.equals("append");
    boolean isPrinted = call.owner.equals("java/io/PrintStream") && call.name.startsWith("print");
    boolean isText =
        call.name.equals("toString")
            && call.desc.equals("()Ljava/lang/String;")
            && call.getOpcode() == Opcodes.INVOKEVIRTUAL
            && call.owner.equals("java/lang/Object");
    return isText
        || ((isOfString || isAppended || isPrinted)
            && call.desc.startsWith("(Ljava/lang/Object;)"));
  }

  /** Whether the instruction puts a text together. */
  public static boolean isConcatenation(InvokeDynamicInsnNode instruction) {
    return instruction.bsm.getOwner().equals("java/lang/invoke/StringConcatFactory");
  }

  /** Whether objects of the type may have no text of their own. */
  public static boolean mayHaveAddressAsText(Type type) {
    return type.getSort() >= Type.ARRAY
        && !type.getInternalName().equals("java/lang/String")
        && !NUMBERS.contains(type.getInternalName());
  }

  /** Whether the call returns the value of a thread local. */
  public static boolean isOfThread(MethodInsnNode call) {
    return call.name.equals("get")
        && call.desc.equals("()Ljava/lang/Object;")
        && (call.owner.equals("java/lang/ThreadLocal")
            || call.owner.equals("java/lang/InheritableThreadLocal"));
  }

  /** Whether the call waits in a lock, which it gives back meanwhile. */
  public static boolean waitsInLock(MethodInsnNode call) {
    boolean isMonitor = call.name.equals("wait") && call.desc.endsWith(")V") && isTimed(call.desc);
    return isMonitor || (call.owner.equals(CONDITION) && call.name.startsWith("await"));
  }

  /** Whether the call wakes up all that wait in a monitor, or for a condition. */
  public static boolean wakesAll(MethodInsnNode call) {
    return call.desc.equals("()V")
        && (call.name.equals("notifyAll")
            || (call.owner.equals(CONDITION) && call.name.equals("signalAll")));
  }

  private static boolean isTimed(String descriptor) {
    return descriptor.equals("()V") || descriptor.equals("(J)V") || descriptor.equals("(JI)V");
  }

  /** Whether the call takes elements out of a queue and adds them to its first argument. */
  public static boolean drains(MethodInsnNode call) {
    return call.name.equals("drainTo") && call.desc.startsWith("(Ljava/util/Collection;");
  }

  /** Whether the call has the lock when it returns. */
  public static boolean takesLock(MethodInsnNode call) {
    return isLock(call)
        && (call.name.equals("lock")
            || call.name.equals("lockInterruptibly")
            || (isStamped(call) && call.name.startsWith("writeLock")));
  }

  /** Whether the call has the lock if it returns true, or a number that is not 0. */
  public static boolean triesLock(MethodInsnNode call) {
    return isLock(call)
        && (call.name.equals("tryLock")
            || (isStamped(call)
                && (call.name.equals("tryWriteLock")
                    || call.name.equals("tryConvertToWriteLock"))));
  }

  /**
   * Whether the call has the lock, which others may have at the same time; or what is read from now
   * on counts as read in the lock, if the lock is asked before it is used.
   */
  public static boolean takesShared(MethodInsnNode call) {
    return isStamped(call)
        && (call.name.startsWith("readLock")
            || call.name.equals("tryReadLock")
            || call.name.equals("tryOptimisticRead"));
  }

  /** Whether the call gives back what the one above took, if it was that. */
  public static boolean givesShared(MethodInsnNode call) {
    return isStamped(call) && (call.name.startsWith("unlock") || call.name.equals("validate"));
  }

  /** Whether the call gives the lock back. */
  public static boolean givesLock(MethodInsnNode call) {
    return isLock(call)
        && (call.name.equals("unlock") || (isStamped(call) && call.name.startsWith("unlock")));
  }

  /** A lock that hands out numbers instead of keeping its holders. */
  private static boolean isStamped(MethodInsnNode call) {
    return call.owner.equals(STAMPED);
  }

  private static boolean isLock(MethodInsnNode call) {
    return call.owner.startsWith("java/util/concurrent/locks/");
  }
}
