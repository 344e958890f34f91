package org.reprise.anomaly.agent.detect;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.detect.history.AccessHistory;
import org.reprise.anomaly.agent.detect.history.Handover;
import org.reprise.anomaly.agent.detect.history.IdentityTable;
import org.reprise.anomaly.agent.detect.history.Kind;
import org.reprise.anomaly.agent.detect.history.ObjectShadow;
import org.reprise.anomaly.agent.detect.library.AccessOrder;
import org.reprise.anomaly.agent.detect.library.DrainedElements;
import org.reprise.anomaly.agent.detect.library.Effect;
import org.reprise.anomaly.agent.detect.library.Family;
import org.reprise.anomaly.agent.detect.library.HandOff;
import org.reprise.anomaly.agent.detect.library.ListParts;
import org.reprise.anomaly.agent.detect.library.LockSets;
import org.reprise.anomaly.agent.detect.library.OpenCalls;
import org.reprise.anomaly.agent.detect.library.OpenCalls.Functions;
import org.reprise.anomaly.agent.detect.library.OpenFiles;
import org.reprise.anomaly.agent.detect.library.OpenFiles.OpenFile;
import org.reprise.anomaly.agent.detect.library.Publications;
import org.reprise.anomaly.agent.detect.library.QueueCalls;
import org.reprise.anomaly.agent.detect.library.UnknownObjects;
import org.reprise.anomaly.agent.instrument.program.LibraryCalls;
import org.reprise.anomaly.agent.instrument.program.OperandNames;
import org.reprise.anomaly.agent.instrument.program.Site;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.report.Findings;
import org.reprise.anomaly.hooks.Detector;
import org.reprise.anomaly.hooks.Waits;
import org.reprise.anomaly.report.Obstacle;

/**
 * Objects of the library that are variables: collections, texts, atomics, queues. Each is one
 * variable, or one for each key or index, and calls read or write it as {@link Effect} says.
 */
final class LibraryObjects {
  /** What stands for any method that goes through all of an object, and changes nothing. */
  private static final String GOING_THROUGH = "toArray:void";

  private static final String THROUGH_VIEW = "an element set through a view of its list";

  private final AnomalyDetector detector;
  private final Sites sites;
  private final Findings findings;
  private final LockSets locks;
  private final Publications publications;
  private final IdentityTable<Object, HandOff> handOffs = new IdentityTable<>();
  private final IdentityTable<Object, Map<Object, KeyFunction>> functions = new IdentityTable<>();
  private final UnknownObjects unknown = new UnknownObjects();
  private final IdentityTable<Object, Object> views = new IdentityTable<>();
  private final IdentityTable<Object, Source> sources = new IdentityTable<>();
  private final OpenFiles files = new OpenFiles();

  /** Variables whose updates commute, each with the block that updated it last. */
  private final IdentityTable<Object, Integer> commuters = new IdentityTable<>();

  LibraryObjects(
      AnomalyDetector detector,
      Sites sites,
      Findings findings,
      LockSets locks,
      Publications publications) {
    this.detector = detector;
    this.sites = sites;
    this.findings = findings;
    this.locks = locks;
    this.publications = publications;
  }

  /** A method is called on a library object; the part is an element or key that it names. */
  void call(Object receiver, @Nullable Object part, int site, Checker checker) {
    String call = sites.get(site).call();
    String method = call.substring(call.lastIndexOf('.') + 1);
    if (!method.endsWith(LibraryCalls.GIVEN)) {
      call(receiver, part, method, site, checker);
    } else if (Family.OF.get(receiver.getClass()) != Family.NONE) {
      call(receiver, null, GOING_THROUGH, site, checker);
    }
  }

  private void call(
      Object receiver, @Nullable Object part, String method, int site, Checker checker) {
    Family family = Family.OF.get(receiver.getClass());
    if (family == Family.NONE) {
      callUnknown(receiver, site, checker);
      return;
    }
    if (detector.objectShadow(receiver).isConfinedTo(checker)) {
      return;
    }
    Object backing = views.get(receiver);
    if (backing != null && backing != receiver) {
      if (family == Family.SYNCHRONIZED) {
        callThrough(receiver, backing, part, method, site, checker);
        return;
      }
      if (family == Family.STATE) {
        call(backing, null, Effect.throughIterator(method), site, checker);
      } else if (ListParts.isPart(receiver) && isList(backing)) {
        callOfPart((List<?>) receiver, backing, part, method, site, checker);
      } else {
        call(backing, family == Family.VIEW ? part : null, method, site, checker);
      }
      if (family != Family.STATE) {
        return;
      }
    }
    switch (family) {
      case QUEUE -> queue(receiver, part, method, site, checker);
      case FILES -> file(part, method, site, checker);
      case STATE, SYNCHRONIZED -> {
        Object root = files.root(receiver);
        if (root == receiver || family == Family.STATE) {
          object(receiver, family, part, method, site, checker);
        }
        if (root == receiver) {
          stream(receiver, method, site, checker);
        } else {
          call(root, null, method, site, checker);
        }
      }
      default -> object(receiver, family, part, method, site, checker);
    }
  }

