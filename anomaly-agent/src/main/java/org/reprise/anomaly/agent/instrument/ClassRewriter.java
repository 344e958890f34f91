package org.reprise.anomaly.agent.instrument;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.code.ShadowField;
import org.reprise.anomaly.agent.instrument.loop.WaitLoops;
import org.reprise.anomaly.agent.instrument.parts.ArrayPart;
import org.reprise.anomaly.agent.instrument.parts.ArrayParts;
import org.reprise.anomaly.agent.instrument.parts.LoopBodies;
import org.reprise.anomaly.agent.instrument.parts.MethodVariants;
import org.reprise.anomaly.agent.instrument.program.CheckedFields;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.MethodReferences;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;

/** Rewrites a class method by method, each as its {@link MethodPlan} says. */
public abstract class ClassRewriter implements Instrumenter {
  private final Sites sites;
  private final Variables variables;
  private final Hierarchy hierarchy;
  private final Scope scope;
  private final Warnings warnings;
  private final MethodVariants copies = new MethodVariants();

  /** How many methods are known to be bodies of loops. */
  private final AtomicInteger bodyCount = new AtomicInteger();

  private Consumer<String> explanations = line -> {};

  ClassRewriter(
      Sites sites, Variables variables, Hierarchy hierarchy, Scope scope, Warnings warnings) {
    this.sites = sites;
    this.variables = variables;
    this.hierarchy = hierarchy;
    this.scope = scope;
    this.warnings = warnings;
  }

  /** Says of every method what becomes of its accesses, line by line. */
  public final void explainTo(Consumer<String> listener) {
    explanations = listener;
  }

  /** How the accesses of a method are checked. */
  abstract MethodPlan plan(RowVisits visits, MethodNode method, @Nullable ClassLoader loader);

  /** The methods that loops may call for row after row, checked before the first call. */
  RowVisits visits(ClassNode owner, @Nullable ClassLoader loader) {
    return RowVisits.none(owner);
  }

  /** The methods that are checked once a call. */
  ArrayParts parts(ClassNode owner) {
    return ArrayParts.none(owner);
  }

  final Hierarchy hierarchy() {
    return hierarchy;
  }

  @Override
  public final byte @Nullable [] instrument(
      @Nullable ClassLoader loader, byte[] classFile, boolean hasShadows) throws CannotInstrument {
    Set<String> leftAlone = new HashSet<>();
    while (true) {
      try {
        return rewrite(loader, classFile, hasShadows, leftAlone);
      } catch (MethodTooLargeException e) {
        String method = ArrayParts.original(e.getMethodName()) + e.getDescriptor();
        if (!leftAlone.add(method)) {
          throw new CannotInstrument(e.getClassName() + ": a method is too large");
        }
        warnings.methodLeftAlone(
            e.getClassName().replace('/', '.'),
            e.getMethodName(),
            "with checks it is larger than 64 KiB");
      }
    }
  }

