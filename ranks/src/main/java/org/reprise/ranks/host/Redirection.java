package org.reprise.ranks.host;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.Superclass;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Rewrites a program class so that what a process has to itself, each rank has to itself: calls of
 * clocks, random sources, exit and standard streams go to {@link RankSystem}. Method references are
 * rewritten too, by way of a bridge method in the class that makes the call. And {@link RankLocks}
 * is notified of the locks that it takes.
 */
final class Redirection {
  private static final ClassDesc RANK_SYSTEM = describe(RankSystem.class);
  private static final ClassDesc RANK_LOCKS = describe(RankLocks.class);
  private static final ClassDesc SECURE_RANDOM = describe(SecureRandom.class);
  private static final ClassDesc RANK_SECURE_RANDOM = describe(RankSecureRandom.class);
  private static final ClassDesc CLOCK = describe(Clock.class);
  private static final ClassDesc ZONE = describe(ZoneId.class);
  private static final MethodTypeDesc NO_ARGUMENTS = MethodTypeDesc.of(CD_void);
  private static final String BRIDGE = "reprise$bridge$";
  private static final String LOCKED = "reprise$locked$";

  /** Classes whose constructor without arguments draws a seed, or the time, that could be given. */
  private static final Set<ClassDesc> SEEDED =
      Set.of(describe(Random.class), describe(SplittableRandom.class), describe(Date.class));

  /** A method or field that program classes name. */
  private record Member(ClassDesc owner, String name, String type) {}

  /** What is called instead, by what stood there; all are static methods of RankSystem. */
  private static final Map<Member, MethodTypeDesc> REPLACED = replaced();

  private static final Set<String> OWNERS = owners();

  private final ClassFile classFile;