  /** A method is called that does something to a file, and to the names in its folder. */
  private void file(@Nullable Object named, String method, int site, Checker checker) {
    String path = named == null ? null : OpenFiles.path(named);
    Kind kind = Effect.of(Family.FILES, method).part();
    if (path == null || kind == null) {
      return;
    }
    file(path, kind, null, site, checker);
    for (String names : OpenFiles.listed(path, method)) {
      file(names, Kind.READ, null, site, checker);
    }
    if (kind != Kind.READ) {
      for (String names : OpenFiles.naming(path)) {
        file(names, Kind.INSERT, null, site, checker);
      }
    }
  }

  /** The same through a stream, by whatever streams around it. */
  private void stream(Object stream, String method, int site, Checker checker) {
    OpenFile file = files.file(stream);
    if (file != null) {
      Kind kind = OpenFiles.effect(stream, Effect.name(method));
      file(file.path(), kind, file.mark(), site, checker);
    }
  }

  private void file(String path, Kind kind, @Nullable Object mark, int site, Checker checker) {
    int held = mark == null ? checker.locks() : locks.enter(checker.locks(), mark);
    AccessHistory history = detector.objectShadow(Path.class).part(path);
    detector.accessFile(history, "[" + path + "]", mark, kind, held, site, checker);
  }

  /** A method is called of which nobody knows what it does. */
  private void callUnknown(Object receiver, int site, Checker checker) {
    Site where = sites.get(site);
    String call = Effect.name(where.call());
    int dot = call.lastIndexOf('.');
    String owner = call.substring(0, dot);
    String method = call.substring(dot + 1);
    if (LibraryCalls.isUnknown(owner) && unknown.use(receiver, method, checker)) {
      String what =
          "call of "
              + OperandNames.shortName(owner)
              + "."
              + method
              + "() on an object that blocks share, which is not followed";
      findings.add(new Obstacle(what, where.place()));
    }
  }

  /** A method of a view that holds a lock, its own, while it calls the collection behind it. */
  private void callThrough(
      Object view,
      Object backing,
      @Nullable Object part,
      String method,
      int site,
      Checker checker) {
    Effect effect = Effect.of(Family.SYNCHRONIZED, method);
    if (effect.isWrite()) {
      release(view, Family.SYNCHRONIZED, part, effect, checker);
    }
    begin(view, Family.SYNCHRONIZED, part, effect, method, checker);
    int held = checker.locks();
    checker.hold(locks.enter(held, view));
    try {
      call(backing, part, method, site, checker);
    } finally {
      checker.hold(held);
    }
  }

  private void object(
      Object receiver,
      Family family,
      @Nullable Object part,
      String method,
      int site,
      Checker checker) {
    Effect effect = Effect.of(family, method);
    int held = effect.isAtomic() ? locks.enter(checker.locks(), receiver) : checker.locks();
    ObjectShadow shadow = detector.objectShadow(receiver);
    Kind whole = effect.whole();
    Kind onPart = effect.part();
    if (onPart == Kind.WRITE && part == null) {
      // By way of a view, so that nobody knows which.
      if (family == Family.LIST) {
        findings.add(new Obstacle(THROUGH_VIEW, sites.get(site).place()));
      } else {
        whole = Kind.WRITE;
      }
    }
    if (onPart == Kind.INSERT && part != null && !isSameFunction(receiver, part, method, checker)) {
      onPart = Kind.WRITE;
    }
    if (whole == Kind.READ && AccessOrder.isChangedBy(method, receiver)) {
      whole = Kind.WRITE;
    }
    boolean synchronises = family.synchronises();
    if (whole != null) {
      part(receiver, shadow.part(ObjectShadow.WHOLE), "", whole, synchronises, held, site, checker);
    }
    if (family == Family.LIST && onPart == Kind.WRITE) {
      // Setting elements commutes as far as they differ, but not with going through all of them.
      part(receiver, shadow.part(ObjectShadow.ANY), "[*]", Kind.INSERT, false, held, site, checker);
    } else if (family == Family.LIST && Effect.goesThrough(method)) {
      part(receiver, shadow.part(ObjectShadow.ANY), "[*]", Kind.READ, false, held, site, checker);
    }
    if (onPart != null && part != null) {
      String text = "[" + keyText(part) + "]";
      part(receiver, shadow.part(partKey(part)), text, onPart, synchronises, held, site, checker);
    }
    if (synchronises && effect.isWrite() && !Effect.isRelaxed(method)) {
      // Last, so that who waits for the write comes after it, too.
      release(receiver, family, part, effect, checker);
    }
    if (synchronises) {
      begin(receiver, family, part, effect, method, checker);
    }
  }

