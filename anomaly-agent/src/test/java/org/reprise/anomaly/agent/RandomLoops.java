package org.reprise.anomaly.agent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
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
import org.reprise.anomaly.agent.LoopCode.Pool;
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

/**
 * Programs with parallel loops over arrays, the same for the same seed. Most indices follow from
 * the number of the iteration, and most arrays hold what is accessed.
 */
final class RandomLoops {
  /** From where to where a number goes. */
  private record Interval(int least, int most) {}

  private static final int TEXT_MAX = 12_000;

  private final Random random;
  private final String name;
  private final long seed;

  /** All arrays and numbers are known when a body begins, and most bodies take no branch. */
  private final boolean isPlain;

  private final boolean throwsSomething;
  private final List<Variable> variables = new ArrayList<>();
  private final List<Scalar> scalars = new ArrayList<>();
  private final Map<String, Interval> intervals = new HashMap<>();

  /** Arrays by other names: parameters and rows. */
  private final List<Place> locals = new ArrayList<>();

  /** Arrays that the loop writes, if it is known. */
  private final List<Place> written = new ArrayList<>();

  private boolean usesVariables = true;
  private boolean usesLocals = true;
  private int number;
  private final ElementType type;

  private RandomLoops(String name, long seed, int attempt) {
    this.random = new Random(seed * 1_000_003 + attempt);
    this.name = name;
    this.seed = seed;
    this.isPlain = chance(65);
    this.throwsSomething = chance(12);
    this.type =
        chance(60) || isPlain
            ? pick(ElementType.INT, ElementType.DOUBLE, ElementType.LONG, ElementType.SHORT)
            : ElementType.values()[random.nextInt(ElementType.values().length)];
  }

  /** A program that can be judged; some drafts are thrown away. */
  static Program of(String name, long seed) {
    for (int attempt = 0; attempt < 200; attempt++) {
      try {
        Program program = new RandomLoops(name, seed, attempt).program();
        if (program != null) {
          return program;
        }
      } catch (LoopOracle.Useless e) {
        // another one
      }
    }
    throw new IllegalStateException("no program for seed " + seed);
  }

  private Interval interval(@Nullable String variable) {
    return Objects.requireNonNull(intervals.get(Objects.requireNonNull(variable)));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private String next(String prefix) {
    return prefix + number++;
  }

  private @Nullable Program program() {
    declare();
    List<Statement> statements = new ArrayList<>();
    int count = pick(1, 1, 1, 2, 2, 3);
    for (int i = 0; i < count; i++) {
      statements.addAll(top());
    }
    Program program = new Program(name, seed, variables, scalars, statements);
    if (!LoopOracle.grow(program)) {
      return null;
    }
    shape();
    if (!LoopOracle.grow(program)) {
      return null;
    }
    finish();
    LoopSource source = new LoopSource(program);
    LoopOracle oracle = LoopOracle.of(program, source::line);
    boolean isLong = source.text().length() > TEXT_MAX;
    return isLong || source.isImpossible() || oracle.hasUnknownArrays() ? null : program;
  }

  private void declare() {
    int arrays = between(2, 4);
    for (int i = 0; i < arrays; i++) {
      variables.add(variable(chance(85) ? type : ElementType.INT, chance(50) ? 1 : 2));
    }
    if (chance(5)) {
      variables.add(variable(type, 3));
    }
    if (variables.stream().noneMatch(v -> v.depth() == 1)) {
      variables.add(variable(type, 1));
    }
    for (int i = between(1, 3); i > 0; i--) {
      Where where = where();
      scalars.add(new Scalar(next(where == Where.STATIC_FINAL ? "S" : "s"), where, between(0, 5)));
    }
    if (chance(15)) {
      Variable one = pick(variables);
      variables.add(
          new Variable(
              next("same"),
              one.type(),
              one.depth(),
              isPlain ? Where.LOCAL : pick(Where.LOCAL, Where.STATIC, Where.INSTANCE),
              one.shape(),
              one.numbers()));
    }
    if (chance(10)) {
      int[] numbers = new int[between(40, 90)];
      int how = random.nextInt(3);
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = how == 0 ? numbers.length - 1 - i : how == 1 ? (i * 7) % 41 : i / 2;
      }
      Shape shape = new Shape();
      shape.length = numbers.length;
      variables.add(new Variable(next("index"), ElementType.INT, 1, where(), shape, numbers));
    }
  }

