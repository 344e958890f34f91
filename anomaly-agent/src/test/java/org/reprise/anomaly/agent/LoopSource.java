package org.reprise.anomaly.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.LoopCode.AddInt;
import org.reprise.anomaly.agent.LoopCode.Assign;
import org.reprise.anomaly.agent.LoopCode.Body;
import org.reprise.anomaly.agent.LoopCode.BodyForm;
import org.reprise.anomaly.agent.LoopCode.Call;
import org.reprise.anomaly.agent.LoopCode.Constant;
import org.reprise.anomaly.agent.LoopCode.DeclareInt;
import org.reprise.anomaly.agent.LoopCode.DeclareRow;
import org.reprise.anomaly.agent.LoopCode.Element;
import org.reprise.anomaly.agent.LoopCode.ElementType;
import org.reprise.anomaly.agent.LoopCode.Expression;
import org.reprise.anomaly.agent.LoopCode.For;
import org.reprise.anomaly.agent.LoopCode.Form;
import org.reprise.anomaly.agent.LoopCode.If;
import org.reprise.anomaly.agent.LoopCode.InPool;
import org.reprise.anomaly.agent.LoopCode.Join;
import org.reprise.anomaly.agent.LoopCode.Length;
import org.reprise.anomaly.agent.LoopCode.Local;
import org.reprise.anomaly.agent.LoopCode.Method;
import org.reprise.anomaly.agent.LoopCode.Name;
import org.reprise.anomaly.agent.LoopCode.Operation;
import org.reprise.anomaly.agent.LoopCode.Parallel;
import org.reprise.anomaly.agent.LoopCode.Place;
import org.reprise.anomaly.agent.LoopCode.Program;
import org.reprise.anomaly.agent.LoopCode.Row;
import org.reprise.anomaly.agent.LoopCode.Scalar;
import org.reprise.anomaly.agent.LoopCode.SetRow;
import org.reprise.anomaly.agent.LoopCode.SetScalar;
import org.reprise.anomaly.agent.LoopCode.Shape;
import org.reprise.anomaly.agent.LoopCode.Start;
import org.reprise.anomaly.agent.LoopCode.Statement;
import org.reprise.anomaly.agent.LoopCode.SwapRows;
import org.reprise.anomaly.agent.LoopCode.SwapVariables;
import org.reprise.anomaly.agent.LoopCode.Try;
import org.reprise.anomaly.agent.LoopCode.Variable;
import org.reprise.anomaly.agent.LoopCode.Where;

/** A program of {@link LoopCode} in Java, each statement on a line of its own. */
final class LoopSource {
  private final Program program;
  private final StringBuilder text = new StringBuilder();
  private int line = 1;
  private boolean isImpossible;
  private final Map<Object, Integer> lines = new IdentityHashMap<>();

  /** Methods that are still to be written: their heads, and what is in them. */
  private final Map<String, List<Statement>> methods = new LinkedHashMap<>();

  private final Map<String, Body> functions = new LinkedHashMap<>();
  private final Map<String, String> initializers = new LinkedHashMap<>();
  private final List<String> late = new ArrayList<>();

  LoopSource(Program program) {
    this.program = program;
    write();
  }

  String text() {
    return text.toString();
  }

  /** The line of a statement. */
  int line(Object statement) {
    Integer found = lines.get(statement);
    if (found == null) {
      throw new IllegalStateException("not in the source: " + statement);
    }
    return found;
  }

  /** Whether it cannot be written down: a constant of the class would need an object's field. */
  boolean isImpossible() {
    return isImpossible;
  }

  private void add(String words) {
    text.append(words).append('\n');
    line++;
  }

