package org.reprise.debugger.jdi;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.Field;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.Value;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.debugger.source.SourceError;

/**
 * A Java expression, read and evaluated in a frame at once: variables, fields, elements and parts
 * of arrays, arithmetic, comparisons, casts to primitive types. Methods are not called: what they
 * change would make the rest of the run another one.
 */
final class JavaExpression {
  private static final Set<String> PRIMITIVES =
      Set.of("boolean", "byte", "short", "char", "int", "long", "float", "double");
  private static final List<List<String>> LEVELS =
      List.of(
          List.of("|"),
          List.of("^"),
          List.of("&"),
          List.of("==", "!="),
          List.of("<", "<=", ">", ">="),
          List.of("<<", ">>", ">>>"),
          List.of("+", "-"),
          List.of("*", "/", "%"));

  /** A part of an array. */
  record Slice(ArrayReference array, int from, int to) {}

  private final StackFrame frame;
  private final Tokens tokens;

  /** Below a part that does not count: {@code i < n && u[i] > 0}. */
  private int skipped;

  private JavaExpression(StackFrame frame, String typed) {
    this.frame = frame;
    this.tokens = new Tokens(typed);
  }

  /** The value in a frame. */
  static @Nullable Object value(StackFrame frame, String typed) {
    return valueOf(whole(frame, typed));
  }

  /** Whether it is true in a frame. */
  static boolean isTrue(StackFrame frame, String typed) {
    if (Operators.unboxed(value(frame, typed)) instanceof Boolean truth) {
      return truth;
    }
    throw new SourceError("'" + typed + "' is neither true nor false");
  }

  /** The variable that it stands for; empty if it is a value. */
  static Optional<Variable> variable(StackFrame frame, String typed) {
    return whole(frame, typed) instanceof Variable variable
        ? Optional.of(variable)
        : Optional.empty();
  }

  private static @Nullable Object whole(StackFrame frame, String typed) {
    JavaExpression expression = new JavaExpression(frame, typed);
    Object result = expression.conditional();
    if (expression.tokens.peek().equals("=")) {
      throw new SourceError("set var changes variables, print does not; == compares");
    }
    expression.tokens.requireEnd();
    return result;
  }

  private static @Nullable Object valueOf(@Nullable Object operand) {
    if (operand instanceof ReferenceType type) {
      throw new SourceError(type.name() + " is a class, no value");
    }
    Object value = operand instanceof Variable variable ? variable.get() : operand;
    if (value instanceof Value mirrored) {
      Object primitive = ValueText.primitive(mirrored);
      return primitive == null ? mirrored : primitive;
    }
    return value;
  }

  /** What a box of the JDK holds; null if it is none. */
  static @Nullable Object boxed(ObjectReference object) {
    String type = object.referenceType().name();
    Field field =
        type.startsWith("java.lang.") ? object.referenceType().fieldByName("value") : null;
    Value value = field == null ? null : object.getValue(field);
    return value == null ? null : ValueText.primitive(value);
  }

  // ---- From the weakest operator to the strongest ----

  private @Nullable Object conditional() {
    Object condition = or();
    if (!tokens.take("?")) {
      return condition;
    }
    boolean truth = truth(condition);
    Object one = valueOf(skipping(!truth, this::conditional));
    tokens.require(":");
    Object other = valueOf(skipping(truth, this::conditional));
    return truth ? one : other;
  }

  private interface Part {
    @Nullable Object read();
  }

  /** Reads a part that is not evaluated, if so. */
  private @Nullable Object skipping(boolean skip, Part part) {
    skipped += skip ? 1 : 0;
    try {
      return part.read();
    } finally {
      skipped -= skip ? 1 : 0;
    }
  }

  private boolean truth(@Nullable Object operand) {
    if (skipped > 0) {
      return false;
    }
    if (Operators.unboxed(valueOf(operand)) instanceof Boolean truth) {
      return truth;
    }
    throw new SourceError(ValueText.of(valueOf(operand)) + " is neither true nor false");
  }

  private @Nullable Object or() {
    Object left = and();
    while (tokens.take("||")) {
      boolean truth = truth(left);
      left = Boolean.TRUE.equals(skipping(truth, () -> truth(and()))) || truth;
    }
    return left;
  }

  private @Nullable Object and() {
    Object left = binary(0);
    while (tokens.take("&&")) {
      boolean truth = truth(left);
      left = Boolean.TRUE.equals(skipping(!truth, () -> truth(binary(0)))) && truth;
    }
    return left;
  }