  private Where where() {
    return isPlain && chance(97)
        ? pick(Where.LOCAL, Where.LOCAL, Where.FINAL, Where.STATIC_FINAL)
        : pick(Where.values());
  }

  private Variable variable(ElementType type, int depth) {
    Where where = where();
    String prefix = where == Where.STATIC_FINAL ? "X" : depth == 1 ? "x" : "m";
    return new Variable(next(prefix), type, depth, where, new Shape(), new int[0]);
  }

  /** After the arrays are large enough: some rows are the same, some are not there. */
  private void shape() {
    for (Variable variable : variables) {
      Shape shape = variable.shape();
      if (variable.depth() == 2 && shape.length > 1) {
        if (chance(isPlain ? 20 : 12)) {
          int from = random.nextInt(shape.length);
          int to = chance(50) ? shape.length - 1 : random.nextInt(shape.length);
          shape.rows.set(to, shape.rows.get(from));
        }
        if (chance(5)) {
          for (Variable other : variables) {
            if (other.depth() == 1
                && other.type() == variable.type()
                && other.numbers().length == 0
                && (other.where() == Where.LOCAL
                    || variables.indexOf(other) < variables.indexOf(variable))) {
              shape.rows.set(random.nextInt(shape.length), other.shape());
              break;
            }
          }
        }
      }
    }
  }

  /** After all is as large as it must be. */
  private void finish() {
    for (Variable variable : variables) {
      Shape shape = variable.shape();
      if (variable.numbers().length > 0) {
        continue;
      }
      if (chance(30)) {
        lengthen(shape, variable.depth(), between(1, 3));
      }
      if (variable.depth() == 2) {
        boolean isEven = chance(70);
        int most = 0;
        for (Shape row : shape.rows) {
          most = Math.max(most, row == null ? 0 : row.length);
        }
        for (int i = 0; i < shape.length; i++) {
          Shape row = shape.rows.get(i);
          if (row == null) {
            continue;
          }
          if (isEven) {
            row.length = most;
          } else if (!row.isTouched && chance(50)) {
            shape.rows.set(i, null);
          } else if (chance(20)) {
            row.length += between(1, 3);
          }
        }
      }
    }
    if (throwsSomething) {
      Variable variable = pick(variables);
      Shape shape = variable.shape();
      if (variable.depth() == 2 && shape.length > 0 && chance(60)) {
        int row = random.nextInt(shape.length);
        if (chance(50)) {
          shape.rows.set(row, null);
        } else {
          Shape it = shape.rows.get(row);
          if (it != null) {
            it.length = Math.max(0, it.length - between(1, 3));
          }
        }
      } else if (variable.depth() == 1 && variable.numbers().length == 0) {
        shape.length = Math.max(0, shape.length - between(1, 3));
      }
    }
  }

  private static void lengthen(Shape shape, int depth, int by) {
    shape.length += by;
    for (int i = 0; depth > 1 && i < by; i++) {
      shape.rows.add(new Shape());
    }
  }

  /** Statements of the first thread. */
  private List<Statement> top() {
    List<Statement> made = new ArrayList<>();
    int how = random.nextInt(100);
    if (throwsSomething) {
      how = how % 75;
    }
    if (how < 60) {
      made.add(attempt(parallel(0)));
    } else if (how < 75) {
      made.add(repeated());
    } else if (how < 80) {
      made.addAll(swapped());
    } else if (how < 86) {
      made.addAll(called());
    } else if (how < 93) {
      String id = next("pool");
      Pool pool = pick(Pool.values());
      boolean before = usesLocals;
      if (pool == Pool.INITIALIZER) {
        usesLocals = false;
      }
      List<Statement> body = new ArrayList<>();
      if (chance(20)) {
        body.addAll(serial());
      }
      body.add(parallel(0));
      usesLocals = before;
      made.add(new InPool(pool, id, body));
    } else {
      String id = next("thread");
      List<Statement> body = chance(60) ? serial() : List.of(parallel(0));
      made.add(new Start(id, body));
      made.add(parallel(0));
      if (chance(30)) {
        made.addAll(serial());
      }
      made.add(new Join(id));
      if (chance(40)) {
        made.add(parallel(0));
      }
    }
    if (chance(10) && !throwsSomething) {
      made.addAll(serial());
    }
    return made;
  }

