package org.reprise.ranks.host;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether all ranks, and all executions, may share the classes of a program: they may if no rank
 * could notice. It could by a static field that changes, by one whose value depends on who makes
 * it, by the lock of a class, or by an initialiser that does more than compute. When in doubt, each
 * rank gets classes of its own, which is always right and only slower.
 */
final class SharedStatics {
  private static final Set<String> IMMUTABLE =
      Set.of(
          "Ljava/lang/String;",
          "Ljava/lang/Integer;",
          "Ljava/lang/Long;",
          "Ljava/lang/Double;",
          "Ljava/lang/Float;",
          "Ljava/lang/Short;",
          "Ljava/lang/Byte;",
          "Ljava/lang/Character;",
          "Ljava/lang/Boolean;",
          "Ljava/math/BigInteger;",
          "Ljava/math/BigDecimal;");

  /** Classes whose methods compute a value of their arguments and do nothing else. */
  private static final Set<String> PURE =
      Set.of(
          "java/lang/Math", "java/lang/StrictMath", "java/math/BigInteger", "java/math/BigDecimal");

  /** Why the classes cannot be shared, as a phrase; empty if they can be. */
  static Optional<String> reasonAgainst(Map<String, byte[]> classes) {
    for (byte[] bytes : classes.values()) {
      Optional<String> reason = reasonAgainst(ClassFile.of().parse(bytes));
      if (reason.isPresent()) {
        return reason;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> reasonAgainst(ClassModel model) {
    ClassDesc self = model.thisClass().asSymbol();
    String name = self.displayName();
    for (FieldModel field : model.fields()) {
      if (field.flags().has(AccessFlag.STATIC) && !isFixed(field, model)) {
        return Optional.of("static field " + name + "." + field.fieldName().stringValue());
      }
    }
    for (MethodModel method : model.methods()) {
      String methodName = method.methodName().stringValue();
      if (locksAClass(method)) {
        return Optional.of("the lock of a class in " + name + "." + methodName);
      }
      if (methodName.equals("<clinit>") && !onlyComputes(method, model)) {
        return Optional.of("the static initialiser of " + name);
      }
      if (model.flags().has(AccessFlag.ENUM)
          && methodName.equals("<init>")
          && !callsOnly(method, "java/lang/Enum")) {
        return Optional.of("the constructor of enum " + name);
      }
    }
    return Optional.empty();
  }

  private static boolean isFixed(FieldModel field, ClassModel model) {
    if (!field.flags().has(AccessFlag.FINAL)) {
      return false;
    }
    if (field.findAttribute(Attributes.constantValue()).isPresent()) {
      return true;
    }
    ClassDesc type = field.fieldTypeSymbol();
    // javac's own tables: an enum's constants, and a switch over an enum.
    boolean generated = field.flags().has(AccessFlag.SYNTHETIC);
    return type.isPrimitive()
        || IMMUTABLE.contains(type.descriptorString())
        || (generated && type.isArray())
        || isConstantOfEnum(type, model);
  }

  private static boolean isConstantOfEnum(ClassDesc type, ClassModel model) {
    return model.flags().has(AccessFlag.ENUM)
        && type.equals(model.thisClass().asSymbol())
        && model.fields().stream()
            .filter(field -> !field.flags().has(AccessFlag.STATIC))
            .allMatch(
                field ->
                    field.flags().has(AccessFlag.FINAL)
                        && (field.fieldTypeSymbol().isPrimitive()
                            || IMMUTABLE.contains(field.fieldTypeSymbol().descriptorString())));
  }

  private static boolean locksAClass(MethodModel method) {
    if (method.flags().has(AccessFlag.STATIC) && method.flags().has(AccessFlag.SYNCHRONIZED)) {
      return true;
    }
    return method.code().isPresent()
        && method.code().get().elementStream().anyMatch(MonitorInstruction.class::isInstance)
        && method
            .code()
            .get()
            .elementStream()
            .anyMatch(
                element ->
                    element instanceof ConstantInstruction constant
                        && constant.constantValue() instanceof ClassDesc);
  }

  /** A static initialiser that any rank could run for all, at any time. */
  private static boolean onlyComputes(MethodModel initialiser, ClassModel model) {
    String self = model.thisClass().asInternalName();
    boolean isEnum = model.flags().has(AccessFlag.ENUM);
    boolean switches = model.fields().stream().allMatch(SharedStatics::isSwitchTable);
    return initialiser
        .code()
        .orElseThrow()
        .elementStream()
        .allMatch(
            element ->
                switch (element) {
                  case InvokeInstruction call -> {
                    String owner = call.owner().asInternalName();
                    String name = call.name().stringValue();
                    yield (PURE.contains(owner) && !name.equals("random"))
                        || IMMUTABLE.contains("L" + owner + ";") && name.equals("valueOf")
                        || owner.equals("java/lang/Class") && name.equals("desiredAssertionStatus")
                        || (isEnum
                            && owner.equals(self)
                            && (name.equals("<init>") || name.equals("$values")))
                        || (switches && (name.equals("values") || name.equals("ordinal")));
                  }
                  case InvokeDynamicInstruction _ -> false;
                  case java.lang.classfile.instruction.FieldInstruction field ->
                      field.opcode() == Opcode.PUTSTATIC
                          || field.owner().asInternalName().equals(self)
                          || switches;
                  case java.lang.classfile.instruction.NewObjectInstruction made ->
                      (isEnum && made.className().asInternalName().equals(self))
                          || PURE.contains(made.className().asInternalName());
                  default -> true;
                });
  }

  private static boolean isSwitchTable(FieldModel field) {
    return field.fieldName().stringValue().startsWith("$SwitchMap$");
  }

  private static boolean callsOnly(MethodModel method, String owner) {
    return method
        .code()
        .orElseThrow()
        .elementStream()
        .allMatch(
            element ->
                !(element instanceof InvokeInstruction call)
                    || call.owner().asInternalName().equals(owner));
  }

  private SharedStatics() {}
}