  /** Whether a key gets what the same function would give it whoever comes first. */
  private boolean isSameFunction(Object map, Object key, String method, Checker checker) {
    if (!Effect.name(method).equals("computeIfAbsent")) {
      return true;
    }
    KeyFunction function = new KeyFunction(method, new WeakReference<>(checker.takeBound()));
    Map<Object, KeyFunction> known = functions.get(map, any -> new ConcurrentHashMap<>());
    KeyFunction first = known.putIfAbsent(partKey(key), function);
    return first == null || first.isSame(function);
  }

  /**
   * A function from keys to values.
   *
   * @param method which one, as the site says it
   * @param object whose function it is, if it is one of an object's
   */
  private record KeyFunction(String method, WeakReference<@Nullable Object> object) {
    boolean isSame(KeyFunction other) {
      return method.equals(other.method) && object.get() == other.object.get();
    }
  }

  /** Who sees what the call does, in whatever way, has seen what the block did before it. */
  private void release(
      Object receiver, Family family, @Nullable Object part, Effect effect, Checker checker) {
    Release release;
    if (family == Family.ATOMIC && effect.whole() == Kind.WRITE) {
      long before = value(receiver);
      release =
          publications.publish(
              receiver, Detector.ATOMIC_VALUE, before, before, checker.openWrites, checker);
    } else if (effect.whole() == Kind.ADD || effect.part() == Kind.ADD) {
      // Iterations count what is looked at when their loop is over: no block ends for that.
      if (checker.loop != 0 || isAdder(receiver)) {
        return;
      }
      release = checker.promise();
    } else {
      release = checker.release();
    }
    ObjectShadow shadow = detector.objectShadow(receiver);
    shadow.part(ObjectShadow.WHOLE).handover().release(checker, release);
    if (effect.part() != null && part != null) {
      shadow.part(partKey(part)).handover().release(checker, release);
    }
  }

  /** The call may run code of the program, which sees what others did before they changed it. */
  private void begin(
      Object receiver,
      Family family,
      @Nullable Object part,
      Effect effect,
      String method,
      Checker checker) {
    if (!OpenCalls.mayRunCode(part, method, isSorted(backing(receiver)))) {
      return;
    }
    ObjectShadow shadow = detector.objectShadow(receiver);
    Handover whole = shadow.part(ObjectShadow.WHOLE).handover();
    Handover onPart =
        effect.part() == null || part == null ? null : shadow.part(partKey(part)).handover();
    Functions functions = functions(receiver, family, onPart, method);
    Handover made =
        functions == Functions.REPEATED ? shadow.part(ObjectShadow.MADE).handover() : whole;
    checker.openCalls.begin(receiver, whole, onPart, made, functions, checker);
  }

  /** Functions of a concurrent map exclude each other only if they are of one key. */
  private static Functions functions(
      Object receiver, Family family, @Nullable Handover part, String method) {
    boolean isConcurrent = family == Family.CONCURRENT;
    if (!OpenCalls.takesFunction(method) || (isConcurrent && part == null)) {
      return Functions.NONE;
    }
    return family == Family.ATOMIC
            || family == Family.ATOMIC_ARRAY
            || (isConcurrent && receiver instanceof SortedMap<?, ?>)
        ? Functions.REPEATED
        : Functions.EXCLUSIVE;
  }

  private static boolean isSorted(Object collection) {
    return collection instanceof SortedMap<?, ?>
        || collection instanceof SortedSet<?>
        || collection instanceof PriorityBlockingQueue<?>
        || collection instanceof DelayQueue<?>;
  }

  /** What an atomic variable holds, as loops that wait for it are told. */
  private static long value(Object atomic) {
    if (atomic instanceof AtomicBoolean flag) {
      return flag.get() ? 1 : 0;
    }
    if (atomic instanceof AtomicReference<?> reference) {
      return Waits.isSet(reference.get());
    }
    return atomic instanceof Number number ? number.longValue() : 0;
  }