  private Statement attempt(Parallel loop) {
    return throwsSomething ? new Try(loop) : loop;
  }

  /** A loop around a parallel loop, which may depend on its variable. */
  private Statement repeated() {
    String k = next("k");
    int count = chance(70) ? between(2, 12) : between(20, 60);
    intervals.put(k, new Interval(0, count - 1));
    List<Statement> body = new ArrayList<>();
    body.add(attempt(parallel(0)));
    if (chance(30)) {
      body.add(attempt(parallel(0)));
    }
    if (chance(20)) {
      body.addAll(swaps());
    }
    intervals.remove(k);
    return new For(k, new Constant(0), new Constant(count), false, 1, body);
  }

  private List<Statement> swaps() {
    List<Statement> made = new ArrayList<>();
    for (Variable one : variables) {
      for (Variable other : variables) {
        if (made.isEmpty()
            && one != other
            && one.type() == other.type()
            && one.depth() == other.depth()
            && !one.where().isFixed()
            && !other.where().isFixed()
            && one.numbers().length == 0
            && other.numbers().length == 0) {
          made.add(new SwapVariables(one, other));
        }
      }
    }
    if (made.isEmpty()) {
      for (Variable one : variables) {
        if (one.depth() == 2) {
          made.add(new SwapRows(one, between(0, 4), between(0, 4)));
          break;
        }
      }
    }
    return made;
  }

  private List<Statement> swapped() {
    List<Statement> made = new ArrayList<>();
    made.add(parallel(0));
    made.addAll(swaps());
    made.add(parallel(0));
    return made;
  }

  /** A method with a loop, called twice with other arrays and numbers. */
  private List<Statement> called() {
    List<Object> parameters = new ArrayList<>();
    List<Place> places = new ArrayList<>();
    for (int i = between(1, 3); i > 0; i--) {
      Variable like = pick(variables.stream().filter(v -> v.numbers().length == 0).toList());
      Local local = new Local(next("p"), like.type(), like.depth());
      parameters.add(local);
      places.add(local);
    }
    String n = next("n");
    parameters.add(new Name(n));
    Map<String, Interval> before = new HashMap<>(intervals);
    intervals.clear();
    intervals.put(n, new Interval(0, 9));
    boolean used = usesVariables;
    boolean usedLocals = usesLocals;
    usesVariables = chance(30);
    usesLocals = false;
    locals.addAll(places);
    Parallel loop = parallel(0);
    locals.removeAll(places);
    usesVariables = used;
    usesLocals = usedLocals;
    intervals.clear();
    intervals.putAll(before);
    Method method = new Method(next("step"), parameters, List.of(loop));
    List<Statement> made = new ArrayList<>();
    for (int i = between(1, 3); i > 0; i--) {
      List<Object> arguments = new ArrayList<>();
      for (Object parameter : parameters) {
        if (parameter instanceof Local local) {
          arguments.add(
              pick(
                  variables.stream()
                      .filter(v -> v.numbers().length == 0)
                      .filter(v -> v.type() == local.type() && v.depth() == local.depth())
                      .toList()));
        } else {
          arguments.add(new Constant(between(0, 9)));
        }
      }
      made.add(new Call(method, arguments));
    }
    return made;
  }

  /** What one thread does alone. */
  private List<Statement> serial() {
    String j = next("j");
    Interval before = new Interval(0, between(1, 12));
    intervals.put(j, before);
    List<Statement> body = new ArrayList<>();
    body.add(assign(null, j, null));
    intervals.remove(j);
    return List.of(new For(j, new Constant(0), new Constant(before.most + 1), false, 1, body));
  }