  private @Nullable Object binary(int level) {
    if (level == LEVELS.size()) {
      return unary();
    }
    Object left = binary(level + 1);
    while (LEVELS.get(level).contains(tokens.peek())) {
      String sign = tokens.next();
      Object right = binary(level + 1);
      left = skipped > 0 ? null : Operators.binary(sign, valueOf(left), valueOf(right));
    }
    return left;
  }

  private @Nullable Object unary() {
    String sign = tokens.peek();
    if (Set.of("-", "+", "!", "~").contains(sign)) {
      tokens.next();
      Object operand = valueOf(unary());
      return skipped > 0 ? null : Operators.unary(sign, operand);
    }
    if (sign.equals("(") && PRIMITIVES.contains(tokens.peek(1)) && tokens.peek(2).equals(")")) {
      tokens.next();
      String type = tokens.next();
      tokens.next();
      Object operand = valueOf(unary());
      return skipped > 0 ? null : Operators.cast(type, operand);
    }
    return postfix();
  }

  private @Nullable Object postfix() {
    Object operand = primary();
    while (true) {
      if (tokens.take(".")) {
        operand = member(operand, tokens.next());
      } else if (tokens.take("[")) {
        operand = subscript(operand);
      } else {
        return operand;
      }
    }
  }

  private @Nullable Object member(@Nullable Object operand, String name) {
    refuseCall(name);
    if (skipped > 0) {
      return null;
    }
    if (operand instanceof ReferenceType type) {
      return ofType(type, name);
    }
    Object value = valueOf(operand);
    if (value instanceof ArrayReference array && name.equals("length")) {
      return array.length();
    }
    if (value instanceof ObjectReference object) {
      Field field = object.referenceType().fieldByName(name);
      if (field == null) {
        throw new SourceError(object.referenceType().name() + " has no field " + name);
      }
      return field.isStatic() ? new Variable.Static(field) : new Variable.OfObject(object, field);
    }
    throw new SourceError(ValueText.of(value) + " has no field " + name);
  }

  private void refuseCall(String name) {
    if (tokens.peek().equals("(")) {
      throw new SourceError(
          name + "() is not called: methods may change the program; print fields and variables");
    }
  }

  private Object ofType(ReferenceType type, String name) {
    Field field = type.fieldByName(name);
    if (field != null && field.isStatic()) {
      return new Variable.Static(field);
    }
    return named(type.name() + "$" + name)
        .orElseThrow(() -> new SourceError(type.name() + " has no static field " + name));
  }

  private @Nullable Object subscript(@Nullable Object operand) {
    Object first = tokens.peek().equals(":") ? Integer.valueOf(0) : valueOf(conditional());
    boolean isSlice = tokens.take(":");
    Object second = isSlice && !tokens.peek().equals("]") ? valueOf(conditional()) : null;
    tokens.require("]");
    if (skipped > 0) {
      return null;
    }
    Object value = valueOf(operand);
    if (value instanceof ObjectReference list && listElements(list).isPresent()) {
      value = listElements(list).get();
    }
    if (!(value instanceof ArrayReference array)) {
      throw new SourceError(ValueText.of(value) + " is no array");
    }
    int from = index(first);
    if (!isSlice) {
      requireIn(array, from, array.length() - 1);
      return new Variable.Element(array, from);
    }
    int to = second == null ? array.length() : index(second);
    requireIn(array, from, array.length());
    requireIn(array, to, array.length());
    return new Slice(array, from, Math.max(from, to));
  }

  private static Optional<ArrayReference> listElements(ObjectReference list) {
    if (!list.referenceType().name().equals("java.util.ArrayList")) {
      return Optional.empty();
    }
    Value elements = list.getValue(list.referenceType().fieldByName("elementData"));
    return elements instanceof ArrayReference array ? Optional.of(array) : Optional.empty();
  }

  private static int index(@Nullable Object value) {
    Object number = Operators.unboxed(value);
    if (number instanceof Long || number instanceof Double || number instanceof Float) {
      throw new SourceError(ValueText.of(number) + " is no index: it is no int");
    }
    return (int) Operators.cast("int", number);
  }

  private static void requireIn(ArrayReference array, int index, int last) {
    if (index < 0 || index > last) {
      throw new SourceError(
          "there is no element %d: the array has %d".formatted(index, array.length()));
    }
  }