  /** One of which the library says nothing about order. */
  private static boolean isAdder(Object atomic) {
    return atomic instanceof LongAdder
        || atomic instanceof DoubleAdder
        || atomic instanceof LongAccumulator
        || atomic instanceof DoubleAccumulator;
  }

  /** A call has returned: what others did before they changed what it saw comes first here. */
  void called(Object receiver, @Nullable Object part, int site, Checker checker) {
    Family family = Family.OF.get(receiver.getClass());
    Object backing = backing(receiver);
    if (backing != receiver && family != Family.SYNCHRONIZED) {
      called(backing, null, site, checker);
      return;
    }
    Object root = files.root(receiver);
    if (root != receiver) {
      called(root, null, site, checker);
      return;
    }
    if (!family.synchronises()) {
      return;
    }
    String call = sites.get(site).call();
    String method = call.substring(call.lastIndexOf('.') + 1);
    if (Effect.isRelaxed(method)) {
      return;
    }
    if (!checker.openCalls.isEmpty() && checker.openCalls.has(receiver)) {
      checker.leaving(); // what the program's code did in the call is looked at as part of it
      if (checker.openCalls.end(receiver)) {
        checker.renew();
      }
    }
    Effect effect = Effect.of(family, method);
    ObjectShadow shadow = detector.objectShadow(receiver);
    Object key = effect.part() == null || part == null ? ObjectShadow.WHOLE : partKey(part);
    checker.see(shadow.part(key).handover().before(checker));
    if (shadow.has(ObjectShadow.MADE)) {
      checker.see(shadow.part(ObjectShadow.MADE).handover().before(checker));
    }
  }

  private static boolean isList(Object collection) {
    return Family.OF.get(collection.getClass()) == Family.LIST;
  }

  /** A method is called on a part of a list, which is the same as on that list, further on. */
  private void callOfPart(
      List<?> list,
      Object backing,
      @Nullable Object part,
      String method,
      int site,
      Checker checker) {
    int offset = ListParts.offset(list);
    if (!ListParts.isMovedBy(Effect.name(method))) {
      Object index = part instanceof Integer at ? offset + at : null;
      call(backing, index, method, site, checker);
      return;
    }
    if (list.size() > ListParts.MOVED_MAX) {
      findings.add(new Obstacle(THROUGH_VIEW, sites.get(site).place()));
      return;
    }
    ObjectShadow shadow = detector.objectShadow(backing);
    int held = checker.locks();
    part(backing, shadow.part(ObjectShadow.WHOLE), "", Kind.READ, false, held, site, checker);
    part(backing, shadow.part(ObjectShadow.ANY), "[*]", Kind.INSERT, false, held, site, checker);
    for (int i = offset; i < offset + list.size(); i++) {
      part(backing, shadow.part(i), "[" + i + "]", Kind.WRITE, false, held, site, checker);
    }
  }

  /**
   * A queue for many threads has two ends. Puts among themselves, and takes among themselves,
   * happen in an order schedule-dependent unless something else orders them; a put is before the
   * take of what was put. Who asks without waiting sees either.
   */
  private void queue(
      Object queue, @Nullable Object element, String method, int site, Checker checker) {
    String name = method.substring(0, method.indexOf(':'));
    ObjectShadow shadow = detector.objectShadow(queue);
    int held = locks.enter(checker.locks(), queue);
    Handover handover = shadow.part(ObjectShadow.WHOLE).handover();
    AccessHistory tail = shadow.part(ObjectShadow.TAIL);
    AccessHistory head = shadow.part(ObjectShadow.HEAD);
    boolean isSorted = isSorted(queue);
    if (OpenCalls.mayRunCode(element, name, isSorted)) {
      checker.openCalls.begin(queue, handover, null, handover, Functions.NONE, checker);
    }
    if (isSorted || QueueCalls.usesOtherEnd(name)) {
      // What comes out next depends on what was put in before it was taken.
      part(queue, QueueCalls.puts(name) ? head : tail, "", Kind.WRITE, true, held, site, checker);
    } else if (QueueCalls.mayRefuse(name, queue)) {
      part(queue, head, "", Kind.READ, true, checker.locks(), site, checker);
    }
    if (QueueCalls.puts(name)) {
      handover.release(checker, checker.promise());
      part(queue, tail, "", Kind.WRITE, true, held, site, checker);
      put(handOff(queue), element, name, checker);
    } else if (QueueCalls.waits(name)) {
      if (QueueCalls.waitsForRoom(queue)) {
        handover.release(checker, checker.release());
      }
      part(queue, head, "", Kind.WRITE, true, held, site, checker);
    } else {
      part(queue, tail, "", Kind.READ, true, checker.locks(), site, checker);
      part(queue, head, "", Effect.asks(name) ? Kind.READ : Kind.WRITE, true, held, site, checker);
    }
  }