  private Parallel parallel(int depth) {
    int from = chance(50) ? 0 : between(-6, 8);
    int size =
        depth > 0
            ? between(0, 6)
            : chance(8)
                ? between(0, 1)
                : chance(isPlain ? 20 : 40)
                    ? between(2, 12)
                    : chance(80) ? between(13, 50) : between(60, 200);
    Form form = chance(isPlain ? 93 : 72) ? Form.RANGE : pick(Form.values());
    Expression start = constant(from);
    Expression end = constant(from + size - (form == Form.CLOSED ? 1 : 0));
    // A loop around: from k + 1 on, as eliminations do.
    String outer = outer();
    Interval around = outer == null ? null : interval(outer);
    if (outer != null && around != null && chance(40)) {
      start = new Operation('+', new Name(outer), constant(1));
      from = around.least + 1;
      size = Math.max(size, around.most + 1 - from);
      end = constant(from + size - (form == Form.CLOSED ? 1 : 0));
    }
    int extra = form == Form.FILTERED ? between(0, 2) : between(0, 3);
    String i = next("i");
    int shift = form == Form.MAPPED ? extra : 0;
    intervals.put(i, new Interval(from + shift, Math.max(from, from + size - 1) + shift));
    written.clear();
    BodyForm bodyForm = BodyForm.LAMBDA;
    boolean isInt = form != Form.LONG && form != Form.BOXED;
    boolean usedLocals = usesLocals;
    boolean usedVariables = usesVariables;
    Map<String, Interval> before = new HashMap<>(intervals);
    if (depth == 0 && isInt && chance(12) && locals.isEmpty()) {
      bodyForm = chance(60) && usesLocals && outer == null ? BodyForm.FUNCTION : BodyForm.METHOD;
      intervals.keySet().retainAll(List.of(i));
      if (bodyForm == BodyForm.METHOD) {
        usesLocals = false;
      }
    }
    List<Statement> peek = form == Form.PEEKED ? List.of(assign(i, null, null)) : List.of();
    List<Statement> statements = body(i, depth, bodyForm == BodyForm.LAMBDA);
    usesLocals = usedLocals;
    usesVariables = usedVariables;
    intervals.clear();
    intervals.putAll(before);
    intervals.remove(i);
    return new Parallel(
        form, start, end, extra, peek, new Body(bodyForm, next("body"), i, statements));
  }

  /** The variable of a loop around, if there is one. */
  private @Nullable String outer() {
    return intervals.keySet().stream().filter(k -> k.startsWith("k")).findFirst().orElse(null);
  }

  /** A constant, or the same number with the help of a variable. */
  private Expression constant(int value) {
    if (chance(30)) {
      for (Scalar scalar : scalars) {
        if (isUsable(scalar) && !isSet(scalar)) {
          int rest = value - scalar.value();
          return rest == 0
              ? scalar
              : rest > 0
                  ? new Operation('+', scalar, new Constant(rest))
                  : new Operation('-', scalar, new Constant(-rest));
        }
      }
    }
    return new Constant(value);
  }

  private boolean isUsable(Scalar scalar) {
    return usesLocals || scalar.where() != Where.LOCAL;
  }

  /** The last scalar is there to be set. */
  private boolean isSet(Scalar scalar) {
    return scalars.indexOf(scalar) == scalars.size() - 1;
  }