  /** A redirection that looks up superclasses where {@code hierarchy} knows them. */
  Redirection(ClassHierarchyResolver hierarchy) {
    ClassHierarchyResolver all =
        hierarchy
            .orElse(ClassHierarchyResolver.defaultResolver())
            // A class that is nowhere may be named in code that is never run.
            .orElse(_ -> ClassHierarchyResolver.ClassHierarchyInfo.ofClass(CD_Object));
    classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(all));
  }

  private static Map<Member, MethodTypeDesc> replaced() {
    Map<Member, MethodTypeDesc> replaced = new HashMap<>();
    for (Method method : RankSystem.class.getMethods()) {
      InPlaceOf mark = method.getAnnotation(InPlaceOf.class);
      if (mark == null) {
        continue;
      }
      List<ClassDesc> parameters = new ArrayList<>();
      for (Class<?> parameter : method.getParameterTypes()) {
        parameters.add(describe(parameter));
      }
      MethodTypeDesc type = MethodTypeDesc.of(describe(method.getReturnType()), parameters);
      for (Class<?> owner : mark.value()) {
        boolean instance = !parameters.isEmpty() && parameters.getFirst().equals(describe(owner));
        String original =
            mark.field()
                ? type.returnType().descriptorString()
                : (instance ? type.dropParameterTypes(0, 1) : type).descriptorString();
        replaced.put(new Member(describe(owner), method.getName(), original), type);
      }
    }
    return Map.copyOf(replaced);
  }

  private static Set<String> owners() {
    Set<String> owners = new HashSet<>();
    REPLACED.keySet().forEach(member -> owners.add(internalName(member.owner)));
    SEEDED.forEach(seeded -> owners.add(internalName(seeded)));
    owners.add(internalName(SECURE_RANDOM));
    return Set.copyOf(owners);
  }

  /** The class as ranks load it; the same array if nothing in it is redirected. */
  byte[] apply(byte[] original) {
    byte[] renamed = RenamedTypes.apply(original);
    ClassModel model = classFile.parse(renamed);
    if (!namesAny(model) && !takesMonitors(model)) {
      return renamed;
    }
    return classFile.transformClass(model, new Rewriting(model).transform());
  }

  private static boolean namesAny(ClassModel model) {
    for (var entry : model.constantPool()) {
      if (entry instanceof java.lang.classfile.constantpool.ClassEntry named) {
        String name = named.asInternalName();
        if (OWNERS.contains(name) || name.startsWith("java/time/")) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean takesMonitors(ClassModel model) {
    return model.methods().stream()
        .anyMatch(method -> isSynchronized(method) || entersMonitor(method));
  }

  private static boolean isSynchronized(MethodModel method) {
    return method.flags().has(AccessFlag.SYNCHRONIZED) && method.code().isPresent();
  }

  private static boolean entersMonitor(MethodModel method) {
    return method.code().isPresent()
        && method.code().get().elementStream().anyMatch(Redirection::entersMonitor);
  }

  private static boolean entersMonitor(CodeElement element) {
    return element instanceof MonitorInstruction monitor && monitor.opcode() == Opcode.MONITORENTER;
  }

  /** The rewriting of one class, which gathers the bridges it needs. */
  private static final class Rewriting {
    private final ClassModel model;
    private final ClassDesc self;
    private final Map<DirectMethodHandleDesc, DirectMethodHandleDesc> bridges = new HashMap<>();

    Rewriting(ClassModel model) {
      this.model = model;
      this.self = model.thisClass().asSymbol();
    }

    ClassTransform transform() {
      ClassTransform members =
          (builder, element) -> {
            switch (element) {
              case MethodModel method when isSynchronized(method) -> split(builder, method);
              case MethodModel method when isRedirected(method) ->
                  builder.transformMethod(method, MethodTransform.transformingCode(this::rewrite));
              case Superclass parent
                  when parent.superclassEntry().asSymbol().equals(SECURE_RANDOM) ->
                  builder.withSuperclass(RANK_SECURE_RANDOM);
              default -> builder.with(element);
            }
          };
      return members.andThen(ClassTransform.endHandler(this::addBridges));
    }

    private static boolean isRedirected(MethodModel method) {
      return method.code().isPresent()
          && method.code().get().elementStream().anyMatch(Rewriting::isRedirected);
    }

    /**
     * A synchronized method has its lock before its first instruction. So the method itself only
     * says that it is about to take it, and calls the one that does.
     */
    private void split(ClassBuilder builder, MethodModel method) {
      boolean isStatic = method.flags().has(AccessFlag.STATIC);
      String name = method.methodName().stringValue();
      String locked = LOCKED + name;
      MethodTypeDesc type = method.methodTypeSymbol();
      builder.withMethod(
          name,
          type,
          method.flags().flagsMask() & ~ClassFile.ACC_SYNCHRONIZED,
          outer ->
              method.forEach(
                  part -> {
                    switch (part) {
                      case CodeModel _ ->
                          outer.withCode(
                              code -> {
                                code.invokestatic(RANK_LOCKS, "before", NO_ARGUMENTS);
                                if (!isStatic) {
                                  code.aload(0);
                                }
                                loadAll(code, type.parameterList(), isStatic ? 0 : 1);
                                if (isStatic) {
                                  code.invokestatic(self, locked, type, isInterface());
                                } else {
                                  code.invokespecial(self, locked, type, isInterface());
                                }
                                code.return_(TypeKind.from(type.returnType()));
                              });
                      case AccessFlags _ -> {}
                      default -> outer.with(part);
                    }
                  }));
      builder.withMethodBody(
          locked,
          type,
          ClassFile.ACC_PRIVATE
              | ClassFile.ACC_SYNCHRONIZED
              | ClassFile.ACC_SYNTHETIC
              | (isStatic ? ClassFile.ACC_STATIC : 0),
          code -> {
            code.invokestatic(RANK_LOCKS, "after", NO_ARGUMENTS);
            method.code().orElseThrow().forEach(element -> rewrite(code, element));
          });
    }

    private static boolean isRedirected(CodeElement element) {
      return switch (element) {
        case MonitorInstruction _ -> entersMonitor(element);
        case InvokeInstruction call ->
            isRedirected(call.owner().asSymbol(), call.name().stringValue(), call.typeSymbol());
        case FieldInstruction field ->
            field.opcode() == Opcode.GETSTATIC && REPLACED.containsKey(member(field));
        case NewObjectInstruction made -> made.className().asSymbol().equals(SECURE_RANDOM);
        case InvokeDynamicInstruction dynamic ->
            dynamic.bootstrapArgs().stream().anyMatch(Rewriting::isRedirected);
        default -> false;
      };
    }

    private static boolean isRedirected(ConstantDesc argument) {
      return argument instanceof DirectMethodHandleDesc handle
          && switch (handle.kind()) {
            case CONSTRUCTOR ->
                isRedirected(
                    handle.owner(), INIT_NAME, handle.invocationType().changeReturnType(CD_void));
            case STATIC, INTERFACE_STATIC ->
                isRedirected(handle.owner(), handle.methodName(), handle.invocationType());
            case VIRTUAL ->
                isRedirected(
                    handle.owner(),
                    handle.methodName(),
                    handle.invocationType().dropParameterTypes(0, 1));
            default -> false;
          };
    }

    private static boolean isRedirected(ClassDesc owner, String name, MethodTypeDesc type) {
      if (name.equals(INIT_NAME)) {
        return owner.equals(SECURE_RANDOM) || (SEEDED.contains(owner) && type.equals(NO_ARGUMENTS));
      }
      return isNow(owner, name, type)
          || REPLACED.containsKey(new Member(owner, name, type.descriptorString()));
    }

    /** {@code Instant.now()}, {@code LocalDate.now(zone)} and the like: each takes a clock, too. */
    private static boolean isNow(ClassDesc owner, String name, MethodTypeDesc type) {
      return name.equals("now")
          && owner.packageName().equals("java.time")
          && (type.parameterCount() == 0 || type.parameterList().equals(List.of(ZONE)));
    }

    private static Member member(FieldInstruction field) {
      return new Member(
          field.owner().asSymbol(),
          field.name().stringValue(),
          field.typeSymbol().descriptorString());
    }

    private void rewrite(CodeBuilder code, CodeElement element) {
      switch (element) {
        case InvokeInstruction call when isRedirected(element) ->
            call(code, call.owner().asSymbol(), call.name().stringValue(), call.typeSymbol());
        case FieldInstruction field when isRedirected(element) ->
            code.invokestatic(RANK_SYSTEM, field.name().stringValue(), REPLACED.get(member(field)));
        case NewObjectInstruction _ when isRedirected(element) -> code.new_(RANK_SECURE_RANDOM);
        case MonitorInstruction _ when isRedirected(element) ->
            code.invokestatic(RANK_LOCKS, "before", NO_ARGUMENTS)
                .with(element)
                .invokestatic(RANK_LOCKS, "after", NO_ARGUMENTS);
        case InvokeDynamicInstruction dynamic when isRedirected(element) ->
            code.invokedynamic(
                DynamicCallSiteDesc.of(
                    dynamic.bootstrapMethod(),
                    dynamic.name().stringValue(),
                    dynamic.typeSymbol(),
                    dynamic.bootstrapArgs().stream()
                        .map(this::bridged)
                        .toArray(ConstantDesc[]::new)));
        default -> code.with(element);
      }
    }

    private static void call(CodeBuilder code, ClassDesc owner, String name, MethodTypeDesc type) {
      if (name.equals(INIT_NAME)) {
        if (owner.equals(SECURE_RANDOM)) {
          code.invokespecial(RANK_SECURE_RANDOM, INIT_NAME, type);
        } else {
          String argument = owner.equals(describe(Date.class)) ? "currentTimeMillis" : "seed";
          code.invokestatic(RANK_SYSTEM, argument, MethodTypeDesc.of(CD_long))
              .invokespecial(owner, INIT_NAME, MethodTypeDesc.of(CD_void, CD_long));
        }
      } else if (isNow(owner, name, type)) {
        String clock = type.parameterCount() == 0 ? "systemDefaultZone" : "system";
        code.invokestatic(RANK_SYSTEM, clock, type.changeReturnType(CLOCK))
            .invokestatic(owner, name, MethodTypeDesc.of(type.returnType(), CLOCK));
      } else {
        MethodTypeDesc replacement = REPLACED.get(new Member(owner, name, type.descriptorString()));
        code.invokestatic(RANK_SYSTEM, name, replacement);
      }
    }

    /** The handle itself, or that of a method of this class which does the same, redirected. */
    private ConstantDesc bridged(ConstantDesc argument) {
      if (!isRedirected(argument)) {
        return argument;
      }
      return bridges.computeIfAbsent(
          (DirectMethodHandleDesc) argument,
          handle ->
              MethodHandleDesc.ofMethod(
                  isInterface()
                      ? DirectMethodHandleDesc.Kind.INTERFACE_STATIC
                      : DirectMethodHandleDesc.Kind.STATIC,
                  self,
                  BRIDGE + bridges.size(),
                  handle.invocationType()));
    }

    private boolean isInterface() {
      return model.flags().has(AccessFlag.INTERFACE);
    }

    private void addBridges(ClassBuilder builder) {
      int access =
          (isInterface() ? ClassFile.ACC_PUBLIC : ClassFile.ACC_PRIVATE)
              | ClassFile.ACC_STATIC
              | ClassFile.ACC_SYNTHETIC;
      bridges.forEach(
          (original, bridge) ->
              builder.withMethodBody(
                  bridge.methodName(),
                  bridge.invocationType(),
                  access,
                  code -> bridge(code, original)));
    }

    private static void loadAll(CodeBuilder code, List<ClassDesc> parameters, int first) {
      int slot = first;
      for (ClassDesc parameter : parameters) {
        TypeKind kind = TypeKind.from(parameter);
        code.loadLocal(kind, slot);
        slot += kind.slotSize();
      }
    }

    private static void bridge(CodeBuilder code, DirectMethodHandleDesc original) {
      MethodTypeDesc type = original.invocationType();
      boolean constructor = original.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR;
      if (constructor) {
        code.new_(original.owner().equals(SECURE_RANDOM) ? RANK_SECURE_RANDOM : original.owner())
            .dup();
      }
      loadAll(code, type.parameterList(), 0);
      if (constructor) {
        call(code, original.owner(), INIT_NAME, type.changeReturnType(CD_void));
      } else {
        boolean instance = original.kind() == DirectMethodHandleDesc.Kind.VIRTUAL;
        call(
            code,
            original.owner(),
            original.methodName(),
            instance ? type.dropParameterTypes(0, 1) : type);
      }
      code.return_(TypeKind.from(type.returnType()));
    }
  }

  private static ClassDesc describe(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  private static String internalName(ClassDesc type) {
    String descriptor = type.descriptorString();
    return descriptor.substring(1, descriptor.length() - 1);
  }
}