  private void write() {
    add("import java.util.stream.*;");
    add("import java.util.concurrent.*;");
    add("import java.util.function.*;");
    add("/** Seed " + program.seed() + ". */");
    add("public class " + program.name() + " {");
    add("  public static Object[] heap;");
    add("  static String caught = \"\";");
    add("  static " + program.name() + " self;");
    add("  static int number(Integer n) { return n == null ? 0 : n; }");
    for (Scalar scalar : program.scalars()) {
      if (scalar.where() != Where.LOCAL) {
        add("  " + scalar.where().words + "int " + scalar.name() + " = " + scalar.value() + ";");
      }
    }
    Map<Shape, String> paths = new IdentityHashMap<>();
    for (Variable variable : program.variables()) {
      if (variable.where() != Where.LOCAL) {
        field(variable, paths);
      }
    }
    add("  public static void run() throws Exception {");
    add("    self = new " + program.name() + "();");
    add("    self.go();");
    add("  }");
    add("  void go() throws Exception {");
    for (Scalar scalar : program.scalars()) {
      if (scalar.where() == Where.LOCAL) {
        add("    final int " + scalar.name() + " = " + scalar.value() + ";");
      }
    }
    for (Variable variable : program.variables()) {
      if (variable.where() == Where.LOCAL) {
        add("    final " + declaration(variable) + " = " + created(variable, paths) + ";");
      }
    }
    late.forEach(this::add);
    program.statements().forEach(this::findFunctions);
    functions.values().forEach(this::function);
    program.statements().forEach(statement -> write(statement, "    "));
    String all = program.variables().stream().map(Variable::name).collect(Collectors.joining(", "));
    String numbers = program.scalars().stream().map(Scalar::name).collect(Collectors.joining(", "));
    add("    heap = new Object[] {caught, new int[] {" + numbers + "}, " + all + "};");
    add("  }");
    while (!methods.isEmpty()) {
      String head = methods.keySet().iterator().next();
      List<Statement> body = Objects.requireNonNull(methods.remove(head));
      add("  " + head + " {");
      body.forEach(statement -> write(statement, "    "));
      add("  }");
    }
    initializers.forEach(
        (name, call) ->
            add("  static class " + name + " { static { " + call + " } static void touch() {} }"));
    add("}");
  }

  private void findFunctions(Statement statement) {
    if (statement instanceof Parallel loop && loop.body().form() == BodyForm.FUNCTION) {
      functions.put(loop.body().id(), loop.body());
    } else if (statement instanceof Try attempt) {
      findFunctions(attempt.loop());
    } else if (statement instanceof InPool pool) {
      pool.body().forEach(this::findFunctions);
    } else if (statement instanceof Start start) {
      start.body().forEach(this::findFunctions);
    } else if (statement instanceof For loop) {
      loop.body().forEach(this::findFunctions);
    }
  }

  private void function(Body body) {
    add("    IntConsumer " + body.id() + " = " + body.name() + " -> {");
    body.statements().forEach(statement -> write(statement, "      "));
    add("    };");
  }

  private static String declaration(Variable variable) {
    return type(variable.type(), variable.depth()) + " " + variable.name();
  }

  static String type(ElementType type, int depth) {
    return type.word + "[]".repeat(depth);
  }

  private void field(Variable variable, Map<Shape, String> paths) {
    String words = "  " + variable.where().words + declaration(variable);
    if (paths.containsKey(variable.shape())) {
      if (variable.where().isFixed()) {
        isImpossible |= variable.where() == Where.STATIC_FINAL && isOfObject(paths, variable);
        add(words + " = " + paths.get(variable.shape()) + ";");
      } else {
        add(words + ";");
        late.add("    " + variable.name() + " = " + paths.get(variable.shape()) + ";");
      }
      return;
    }
    int before = late.size();
    String created = created(variable, paths);
    List<String> rest = new ArrayList<>(late.subList(before, late.size()));
    add(words + " = " + created + ";");
    boolean isOwn = rest.stream().allMatch(set -> set.contains("= " + variable.name() + "["));
    if (isOwn && !rest.isEmpty() && variable.shape().rows.size() % 2 == 0) {
      late.subList(before, late.size()).clear();
      String isStatic = variable.where().words.startsWith("static") ? "static " : "";
      add("  " + isStatic + "{ " + String.join(" ", rest).strip() + " }");
    }
  }