  private List<Statement> body(String i, int depth, boolean nests) {
    List<Statement> made = new ArrayList<>();
    if (isPlain && chance(50)) {
      return edges(i);
    }
    int before = locals.size();
    int how = random.nextInt(isPlain && chance(90) ? 75 : 100);
    if (how < 30) {
      for (int n = between(1, 3); n > 0; n--) {
        made.add(assign(i, null, null));
      }
    } else if (how < 62) {
      if (chance(20)) {
        made.add(assign(i, null, null));
      }
      if (chance(25)) {
        row(i, made);
      }
      made.add(inner(i, null));
      if (chance(20)) {
        made.add(assign(i, null, null));
      }
      if (chance(15)) {
        made.add(inner(i, null));
      }
    } else if (how < 75) {
      made.addAll(sum(i, null));
    } else if (how < 83) {
      String j = next("j");
      For outer = head(i, j);
      List<Statement> body = new ArrayList<>();
      if (chance(50)) {
        body.add(inner(i, j));
      } else {
        body.addAll(sum(i, j));
      }
      intervals.remove(j);
      made.add(new For(j, outer.start(), outer.bound(), outer.isInclusive(), outer.step(), body));
    } else if (how < 88) {
      made.add(
          new If(
              chance(50) ? new Name(i) : new Operation('&', new Name(i), new Constant(1)),
              pick("<", ">", "==", "!="),
              new Constant(between(0, 8)),
              List.of(chance(50) ? assign(i, null, null) : inner(i, null))));
      if (chance(40)) {
        made.add(assign(i, null, null));
      }
    } else if (how < 93 && nests && depth == 0 && !throwsSomething) {
      if (chance(40)) {
        made.add(assign(i, null, null));
      }
      made.add(parallel(depth + 1));
      if (chance(40)) {
        made.add(assign(i, null, null));
      }
    } else if (how < 97) {
      made.addAll(helped(i));
    } else if (chance(50)) {
      Scalar last = scalars.get(scalars.size() - 1);
      if (last.where().isFixed()) {
        made.add(assign(i, null, null));
      } else {
        made.add(new SetScalar(last, chance(30), new Name(i)));
      }
    } else {
      List<Place> matrices = arrays().stream().filter(p -> p.depth() == 2).toList();
      if (matrices.isEmpty()) {
        made.add(assign(i, null, null));
      } else {
        Place matrix = pick(matrices);
        made.add(
            new SetRow(
                matrix,
                index(i, null, null, true),
                new Row(
                    pick(matrices.stream().filter(m -> m.type() == matrix.type()).toList()),
                    index(i, null, null, true))));
      }
    }
    while (locals.size() > before) {
      locals.remove(locals.size() - 1);
    }
    return made;
  }

  /**
   * Each iteration writes its own elements and reads others of the same array, such that one
   * iteration meets another at the edge of the loop, or misses it by one.
   */
  private List<Statement> edges(String i) {
    Interval range = interval(i);
    int size = range.most - range.least + 1;
    int offset = size + 2 - range.least + between(0, 2);
    Place array = pick(arrays());
    Expression own = shifted(new Name(i), offset);
    Expression other = edge(i, offset, range);
    if (array.depth() == 1 && chance(50)) {
      return List.of(across(array, own, new Element(array, other), i));
    }
    String j = next("j");
    int width = between(1, 12);
    int step = chance(75) ? 1 : between(2, 3);
    intervals.put(j, new Interval(width, 2 * width - 1));
    Statement inside;
    if (array.depth() == 1) {
      // Row after row in one array.
      Expression at =
          new Operation(
              '+',
              new Operation('*', shifted(new Name(i), -range.least), constant(width)),
              new Name(j));
      int last = (size + 1) * width - 1;
      Expression read =
          chance(50)
              ? constant(pick(width - 1, width, width + step, last, last + 1, last - step))
              : new Operation(
                  '+', at, constant(pick(size * width, size * width - 1, size * width - width)));
      inside = across(array, at, new Element(array, read), i);
    } else {
      Place mine = array;
      Place its = array;
      while (mine.depth() > 1) {
        mine = new Row(mine, own);
        its = new Row(its, other);
      }
      int by = pick(0, 0, 0, 1, width - 1, width, 1 - width, -width);
      Expression column = by == 0 ? new Name(j) : shifted(new Name(j), by);
      if (chance(15)) {
        column = constant(pick(width - 1, width, 2 * width - 1, 2 * width));
      }
      inside = across(mine, new Name(j), new Element(its, column), i);
    }
    intervals.remove(j);
    return List.of(new For(j, constant(width), constant(2 * width), false, step, List.of(inside)));
  }

  /** An index at the edge of those from i + offset on. */
  private Expression edge(String i, int offset, Interval range) {
    int least = range.least + offset;
    int most = range.most + offset;
    int size = most - least + 1;
    Expression own = shifted(new Name(i), offset);
    return switch (random.nextInt(8)) {
      case 0, 1 -> constant(pick(least - 1, least, most, most + 1));
      case 2 -> constant(between(least, most));
      case 3, 4 -> shifted(new Name(i), offset + pick(size - 1, size, 1 - size, -size));
      case 5 -> new Operation('-', constant(least + most + pick(0, size - 1, size, 1 - size)), own);
      case 6 ->
          shifted(
              new Operation('*', new Constant(2), new Name(i)),
              Math.max(pick(least, most) - 2 * range.least, -2 * range.least));
      default -> own;
    };
  }