  private static void put(HandOff handOff, @Nullable Object element, String name, Checker checker) {
    if (element == null) {
      handOff.putOthers(checker);
    } else if (!name.equals("addAll")) {
      handOff.put(element, checker);
    } else if (element instanceof Collection<?> all && all.getClass().getClassLoader() == null) {
      handOff.putAll(all.toArray(), checker);
    } else {
      handOff.putOthers(checker); // to go through it would run code of the program
    }
  }

  /** A call that puts an element into a queue has returned. */
  void put(boolean isAccepted, Object queue, Checker checker) {
    if (Family.OF.get(queue.getClass()) == Family.QUEUE) {
      handOff(queue).returned(isAccepted, checker);
    }
  }

  /** A call returned an element of a queue, which it took out or has only seen. */
  void took(Object element, Object queue, int site, Checker checker) {
    if (Family.OF.get(queue.getClass()) == Family.QUEUE) {
      String call = sites.get(site).call();
      if (Effect.asks(Effect.name(call.substring(call.lastIndexOf('.') + 1)))) {
        handOff(queue).see(element, checker);
      } else {
        handOff(queue).take(element, checker);
      }
    }
  }

  /** What a queue may be drained to, so that it is known which elements come out. */
  Collection<?> drain(Collection<?> into, Object queue, Checker checker) {
    if (Family.OF.get(queue.getClass()) != Family.QUEUE) {
      return into;
    }
    return new DrainedElements(into, element -> handOff(queue).take(element, checker));
  }

  private HandOff handOff(Object queue) {
    return handOffs.get(queue, any -> new HandOff());
  }

  /** A method of the receiver returned a view of it, or a stream through it. */
  void view(Object view, Object receiver, int site) {
    if (view instanceof BaseStream<?, ?>) {
      sources.put(view, new Source(backing(receiver), site));
    } else if (OpenFiles.opens(sites.get(site).call())) {
      files.opened(view, receiver);
    } else {
      views.put(view, backing(receiver));
    }
  }

  /** What an object is a view of; itself if it is none. */
  Object backing(Object object) {
    Object backing = views.get(object);
    return backing == null ? object : backing;
  }

  /** What a stream goes through, and where it was made. */
  private record Source(Object collection, int site) {}

  /** An element of the stream is taken out of its source; false if that is no collection. */
  boolean readSource(Object stream, Checker checker) {
    Source source = sources.get(stream);
    Family family = source == null ? Family.NONE : Family.OF.get(source.collection().getClass());
    if (source == null || (family != Family.COLLECTION && family != Family.LIST)) {
      return false;
    }
    ObjectShadow shadow = detector.objectShadow(source.collection());
    part(
        source.collection(),
        shadow.part(ObjectShadow.WHOLE),
        "",
        Kind.READ,
        false,
        checker.locks(),
        source.site(),
        checker);
    part(
        source.collection(),
        shadow.part(ObjectShadow.ANY),
        "[*]",
        Kind.READ,
        false,
        checker.locks(),
        source.site(),
        checker);
    return true;
  }

  private void part(
      Object object,
      AccessHistory history,
      String suffix,
      Kind kind,
      boolean isSynchronised,
      int held,
      int site,
      Checker checker) {
    if (kind == Kind.ADD || kind == Kind.EXTREME) {
      noteCommuting(history, suffix, site, checker);
    }
    detector.accessPart(object, history, suffix, kind, isSynchronised, held, site, checker);
  }

  /** Remembers a variable that blocks update beside each other, in whatever order. */
  private void noteCommuting(AccessHistory history, String suffix, int site, Checker checker) {
    Integer last = commuters.get(history);
    if (last == null || checker.isAfter(last)) {
      commuters.put(history, checker.tag);
    } else {
      findings.addCommuting(sites.get(site).variable() + (suffix.isEmpty() ? "" : "[*]"));
    }
  }

  /** Keys are told apart as the map does, unless that would run code of the program. */
  private static Object partKey(Object part) {
    return part instanceof Number
            || part instanceof String
            || part instanceof Character
            || part instanceof Boolean
            || part instanceof Enum<?>
        ? part
        : new Identity(part);
  }

  /** An object by its identity. */
  private record Identity(Object object) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Identity identity && identity.object == object;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(object);
    }
  }

  private static String keyText(Object part) {
    return part instanceof Number || part instanceof String ? part.toString() : "*";
  }
}