  private byte[] rewrite(
      @Nullable ClassLoader loader, byte[] classFile, boolean hasShadows, Set<String> leftAlone)
      throws CannotInstrument {
    ClassReader reader = new ClassReader(classFile);
    ClassNode node = new ClassNode();
    reader.accept(node, ClassReader.EXPAND_FRAMES);
    MethodReferences.expand(node, loader, hierarchy);
    Set<String> copied = copies.of(loader, node.name);
    ArrayParts parts = hasShadows && copied == null ? parts(node) : ArrayParts.none(node);
    Map<MethodNode, ArrayPart> whole = parts.whole();
    List<MethodNode> added =
        copied == null ? parts.plain(whole.keySet()) : again(copied, node, parts);
    boolean hasVisits = hasShadows && copied == null && leftAlone.isEmpty();
    RowVisits visits = hasVisits ? visits(node, loader) : RowVisits.none(node);
    Map<MethodNode, MethodPlan> tellers = new IdentityHashMap<>();
    Map<MethodNode, List<MethodNode>> leaves = new IdentityHashMap<>();
    Predicate<MethodNode> mayBeEntered =
        method -> hasShadows && copied == null && !whole.containsKey(method);
    LoopBodies bodies =
        LoopBodies.of(
            node,
            method ->
                mayBeEntered.test(method)
                    && !leftAlone.contains(ArrayParts.key(method))
                    && (tells(node, method, plan(visits, method, loader), tellers)
                        || tellsWithCalls(node, method, loader, leaves)),
            bodyCount::incrementAndGet);
    Set<String> awaited =
        WaitLoops.fieldsAwaitedInLocks(node, new CheckedFields(node, loader, hierarchy));
    for (MethodNode method : visits.inOrder()) {
      if ((method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0
          && !leftAlone.contains(ArrayParts.key(method))) {
        MethodPlan known = visits.plan(method);
        MethodPlan told = known == null ? tellers.get(method) : known;
        MethodPlan plan = told == null ? plan(visits, method, loader) : told;
        MethodChecks checks =
            new MethodChecks(
                node,
                method,
                loader,
                sites,
                variables,
                hierarchy,
                scope,
                plan,
                whole.get(method),
                bodies,
                awaited);
        Footprint footprint = plan.footprint();
        int body = bodies.number(method);
        boolean isEntered =
            mayBeEntered.test(method) && footprint != null && (body != 0 || footprint.hasLoops());
        if (known != null) {
          visits.keepPlain(parts.plain(List.of(method)).get(0), method);
        }
        if (isEntered) {
          addPlain(parts, method, added);
          checks.explanation().checkedAtEntry(body != 0);
        } else if (body != 0) {
          checks.explanation().checkedWithCalls();
        }
        checks.insert();
        if (isEntered && footprint != null) {
          node.methods.set(
              node.methods.indexOf(method),
              FootprintCode.replace(node, method, footprint, plan, sites, body, added));
        } else if (body != 0) {
          addNew(leaves.getOrDefault(method, List.of()), added);
          node.methods.set(
              node.methods.indexOf(method), FootprintCode.replace(node, method, body, added));
        }
        checks.explanation().text().forEach(explanations);
      }
    }
    added.addAll(visits.added());
    node.methods.addAll(added);
    if (copied != null) {
      node.methods.stream()
          .filter(method -> copied.contains(ArrayParts.summaryOf(method)))
          .forEach(method -> SummarisedLoopCode.tellNothing(node, method));
    }
    MethodReferences.forgetNames(node);
    if (hasShadows) {
      ShadowField.addTo(node);
    }
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    node.accept(writer);
    byte[] rewritten = writer.toByteArray();
    copies.keep(loader, node.name, added);
    return rewritten;
  }

  /** Whether a method can report many iterations of a loop at once; then its plan is kept. */
  private static boolean tells(
      ClassNode owner, MethodNode method, MethodPlan plan, Map<MethodNode, MethodPlan> tellers) {
    Footprint footprint = plan.footprint();
    boolean tells =
        footprint != null && SummarisedLoopCode.isPossible(owner, method, footprint, plan);
    if (tells) {
      tellers.put(method, plan);
    }
    return tells;
  }

  /** As {@link #tells}, together with what it calls; then what it needs for that is kept. */
  private boolean tellsWithCalls(
      ClassNode owner,
      MethodNode method,
      @Nullable ClassLoader loader,
      Map<MethodNode, List<MethodNode>> leaves) {
    List<MethodNode> made =
        Inlined.of(owner, method)
            .map(whole -> whole.leaf(all -> plan(RowVisits.none(owner), all, loader), sites))
            .orElse(List.of());
    leaves.put(method, made);
    return !made.isEmpty();
  }

  /** Adds a method as it was written, before it is changed, unless another one needed it. */
  private static void addPlain(ArrayParts parts, MethodNode method, List<MethodNode> plain) {
    String key = ArrayParts.plain(method.name) + method.desc;
    if (plain.stream().noneMatch(copy -> ArrayParts.key(copy).equals(key))) {
      plain.addAll(parts.plain(List.of(method)));
    }
  }

  /** Adds methods but for those that another one needed before. */
  private static void addNew(List<MethodNode> methods, List<MethodNode> added) {
    Set<String> known = added.stream().map(ArrayParts::key).collect(Collectors.toSet());
    methods.stream().filter(method -> known.add(ArrayParts.key(method))).forEach(added::add);
  }

  /** The methods that a class got when it was loaded, all of them as they were written. */
  private static List<MethodNode> again(Set<String> copied, ClassNode owner, ArrayParts parts) {
    List<MethodNode> copies = new ArrayList<>();
    for (MethodNode method : owner.methods) {
      for (String name :
          List.of(
              ArrayParts.plain(method.name),
              ArrayParts.checked(method.name),
              ArrayParts.summary(method.name),
              ArrayParts.declared(method.name))) {
        if (copied.contains(name + method.desc)) {
          MethodNode copy = parts.plain(List.of(method)).get(0);
          copy.name = name;
          copies.add(copy);
        }
      }
      if (copied.contains(RowVisits.eitherKey(method))) {
        copies.add(RowVisits.either(owner, method, method.name));
      }
    }
    return copies;
  }
}