  /** A statement that writes an element and reads another. */
  private Assign across(Place array, Expression index, Expression read, String i) {
    boolean adds =
        chance(25) && array.type() != ElementType.BOOLEAN && array.type() != ElementType.INTEGER;
    return new Assign(
        array,
        index,
        adds,
        new Operation('&', new Operation('+', read, simple(i, null)), new Constant(1023)));
  }

  /** A method that the body calls. */
  private List<Statement> helped(String i) {
    List<Object> parameters = new ArrayList<>();
    List<Object> arguments = new ArrayList<>();
    List<Place> places = new ArrayList<>();
    for (int n = between(1, 2); n > 0; n--) {
      Place array = pick(arrays());
      if (array.depth() == 2 && chance(50)) {
        array = new Row(array, chance(60) ? new Name(i) : index(i, null, null, true));
      }
      Local local = new Local(next("p"), array.type(), array.depth());
      parameters.add(local);
      places.add(local);
      arguments.add(array);
    }
    String n = next("n");
    parameters.add(new Name(n));
    arguments.add(new Name(i));
    Map<String, Interval> before = new HashMap<>(intervals);
    Interval range = interval(i);
    intervals.clear();
    intervals.put(n, range);
    List<Place> outside = new ArrayList<>(locals);
    boolean used = usesVariables;
    boolean usedLocals = usesLocals;
    usesVariables = false;
    usesLocals = false;
    locals.clear();
    locals.addAll(places);
    List<Statement> body = new ArrayList<>();
    body.add(chance(50) ? assign(n, null, null) : inner(n, null));
    locals.clear();
    locals.addAll(outside);
    usesVariables = used;
    usesLocals = usedLocals;
    intervals.clear();
    intervals.putAll(before);
    return List.of(new Call(new Method(next("help"), parameters, body), arguments));
  }

  /** A local variable for a row. */
  private void row(String i, List<Statement> made) {
    List<Place> matrices = arrays().stream().filter(p -> p.depth() == 2).toList();
    if (!matrices.isEmpty()) {
      Place matrix = pick(matrices);
      Local local = new Local(next("row"), matrix.type(), 1);
      made.add(new DeclareRow(local, new Row(matrix, index(i, null, null, true))));
      locals.add(local);
    }
  }

  private List<Statement> sum(String i, @Nullable String j) {
    String s = next("sum");
    List<Statement> made = new ArrayList<>();
    made.add(new DeclareInt(s, chance(50) ? new Constant(0) : new Name(i)));
    String h = next("h");
    For head = head(i, h);
    List<Statement> body = new ArrayList<>();
    Expression value = read(i, j, h);
    if (chance(50)) {
      value = new Operation('+', value, read(i, j, h));
    }
    body.add(new AddInt(s, value));
    intervals.remove(h);
    made.add(new For(h, head.start(), head.bound(), head.isInclusive(), head.step(), body));
    Assign target = assign(i, j, null);
    made.add(
        new Assign(
            target.array(),
            target.index(),
            target.adds(),
            new Operation('&', new Name(s), new Constant(1023))));
    return made;
  }

  private Statement inner(String i, @Nullable String j) {
    String h = next("j");
    For head = head(i, h);
    List<Statement> body = new ArrayList<>();
    for (int n = pick(1, 1, 1, 2, 3); n > 0; n--) {
      body.add(assign(i, j, h));
    }
    intervals.remove(h);
    return new For(h, head.start(), head.bound(), head.isInclusive(), head.step(), body);
  }