  /** Whether an array is known by the name of an object's field only. */
  private boolean isOfObject(Map<Shape, String> paths, Variable variable) {
    String path = Objects.requireNonNull(paths.get(variable.shape()));
    return program.variables().stream()
        .filter(other -> (path + "[").startsWith(other.name() + "["))
        .anyMatch(other -> !other.where().words.startsWith("static"));
  }

  private String created(Variable variable, Map<Shape, String> paths) {
    String known = paths.get(variable.shape());
    if (known != null) {
      return known;
    }
    if (variable.numbers().length > 0) {
      paths.put(variable.shape(), variable.name());
      return Arrays.toString(variable.numbers()).replace('[', '{').replace(']', '}');
    }
    return created(variable.shape(), variable.type(), variable.depth(), variable.name(), paths);
  }

  private String created(
      Shape shape, ElementType type, int depth, String path, Map<Shape, String> paths) {
    paths.put(shape, path);
    if (depth == 1) {
      return "new " + type.word + "[" + shape.length + "]";
    }
    boolean isEven =
        depth == 2
            && shape.length > 0
            && shape.rows.stream().distinct().count() == shape.length
            && shape.rows.stream()
                .allMatch(
                    row ->
                        row != null
                            && !paths.containsKey(row)
                            && row.length == lengthOf(shape.rows.get(0)));
    if (isEven) {
      for (int i = 0; i < shape.length; i++) {
        paths.put(shape.rows.get(i), path + "[" + i + "]");
      }
      return "new " + type.word + "[" + shape.length + "][" + lengthOf(shape.rows.get(0)) + "]";
    }
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < shape.length; i++) {
      Shape row = shape.rows.get(i);
      String place = path + "[" + i + "]";
      if (row == null) {
        rows.add("null");
      } else if (paths.containsKey(row)) {
        rows.add("null");
        late.add("    " + place + " = " + paths.get(row) + ";");
      } else {
        rows.add(created(row, type, depth - 1, place, paths));
      }
    }
    return "new " + type(type, depth) + " {" + String.join(", ", rows) + "}";
  }

  private static int lengthOf(@Nullable Shape row) {
    return row == null ? -1 : row.length;
  }

  private void write(List<Statement> body, String indent) {
    body.forEach(statement -> write(statement, indent + "  "));
  }

  private void write(Statement statement, String indent) {
    lines.put(statement, line);
    if (statement instanceof Assign assign) {
      add(indent + assign(assign) + ";");
    } else if (statement instanceof SetRow set) {
      add(indent + place(set.rows()) + "[" + number(set.index()) + "] = " + place(set.row()) + ";");
    } else if (statement instanceof SetScalar set) {
      add(indent + set.scalar().name() + (set.adds() ? " += " : " = ") + number(set.value()) + ";");
    } else if (statement instanceof DeclareInt declare) {
      add(indent + "int " + declare.name() + " = " + number(declare.value()) + ";");
    } else if (statement instanceof AddInt sum) {
      add(indent + sum.name() + " += " + number(sum.value()) + ";");
    } else if (statement instanceof DeclareRow declare) {
      add(
          indent
              + type(declare.local().type(), declare.local().depth())
              + " "
              + declare.local().name()
              + " = "
              + place(declare.row())
              + ";");
    } else if (statement instanceof For loop) {
      loop(loop, indent);
    } else if (statement instanceof If test) {

      add(
          indent
              + "if ("
              + operand(test.left())
              + " "
              + test.sign()
              + " "
              + operand(test.right())
              + ") {");
      write(test.body(), indent);
      add(indent + "}");

    } else if (statement instanceof Call call) {
      call(call, indent);
    } else if (statement instanceof Parallel loop) {
      parallel(loop, indent);
    } else if (statement instanceof Try attempt) {

      add(indent + "try {");
      write(attempt.loop(), indent + "  ");
      add(
          indent
              + "} catch (RuntimeException e) { caught += e.getClass().getSimpleName() + \" \"; }");

    } else if (statement instanceof SwapRows swap) {

      String rows = place(swap.rows());
      String type = type(swap.rows().type(), swap.rows().depth() - 1);
      add(
          indent
              + "{ %s t = %s[%d]; %s[%d] = %s[%d]; %s[%d] = t; }"
                  .formatted(
                      type,
                      rows,
                      swap.one(),
                      rows,
                      swap.one(),
                      rows,
                      swap.other(),
                      rows,
                      swap.other()));

    } else if (statement instanceof SwapVariables swap) {
      add(
          indent
              + "{ %s t = %s; %s = %s; %s = t; }"
                  .formatted(
                      type(swap.one().type(), swap.one().depth()),
                      swap.one().name(),
                      swap.one().name(),
                      swap.other().name(),
                      swap.other().name()));
    } else if (statement instanceof Start start) {

      add(indent + "Thread " + start.name() + " = new Thread(() -> {");
      write(start.body(), indent);
      add(indent + "});");
      add(indent + start.name() + ".start();");

    } else if (statement instanceof Join join) {
      add(indent + join.name() + ".join();");
    } else if (statement instanceof InPool pool) {
      inPool(pool, indent);
    }
  }

  private void inPool(InPool pool, String indent) {
    String id = pool.id();
    switch (pool.pool()) {
      case COMMON -> add(indent + "ForkJoinPool.commonPool().submit(() -> {");
      case OWN -> {
        add(indent + "ForkJoinPool " + id + " = new ForkJoinPool(3);");
        add(indent + id + ".submit(() -> {");
      }
      case THREAD -> add(indent + "Thread " + id + " = new Thread(() -> {");
      case INITIALIZER -> {
        initializers.put("Class" + id, "self." + id + "();");
        methods.put("void " + id + "()", pool.body());
        add(indent + "Class" + id + ".touch();");
        return;
      }
    }
    write(pool.body(), indent);
    switch (pool.pool()) {
      case COMMON -> add(indent + "}).join();");
      case OWN -> {
        add(indent + "}).join();");
        add(indent + id + ".shutdown();");
      }
      default -> {
        add(indent + "});");
        add(indent + id + ".start();");
        add(indent + id + ".join();");
      }
    }
  }

  private String assign(Assign assign) {
    ElementType type = assign.array().type();
    String value = number(assign.value());
    String target = place(assign.array()) + "[" + number(assign.index()) + "]";
    if (assign.adds()) {
      return target + " += " + value;
    }
    return target
        + " = "
        + switch (type) {
          case BOOLEAN -> "((" + value + ") & 1) != 0";
          case BYTE, SHORT, CHAR -> "(" + type.word + ") (" + value + ")";
          default -> value;
        };
  }

  private void loop(For loop, String indent) {
    boolean isCaptured = loop.body().stream().anyMatch(LoopSource::hasLambda);
    String name = isCaptured ? loop.name() + "0" : loop.name();
    String sign = (loop.step() > 0 ? "<" : ">") + (loop.isInclusive() ? "=" : "");
    String step =
        switch (loop.step()) {
          case 1 -> name + "++";
          case -1 -> name + "--";
          default -> name + (loop.step() > 0 ? " += " + loop.step() : " -= " + -loop.step());
        };
    add(
        indent
            + "for (int "
            + name
            + " = "
            + number(loop.start())
            + "; "
            + name
            + " "
            + sign
            + " "
            + number(loop.bound())
            + "; "
            + step
            + ") {");
    if (isCaptured) {
      add(indent + "  final int " + loop.name() + " = " + name + ";");
    }
    write(loop.body(), indent);
    add(indent + "}");
  }

  private static boolean hasLambda(Statement statement) {
    if (statement instanceof For loop) {
      return loop.body().stream().anyMatch(LoopSource::hasLambda);
    }
    if (statement instanceof If test) {
      return test.body().stream().anyMatch(LoopSource::hasLambda);
    }
    return statement instanceof Parallel
        || statement instanceof Try
        || statement instanceof Start
        || statement instanceof InPool;
  }

  private void call(Call call, String indent) {
    Method method = call.method();
    // Some of them could be another's in a subclass, as far as anybody knows.
    String head =
        (method.name().hashCode() % 3 == 0 ? "void " : "private void ")
            + method.name()
            + "("
            + method.parameters().stream()
                .map(
                    parameter ->
                        parameter instanceof Local local
                            ? type(local.type(), local.depth()) + " " + local.name()
                            : "int " + ((Name) parameter).name())
                .collect(Collectors.joining(", "))
            + ")";
    if (!lines.containsKey(method)) {
      lines.put(method, line);
      methods.put(head, method.body());
    }
    add(
        indent
            + method.name()
            + "("
            + call.arguments().stream()
                .map(
                    argument ->
                        argument instanceof Place place
                            ? place(place)
                            : number((Expression) argument))
                .collect(Collectors.joining(", "))
            + ");");
  }

  private void parallel(Parallel loop, String indent) {
    String from = number(loop.from());
    String to = number(loop.to());
    Body body = loop.body();
    String name = body.name();
    String stream =
        switch (loop.form()) {
          case CLOSED -> "IntStream.rangeClosed(" + from + ", " + to + ").parallel()";
          case LONG -> "LongStream.range(" + from + ", " + to + ").parallel()";
          case LATE -> "IntStream.range(" + from + ", " + to + ").map(v -> v).parallel()";
          default -> "IntStream.range(" + from + ", " + to + ").parallel()";
        };
    switch (loop.form()) {
      case MAPPED -> stream += ".map(v -> v + " + loop.extra() + ")";
      case FILTERED -> stream += ".filter(v -> Math.floorMod(v, 3) != " + loop.extra() + ")";
      case BOXED -> stream += ".boxed()";
      case PEEKED -> {
        add(indent + stream + ".peek(" + name + " -> {");
        write(loop.peek(), indent);
        stream = "})";
      }
      default -> {}
    }
    switch (body.form()) {
      case FUNCTION -> add(indent + stream + ".forEach(" + body.id() + ");");
      case METHOD -> {
        add(indent + stream + ".forEach(this::" + body.id() + ");");
        if (!lines.containsKey(body)) {
          lines.put(body, line);
          methods.put("private void " + body.id() + "(int " + name + ")", body.statements());
        }
      }
      case LAMBDA -> {
        boolean isLong = loop.form() == Form.LONG;
        add(indent + stream + ".forEach(" + name + (isLong ? "0" : "") + " -> {");
        if (isLong) {
          add(indent + "  int " + name + " = (int) " + name + "0;");
        }
        write(body.statements(), indent);
        add(indent + "});");
      }
    }
  }

  private String place(Place place) {
    if (place instanceof Variable variable) {
      return variable.name();
    }
    if (place instanceof Local local) {
      return local.name();
    }
    if (place instanceof Row row) {
      return place(row.rows()) + "[" + number(row.index()) + "]";
    }
    throw new IllegalStateException("no such code: " + place);
  }

  private String number(Expression expression) {
    if (expression instanceof Constant constant) {
      return String.valueOf(constant.value());
    }
    if (expression instanceof Name name) {
      return name.name();
    }
    if (expression instanceof Scalar scalar) {
      return scalar.name();
    }
    if (expression instanceof Length length) {
      return place(length.array()) + ".length";
    }
    if (expression instanceof Operation operation) {
      return operand(operation.left()) + " " + operation.sign() + " " + operand(operation.right());
    }
    if (expression instanceof Element element) {

      String read = place(element.array()) + "[" + number(element.index()) + "]";
      return switch (element.array().type()) {
        case LONG, FLOAT, DOUBLE -> "(int) " + read;
        case BOOLEAN -> "(" + read + " ? 1 : 0)";
        case INTEGER -> "number(" + read + ")";
        default -> read;
      };
    }
    throw new IllegalStateException("no such code: " + expression);
  }

  private String operand(Expression expression) {
    boolean isSimple =
        expression instanceof Name
            || expression instanceof Scalar
            || expression instanceof Length
            || (expression instanceof Constant constant && constant.value() >= 0)
            || (expression instanceof Element element
                && (element.array().type() == ElementType.INT
                    || element.array().type() == ElementType.BOOLEAN));
    return isSimple ? number(expression) : "(" + number(expression) + ")";
  }
}