  private @Nullable Object primary() {
    String word = tokens.next();
    if (word.equals("(")) {
      Object inner = conditional();
      tokens.require(")");
      return inner;
    }
    char first = word.charAt(0);
    if (Character.isDigit(first) || first == '.' && word.length() > 1) {
      return Literals.number(word);
    }
    if (first == '"' || first == '\'') {
      return Literals.text(word);
    }
    if (!Tokens.isName(word)) {
      throw new SourceError("'" + word + "' is not understood here");
    }
    return switch (word) {
      case "true" -> true;
      case "false" -> false;
      case "null" -> null;
      case "this" -> self();
      case "new", "instanceof" ->
          throw new SourceError(word + " is not for the debugger: it creates nothing");
      default -> {
        refuseCall(word);
        yield skipped > 0 ? null : name(word);
      }
    };
  }

  private ObjectReference self() {
    ObjectReference self = frame.thisObject();
    if (self == null) {
      throw new SourceError("there is no this in a static method");
    }
    return self;
  }

  // ---- Names ----

  private Object name(String name) {
    boolean hasLocals = true;
    try {
      LocalVariable local = frame.visibleVariableByName(name);
      if (local != null) {
        return new Variable.Local(frame, local);
      }
    } catch (AbsentInformationException e) {
      hasLocals = false;
    }
    ReferenceType type = frame.location().declaringType();
    Optional<Variable> field = field(frame.thisObject(), type, name);
    if (field.isPresent()) {
      return field.get();
    }
    for (ReferenceType outer = type; outer != null; outer = outer(outer)) {
      Field known = outer.fieldByName(name);
      if (known != null && known.isStatic()) {
        return new Variable.Static(known);
      }
    }
    boolean withLocals = hasLocals;
    return named(name)
        .or(() -> qualified(name))
        .orElseThrow(
            () ->
                new SourceError(
                    withLocals
                        ? "there is no variable " + name + " here"
                        : type.name()
                            + " does not say its local variables: compile it with javac -g"));
  }

  /** Of the object itself, what it has captured, or an object around it. */
  private static Optional<Variable> field(
      @Nullable ObjectReference self, ReferenceType type, String name) {
    ObjectReference object = self;
    while (object != null) {
      ReferenceType own = object.referenceType();
      Field field = own.fieldByName(name);
      field = field == null ? own.fieldByName("val$" + name) : field;
      if (field != null) {
        return Optional.of(
            field.isStatic() ? new Variable.Static(field) : new Variable.OfObject(object, field));
      }
      Optional<Field> around =
          own.fields().stream().filter(one -> one.name().startsWith("this$")).findFirst();
      object =
          around.isPresent() && object.getValue(around.get()) instanceof ObjectReference outer
              ? outer
              : null;
    }
    return Optional.ofNullable(type.fieldByName(name))
        .filter(Field::isStatic)
        .map(Variable.Static::new);
  }

  private @Nullable ReferenceType outer(ReferenceType type) {
    int end = type.name().lastIndexOf('$');
    return end < 0 ? null : classNamed(type.name().substring(0, end)).orElse(null);
  }

  /** A class by its simple name: in the package of the frame, nested in its class, or anywhere. */
  private Optional<Object> named(String name) {
    String type = frame.location().declaringType().name();
    String directory = type.substring(0, type.lastIndexOf('.') + 1);
    return classNamed(type + "$" + name)
        .or(() -> classNamed(directory + name))
        .or(() -> classNamed(name))
        .or(() -> classNamed("java.lang." + name))
        .map(found -> found);
  }

  /** A class by its whole name, whose parts are taken as far as they are none. */
  private Optional<Object> qualified(String first) {
    StringBuilder name = new StringBuilder(first);
    int ahead = 0;
    while (tokens.peek(ahead).equals(".") && Tokens.isName(tokens.peek(ahead + 1))) {
      name.append('.').append(tokens.peek(ahead + 1));
      ahead += 2;
      Optional<ReferenceType> found = classNamed(name.toString());
      if (found.isPresent()) {
        for (int i = 0; i < ahead; i++) {
          tokens.next();
        }
        return Optional.of(found.get());
      }
    }
    return Optional.empty();
  }

  /** The one that code of the frame would mean, where ranks have classes of their own. */
  private Optional<ReferenceType> classNamed(String name) {
    List<ReferenceType> all = frame.virtualMachine().classesByName(name);
    ReferenceType here = frame.location().declaringType();
    return all.stream()
        .filter(type -> Objects.equals(type.classLoader(), here.classLoader()))
        .findFirst()
        .or(() -> all.stream().findFirst());
  }
}