  /** The head of an inner loop; its variable has an interval from now on. */
  private For head(String i, String j) {
    Interval range = interval(i);
    int step = pick(1, 1, 1, 1, 1, 1, 2, 3);
    boolean isInclusive = chance(12);
    int from = chance(60) ? 0 : between(0, 4);
    int to = from + (chance(8) ? between(0, 1) : between(2, 20));
    Expression start = constant(from);
    Expression bound = constant(to);
    Interval here = new Interval(from, Math.max(from, to));
    int how = isPlain && chance(60) ? between(16, 99) : random.nextInt(100);
    String outer = outer();
    if (how < 8) {
      start = new Operation('+', new Name(i), constant(1));
      here = new Interval(range.least + 1, Math.max(to, range.least + 1));
    } else if (how < 16) {
      bound = new Name(i);
      here = new Interval(from, Math.max(from, range.most));
    } else if (how < 22) {
      // As wide in each iteration, and further each time.
      start = new Name(i);
      bound = new Operation('+', new Name(i), constant(to));
      here = new Interval(range.least, range.most + to);
    } else if (how < 30 && outer != null) {
      Interval around = interval(outer);
      start = new Operation('+', new Name(outer), constant(1));
      here = new Interval(around.least + 1, Math.max(to, around.least + 1));
    } else if (how < 38) {
      Place array = pick(arrays());
      if (array.depth() == 2 && chance(60)) {
        array = new Row(array, chance(60) ? new Name(i) : index(i, null, null, true));
      }
      bound = new Length(array);
      isInclusive = false;
      here = new Interval(from, Math.max(from, 30));
    }
    if (chance(isPlain ? 2 : 7) && how >= 30) {
      // Downwards.
      intervals.put(j, new Interval(from, Math.max(from, to)));
      return new For(j, constant(to), constant(from), true, -step, List.of());
    }
    intervals.put(j, here);
    return new For(j, start, bound, isInclusive, step, List.of());
  }

  /** The arrays that may be accessed here. */
  private List<Place> arrays() {
    List<Place> found = new ArrayList<>(locals);
    for (Variable variable : variables) {
      boolean isHere = usesLocals || variable.where() != Where.LOCAL;
      if (variable.numbers().length == 0 && isHere && (usesVariables || locals.isEmpty())) {
        found.add(variable);
      }
    }
    if (found.isEmpty()) {
      Variable more = new Variable(next("x"), type, 1, Where.STATIC, new Shape(), new int[0]);
      variables.add(more);
      found.add(more);
    }
    return found;
  }

  private Assign assign(@Nullable String i, @Nullable String j, @Nullable String h) {
    boolean isOwn = chance(85);
    Place array = pick(arrays());
    Place target = array;
    String last = h != null ? h : j;
    while (target.depth() > 1) {
      target = new Row(target, index(i, j, null, isOwn));
      isOwn = isOwn && chance(15);
    }
    Expression index;
    if (array.depth() > 1) {
      index = last != null && chance(80) ? index(last, null, null, true) : index(i, j, h, isOwn);
    } else if (last != null && i != null && chance(30)) {
      // Row after row in one array.
      Interval range = interval(last);
      int width = Math.max(1, range.most + (chance(80) ? 1 : 0));
      Interval rows = interval(i);
      index =
          new Operation(
              '+',
              new Operation('*', shifted(new Name(i), -rows.least), constant(width)),
              new Name(last));
    } else {
      index = index(i, j, last != null && chance(25) ? last : null, isOwn);
    }
    boolean adds =
        chance(25) && array.type() != ElementType.BOOLEAN && array.type() != ElementType.INTEGER;
    written.add(target);
    Expression value = new Operation('+', value(i, j, h, array, target, index), simple(i, h));
    if (throwsSomething && i != null && chance(15)) {
      Interval range = interval(i);
      value =
          new Operation(
              '+',
              value,
              new Operation(
                  '/',
                  new Constant(8),
                  new Operation('-', new Name(i), new Constant(between(range.least, range.most)))));
    }
    return new Assign(target, index, adds, new Operation('&', value, new Constant(1023)));
  }

  private Expression simple(@Nullable String i, @Nullable String h) {
    return chance(50)
        ? new Constant(between(1, 9))
        : h != null && chance(50) ? new Name(h) : i != null ? new Name(i) : new Constant(3);
  }

  private Expression value(
      @Nullable String i,
      @Nullable String j,
      @Nullable String h,
      Place array,
      Place target,
      Expression index) {
    int how = random.nextInt(100);
    if (how < 20) {
      return simple(i, h);
    }
    if (how < 40) {
      return new Element(target, index);
    }
    if (how < 55) {
      // Elements beside that which is written.
      int by = pick(-1, 1, 1, 2);
      return new Element(
          target, new Operation(by < 0 ? '-' : '+', index, new Constant(Math.abs(by))));
    }
    Expression one = apart(i, j, h, array);
    return chance(40) ? new Operation('+', one, apart(i, j, h, array)) : one;
  }

  /** A read, mostly of another array. */
  private Expression apart(
      @Nullable String i, @Nullable String j, @Nullable String h, Place array) {
    Expression found = read(i, j, h);
    for (int n = 0; n < 4 && reads(found, array); n++) {
      found = read(i, j, h);
    }
    return found;
  }

  private static boolean reads(Expression expression, Place array) {
    Place place = expression instanceof Element element ? element.array() : null;
    while (place instanceof Row row) {
      place = row.rows();
    }
    return array.equals(place);
  }

  private Expression read(@Nullable String i, @Nullable String j, @Nullable String h) {
    if (chance(6)) {
      for (Scalar scalar : scalars) {
        if (isUsable(scalar)) {
          return scalar;
        }
      }
    }
    Place array = pick(arrays());
    String last = h != null ? h : j;
    while (array.depth() > 1) {
      array = new Row(array, index(i, j, chance(25) ? h : null, chance(70)));
    }
    return new Element(
        array,
        last != null && chance(60) ? index(last, null, null, true) : index(i, j, h, chance(60)));
  }

  /**
   * An index.
   *
   * @param isOwn it differs from iteration to iteration
   */
  private Expression index(
      @Nullable String i, @Nullable String j, @Nullable String h, boolean isOwn) {
    if (i != null && chance(isPlain ? 1 : 4)) {
      for (Variable variable : variables) {
        boolean isHere = usesLocals || variable.where() != Where.LOCAL;
        Interval range = interval(i);
        if (variable.numbers().length > 0 && isHere && range.most < 40) {
          return new Element(variable, shifted(new Name(i), Math.max(0, -range.least)));
        }
      }
    }
    int factor =
        i == null
            ? 0
            : isOwn && isPlain
                ? pick(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, 2, 3, -2)
                : isOwn ? pick(1, 1, 1, 1, 1, 1, 1, -1, 2, 3, -2) : pick(0, 0, 0, 1);
    Expression sum = null;
    int least = 0;
    if (i != null && factor != 0) {
      Interval range = interval(i);
      least += factor > 0 ? factor * range.least : factor * range.most;
      sum =
          switch (factor) {
            case 1 -> new Name(i);
            case 2 ->
                chance(50)
                    ? new Operation('*', new Constant(2), new Name(i))
                    : new Operation('+', new Name(i), new Name(i));
            default -> new Operation('*', new Name(i), new Constant(factor));
          };
    }
    String other = h != null ? h : j;
    if (other != null && (!isOwn || chance(15)) && chance(60)) {
      Interval range = interval(other);
      int sign = pick(1, 1, -1);
      least += sign > 0 ? range.least : -range.most;
      Expression name = new Name(other);
      sum =
          sum == null
              ? (sign > 0 ? name : new Operation('-', new Constant(0), name))
              : new Operation(sign > 0 ? '+' : '-', sum, name);
    }
    String outer = outer();
    if (outer != null && chance(isOwn ? 10 : 50)) {
      Interval range = interval(outer);
      least += range.least;
      sum = sum == null ? new Name(outer) : new Operation('+', sum, new Name(outer));
    }
    int offset = Math.max(0, -least) + (chance(60) ? 0 : between(0, 3));
    if (least > 0 && chance(50)) {
      offset -= least;
    }
    if (i != null && factor == -1 && sum instanceof Operation product && product.sign() == '*') {
      return new Operation('-', constant(offset), new Name(i));
    }
    if (i != null && chance(isPlain ? 1 : 3) && sum != null) {
      return new Operation(pick('/', '%', '&'), shifted(sum, offset), new Constant(pick(2, 3, 4)));
    }
    return sum == null ? constant(Math.max(0, offset)) : shifted(sum, offset);
  }

  private Expression shifted(Expression number, int by) {
    if (by == 0) {
      return number;
    }
    return by > 0
        ? new Operation('+', number, constant(by))
        : new Operation('-', number, new Constant(-by));
  }
}
