package org.reprise.anomaly.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.LoopBlocks.Block;
import org.reprise.anomaly.agent.LoopBlocks.Span;
import org.reprise.anomaly.agent.LoopBlocks.ThreadOrder;
import org.reprise.anomaly.agent.LoopCode.AddInt;
import org.reprise.anomaly.agent.LoopCode.Assign;
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

/**
 * What must be found in a program of {@link LoopCode}, by doing it: one thing after the other, with
 * a list of the accesses to each element and the blocks that made them.
 *
 * <p>A loop that throws leaves open which of its iterations happen, and until when. What these meet
 * may be found, and need not be.
 */
final class LoopOracle {
  private static final int ACCESSES_MAX = 300_000;

  /** The program is of no use, as one whose first thread throws. */
  static final class Useless extends RuntimeException {
    private static final long serialVersionUID = 1;

    Useless(String why) {
      super(why);
    }
  }

  /** What the program itself throws. */
  private static final class Thrown extends RuntimeException {
    private static final long serialVersionUID = 1;

    Thrown(String name) {
      super(name, null, false, false);
    }
  }

  /** Two statements that meet, by their lines; the smaller comes first. */
  record Pair(int one, int other, boolean areWrites) {}

  /** An array or a field, and which pairs of statements meet in it. */
  static final class Cells {
    final int number;
    final String name;
    final ElementType type;
    final int depth;
    @Nullable Shape shape;
    int[] numbers;
    boolean[] isUnknown;
    @Nullable Cells[] rows;
    final List<@Nullable List<Access>> accesses = new ArrayList<>();
    final Set<Pair> pairs = new HashSet<>();
    final Set<Integer> met = new TreeSet<>();
    boolean needsWrites;
    boolean needsReads;

    Cells(int number, String name, ElementType type, int depth, int length) {
      this.number = number;
      this.name = name;
      this.type = type;
      this.depth = depth;
      this.numbers = new int[depth == 1 ? length : 0];
      this.isUnknown = new boolean[depth == 1 ? length : 0];
      this.rows = new Cells[depth == 1 ? 0 : length];
    }

    int length() {
      return depth == 1 ? numbers.length : rows.length;
    }
  }

  private record Access(Block block, boolean isWrite, int line) {}

  private static final class Scope {
    final @Nullable Scope outer;
    final Map<String, Object> values = new HashMap<>();

    Scope(@Nullable Scope outer) {
      this.outer = outer;
    }

    Object get(String name) {
      for (Scope scope = this; scope != null; scope = scope.outer) {
        Object value = scope.values.get(name);
        if (value != null) {
          return value == NULL ? NULL : value;
        }
      }
      throw new IllegalStateException("no variable " + name);
    }
  }

  private static final Object NULL = new Object();

  private final Program program;
  private final ToIntFunction<Object> lineOf;
  private final boolean grows;
  private boolean hasGrown;

  private final List<Cells> all = new ArrayList<>();
  private final Map<Variable, Cells> holders = new LinkedHashMap<>();
  private final Map<Variable, Cells> arrays = new LinkedHashMap<>();
  private final Map<Scalar, Cells> scalars = new LinkedHashMap<>();
  private final Map<Shape, Cells> created = new IdentityHashMap<>();
  private final Map<String, Span> threads = new HashMap<>();
  private final Set<List<Access>> touched =
      java.util.Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Runnable> flushes = new ArrayList<>();
  private final ThreadOrder first = new ThreadOrder(null, null);
  private ThreadOrder threadOrder = first;
  private boolean hasStragglers;
  private int accesses;
  private int line;
  private final List<Integer> callLines = new ArrayList<>();

  /** Lines of calls, by the lines of what they do. */
  private final Map<Integer, Set<Integer>> calls = new TreeMap<>();

  private final Map<Pair, Set<Integer>> places = new HashMap<>();

  /** Which iterations of each loop throw; what the first pass saw, for the second. */
  private final List<List<Integer>> throwers;

  private final Map<Integer, Set<Integer>> metBefore;
  private int loops;
  private final List<Set<String>> caught = new ArrayList<>();
  private boolean unknown;

  private LoopOracle(
      Program program,
      ToIntFunction<Object> lineOf,
      boolean grows,
      List<List<Integer>> throwers,
      Map<Integer, Set<Integer>> metBefore) {
    this.program = program;
    this.lineOf = lineOf;
    this.grows = grows;
    this.throwers = throwers;
    this.metBefore = metBefore;
  }

  /** Makes the arrays as large as the program needs them; false if that never ends. */
  static boolean grow(Program program) {
    for (int i = 0; i < 6; i++) {
      LoopOracle oracle = new LoopOracle(program, any -> 1, true, new ArrayList<>(), Map.of());
      oracle.run();
      if (!oracle.hasGrown) {
        return true;
      }
    }
    return false;
  }

  /** What is expected of a program. */
  static LoopOracle of(Program program, ToIntFunction<Object> lineOf) {
    LoopOracle one = new LoopOracle(program, lineOf, false, new ArrayList<>(), Map.of());
    one.run();
    Map<Integer, Set<Integer>> met = new HashMap<>();
    for (int i = 0; i < one.all.size(); i++) {
      met.put(i, one.all.get(i).met);
    }
    LoopOracle other = new LoopOracle(program, lineOf, false, one.throwers, met);
    other.run();
    return other;
  }

  boolean hasConflicts() {
    return all.stream().anyMatch(cells -> !cells.pairs.isEmpty());
  }

  boolean mustBeFound() {
    return all.stream().anyMatch(cells -> cells.needsReads || cells.needsWrites);
  }

  boolean hasThrown() {
    return hasStragglers;
  }

  int accesses() {
    return accesses;
  }

  /** Whether rows or references in fields conflict: what happens then is schedule-dependent. */
  boolean hasUnknownArrays() {
    return all.stream().anyMatch(cells -> cells.depth > 1 && !cells.pairs.isEmpty())
        || holders.values().stream().anyMatch(holder -> !holder.pairs.isEmpty());
  }

  List<Cells> cells() {
    return all;
  }

  /** Whether two statements meet as a finding says; the lines may be those of calls. */
  @Nullable Pair find(int one, int other, boolean areWrites, Set<Pair> among) {
    for (Pair pair : among) {
      if (pair.areWrites == areWrites
          && ((is(one, pair.one) && is(other, pair.other))
              || (is(other, pair.one) && is(one, pair.other)))) {
        return pair;
      }
    }
    return null;
  }

  private boolean is(int shown, int line) {
    return shown == line || calls.getOrDefault(line, Set.of()).contains(shown);
  }

  /** Where they meet. */
  Set<Integer> places(int one, int other, boolean areWrites) {
    Set<Integer> found = new TreeSet<>();
    places.forEach(
        (pair, indices) -> {
          if (find(one, other, areWrites, Set.of(pair)) != null) {
            found.addAll(indices);
          }
        });
    return found;
  }

  Set<Pair> pairs() {
    return places.keySet();
  }

  /** What the program leaves behind, word by word; ? is schedule-dependent. */
  List<String> result() {
    List<String> words = new ArrayList<>();
    words.add(String.valueOf(caught.size()));
    for (Set<String> names : caught) {
      words.add(names.size() == 1 ? names.iterator().next() : "?");
    }
    words.add("#" + program.scalars().size());
    for (Scalar scalar : program.scalars()) {
      Cells cells = scalars.get(scalar);
      words.add(
          cells == null
              ? String.valueOf(scalar.value())
              : cells.isUnknown[0] || isMet(cells, 0) ? "?" : String.valueOf(cells.numbers[0]));
    }
    for (Variable variable : program.variables()) {
      describe(arrays.get(variable), words);
    }
    return words;
  }

  private void describe(@Nullable Cells cells, List<String> words) {
    if (cells == null) {
      words.add("null");
      return;
    }
    words.add("#" + cells.length());
    for (int i = 0; i < cells.length(); i++) {
      if (cells.depth > 1) {
        describe(cells.rows[i], words);
      } else {
        words.add(cells.isUnknown[i] || isMet(cells, i) ? "?" : String.valueOf(cells.numbers[i]));
      }
    }
  }

  private boolean isMet(Cells cells, int index) {
    return metBefore.getOrDefault(cells.number, Set.of()).contains(index);
  }

  private void run() {
    for (Variable variable : program.variables()) {
      arrays.put(
          variable, cells(variable.shape(), variable.type(), variable.depth(), variable.name()));
      if (variable.numbers().length > 0) {
        Cells cells = arrays.get(variable);
        System.arraycopy(variable.numbers(), 0, cells.numbers, 0, variable.numbers().length);
      }
    }
    for (Variable variable : program.variables()) {
      if (!variable.where().isFixed()) {
        holders.put(variable, field(variable.name()));
      }
    }
    for (Scalar scalar : program.scalars()) {
      if (!scalar.where().isFixed()) {
        Cells cells = field(scalar.name());
        cells.numbers[0] = scalar.value();
        scalars.put(scalar, cells);
      }
    }
    Scope scope = new Scope(null);
    try {
      for (Statement statement : program.statements()) {
        run(statement, scope);
        flushIfAlone();
      }
    } catch (Thrown e) {
      throw new Useless("the first thread throws");
    }
    flush();
  }

  private Cells field(String name) {
    Cells cells = new Cells(all.size(), name, ElementType.INT, 1, 1);
    all.add(cells);
    return cells;
  }

  private Cells cells(Shape shape, ElementType type, int depth, String name) {
    Cells known = created.get(shape);
    if (known != null) {
      return known;
    }
    Cells cells = new Cells(all.size(), name, type, depth, shape.length);
    cells.shape = shape;
    all.add(cells);
    created.put(shape, cells);
    for (int i = 0; depth > 1 && i < shape.length; i++) {
      Shape row = shape.rows.get(i);
      cells.rows[i] = row == null ? null : cells(row, type, depth - 1, name + "[" + i + "]");
    }
    return cells;
  }

  private void flushIfAlone() {
    if (threadOrder == first && threads.isEmpty() && !hasStragglers) {
      flush();
    }
  }

  private void flush() {
    flushes.forEach(Runnable::run);
    flushes.clear();
    touched.clear();
  }

  private void run(List<Statement> statements, Scope scope) {
    for (Statement statement : statements) {
      run(statement, scope);
    }
  }

  private void run(Statement statement, Scope scope) {
    if (!(statement instanceof Try)) {
      line = lineOf.applyAsInt(statement);
    }
    int here = line;
    if (statement instanceof Assign assign) {
      assign(assign, scope);
    } else if (statement instanceof SetRow set) {

      Cells rows = array(set.rows(), scope);
      int index = number(set.index(), scope);
      Cells row = array(set.row(), scope);
      Cells there = present(rows);
      // The array may grow.
      int at = access(there, index, true);
      there.rows[at] = row;

    } else if (statement instanceof SetScalar set) {

      Cells cells = scalars.get(set.scalar());
      int old = 0;
      unknown = false;
      if (set.adds()) {
        old = read(cells, 0);
      }
      int value = number(set.value(), scope);
      write(cells, 0, old + value);

    } else if (statement instanceof DeclareInt declare) {

      unknown = false;
      int value = number(declare.value(), scope);
      scope.values.put(declare.name(), new int[] {value, unknown ? 1 : 0});

    } else if (statement instanceof AddInt sum) {

      unknown = false;
      int value = number(sum.value(), scope);
      int[] variable = (int[]) scope.get(sum.name());
      variable[0] += value;
      variable[1] |= unknown ? 1 : 0;

    } else if (statement instanceof DeclareRow declare) {

      Cells row = array(declare.row(), scope);
      scope.values.put(declare.local().name(), row == null ? NULL : row);

    } else if (statement instanceof For loop) {
      loop(loop, scope);
    } else if (statement instanceof If test) {

      int left = number(test.left(), scope);
      int right = number(test.right(), scope);
      boolean holds =
          switch (test.sign()) {
            case "<" -> left < right;
            case ">" -> left > right;
            case "==" -> left == right;
            default -> left != right;
          };
      if (holds) {
        run(test.body(), new Scope(scope));
      }

    } else if (statement instanceof Call call) {

      Scope inside = new Scope(null);
      for (int i = 0; i < call.arguments().size(); i++) {
        Object parameter = call.method().parameters().get(i);
        if (parameter instanceof Local local) {
          Cells cells = array((Place) call.arguments().get(i), scope);
          inside.values.put(local.name(), cells == null ? NULL : cells);
        } else {
          int value = number((Expression) call.arguments().get(i), scope);
          inside.values.put(((Name) parameter).name(), new int[] {value, 0});
        }
      }
      callLines.add(here);
      run(call.method().body(), inside);
      callLines.remove(callLines.size() - 1);

    } else if (statement instanceof Parallel loop) {
      parallel(loop, scope);
    } else if (statement instanceof Try attempt) {
      parallel(attempt, scope);
    } else if (statement instanceof SwapRows swap) {

      Cells rows = present(array(swap.rows(), scope));
      int one = access(rows, swap.one(), false);
      int other = access(rows, swap.other(), false);
      access(rows, swap.one(), true);
      access(rows, swap.other(), true);
      Cells row = rows.rows[one];
      rows.rows[one] = rows.rows[other];
      rows.rows[other] = row;

    } else if (statement instanceof SwapVariables swap) {

      Cells one = present(array(swap.one(), scope));
      Cells other = present(array(swap.other(), scope));
      access(present(holders.get(swap.one())), 0, true);
      access(present(holders.get(swap.other())), 0, true);
      arrays.put(swap.one(), other);
      arrays.put(swap.other(), one);

    } else if (statement instanceof Start start) {

      ThreadOrder before = threadOrder;
      threadOrder.step();
      Span span = threadOrder.block.span;
      Span open = new Span(span.from);
      open.to = Integer.MAX_VALUE;
      threads.put(start.name(), open);
      threadOrder = new ThreadOrder(before, open);
      run(start.body(), new Scope(scope));
      threadOrder = before;
      threadOrder.step();

    } else if (statement instanceof Join join) {

      Span open = Objects.requireNonNull(threads.get(join.name()));
      open.to = threadOrder.position;
      threadOrder.step();
      if (threads.size() == 1 && !hasStragglers) {
        flush();
      }
      threads.remove(join.name());

    } else if (statement instanceof InPool pool) {

      if (pool.pool() == Pool.INITIALIZER) {
        run(pool.body(), new Scope(scope));
      } else {
        ThreadOrder before = threadOrder;
        threadOrder.step();
        threadOrder = new ThreadOrder(before, threadOrder.block.span);
        run(pool.body(), new Scope(scope));
        threadOrder = before;
        threadOrder.step();
      }
    }
    line = here;
  }

  private void loop(For loop, Scope scope) {
    int here = line;
    for (int i = number(loop.start(), scope); ; i += loop.step()) {
      line = here;
      Scope inside = new Scope(scope);
      inside.values.put(loop.name(), new int[] {i, 0});
      int bound = number(loop.bound(), inside);
      boolean goesOn =
          loop.step() > 0
              ? (loop.isInclusive() ? i <= bound : i < bound)
              : (loop.isInclusive() ? i >= bound : i > bound);
      if (!goesOn) {
        return;
      }
      run(loop.body(), inside);
      flushIfAlone();
    }
  }

  private void parallel(Try attempt, Scope scope) {
    line = lineOf.applyAsInt(attempt.loop());
    parallel(attempt.loop(), scope, true);
  }

  private void parallel(Parallel loop, Scope scope) {
    parallel(loop, scope, false);
  }

  private void parallel(Parallel loop, Scope scope, boolean catches) {
    int number = loops++;
    boolean isSecond = !metBefore.isEmpty();
    List<Integer> known = isSecond ? throwers.get(number) : List.of();
    int from = number(loop.from(), scope);
    int to = number(loop.to(), scope) + (loop.form() == Form.CLOSED ? 1 : 0);
    ThreadOrder before = threadOrder;
    int here = line;
    before.step();
    Span span = before.block.span;
    List<ThreadOrder> others = new ArrayList<>();
    List<ThreadOrder> throwing = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    Set<String> names = new TreeSet<>();
    for (int i = from; i < to; i++) {
      int v = loop.form() == Form.MAPPED ? i + loop.extra() : i;
      if (loop.form() == Form.FILTERED && Math.floorMod(v, 3) == loop.extra()) {
        continue;
      }
      Scope inside = new Scope(scope);
      inside.values.put(loop.body().name(), new int[] {v, 0});
      threadOrder = new ThreadOrder(before, span);
      threadOrder.isCertain = known.isEmpty();
      threadOrder.isOnlyThrower = known.equals(List.of(i));
      try {
        if (loop.form() == Form.PEEKED) {
          run(loop.peek(), new Scope(inside));
        }
        run(loop.body().statements(), new Scope(inside));
        others.add(threadOrder);
      } catch (Thrown e) {
        if (!catches) {
          throw e;
        }
        throwing.add(threadOrder);
        numbers.add(i);
        names.add(String.valueOf(e.getMessage()));
      }
    }
    threadOrder = before;
    line = here;
    if (!isSecond) {
      throwers.add(numbers);
    }
    if (!throwing.isEmpty()) {
      others.forEach(other -> other.isCertain = false);
      throwing.forEach(one -> one.isCertain = false);
      span.to = Integer.MAX_VALUE;
      hasStragglers = true;
      caught.add(names);
    }
    before.step();
  }

  private void assign(Assign assign, Scope scope) {
    unknown = false;
    Cells array = array(assign.array(), scope);
    int index = number(assign.index(), scope);
    int old = 0;
    if (assign.adds()) {
      old = read(array, index);
    }
    int value = number(assign.value(), scope);
    write(array, index, old + value);
  }

  private @Nullable Cells array(Place place, Scope scope) {
    if (place instanceof Variable variable) {

      Cells holder = holders.get(variable);
      if (holder != null) {
        access(holder, 0, false);
      }
      return arrays.get(variable);
    }
    if (place instanceof Local local) {

      Object value = scope.get(local.name());
      return value == NULL ? null : (Cells) value;
    }
    if (place instanceof Row row) {

      Cells rows = array(row.rows(), scope);
      int index = number(row.index(), scope);
      Cells there = present(rows);
      int at = access(there, index, false);
      return there.rows[at];
    }
    throw new IllegalStateException("no such code: " + place);
  }

  private int number(Expression expression, Scope scope) {
    if (expression instanceof Constant constant) {
      return constant.value();
    }
    if (expression instanceof Name name) {

      int[] value = (int[]) scope.get(name.name());
      unknown |= value[1] != 0;
      return value[0];
    }
    if (expression instanceof Scalar scalar) {

      Cells cells = scalars.get(scalar);
      return cells == null ? scalar.value() : read(cells, 0);
    }
    if (expression instanceof Length length) {

      Cells cells = array(length.array(), scope);
      if (cells == null) {
        throw new Thrown("NullPointerException");
      }
      return cells.length();
    }
    if (expression instanceof Operation operation) {
      return operation(operation, scope);
    }
    if (expression instanceof Element element) {

      Cells cells = array(element.array(), scope);
      int index = number(element.index(), scope);
      return read(cells, index);
    }
    throw new IllegalStateException("no such code: " + expression);
  }

  private int operation(Operation operation, Scope scope) {
    int left = number(operation.left(), scope);
    int right = number(operation.right(), scope);
    return switch (operation.sign()) {
      case '+' -> left + right;
      case '-' -> left - right;
      case '*' -> left * right;
      case '&' -> left & right;
      case '%', '/' -> {
        if (right == 0) {
          throw new Thrown("ArithmeticException");
        }
        yield operation.sign() == '/' ? left / right : left % right;
      }
      default -> throw new IllegalStateException("no operation " + operation.sign());
    };
  }

  private int read(@Nullable Cells array, int index) {
    Cells cells = present(array);
    int at = access(cells, index, false);
    if (cells.isUnknown[at] || isMet(cells, at)) {
      unknown = true;
    }
    return cells.numbers[at];
  }

  private void write(@Nullable Cells array, int index, int value) {
    Cells cells = present(array);
    int at = access(cells, index, true);
    cells.numbers[at] = cells.type.kept(value);
    // What an iteration writes that may not happen is not known either.
    cells.isUnknown[at] = unknown || !threadOrder.block.happens();
  }

  private static Cells present(@Nullable Cells array) {
    if (array == null) {
      throw new Thrown("NullPointerException");
    }
    return array;
  }

  /** The index, if it is one. */
  private int access(Cells cells, int index, boolean isWrite) {
    if (grows && index >= cells.length()) {
      grow(cells, index + 1);
    }
    if (index < 0 || index >= cells.length()) {
      if (grows) {
        throw new Useless("an index below 0");
      }
      throw new Thrown("ArrayIndexOutOfBoundsException");
    }
    if (++accesses > ACCESSES_MAX) {
      throw new Useless("too long");
    }
    if (cells.shape != null) {
      cells.shape.isTouched = true;
    }
    while (cells.accesses.size() <= index) {
      cells.accesses.add(null);
    }
    List<Access> list = cells.accesses.get(index);
    if (list == null) {
      list = new ArrayList<>();
      cells.accesses.set(index, list);
    }
    if (touched.add(list)) {
      List<Access> found = list;
      flushes.add(() -> compare(cells, index, found));
    }
    Access access = new Access(threadOrder.block, isWrite, line);
    if (list.isEmpty() || !list.get(list.size() - 1).equals(access)) {
      list.add(access);
    }
    if (!callLines.isEmpty()) {
      calls.computeIfAbsent(line, any -> new TreeSet<>()).addAll(callLines);
    }
    return index;
  }

  private void grow(Cells cells, int length) {
    if (length > 3000 || cells.shape == null) {
      throw new Useless("too large");
    }
    hasGrown = true;
    cells.shape.length = length;
    if (cells.depth == 1) {
      cells.numbers = Arrays.copyOf(cells.numbers, length);
      cells.isUnknown = Arrays.copyOf(cells.isUnknown, length);
      return;
    }
    int before = cells.rows.length;
    cells.rows = Arrays.copyOf(cells.rows, length);
    for (int i = before; i < length; i++) {
      Shape row = new Shape();
      cells.shape.rows.add(row);
      cells.rows[i] = cells(row, cells.type, cells.depth - 1, cells.name + "[" + i + "]");
    }
  }

  private record Group(boolean isWrite, int line) {}

  private void compare(Cells cells, int index, List<Access> list) {
    Map<Group, Set<Block>> groups = new LinkedHashMap<>();
    for (Access access : list) {
      groups
          .computeIfAbsent(
              new Group(access.isWrite, access.line), any -> new java.util.LinkedHashSet<>())
          .add(access.block);
    }
    list.clear();
    if (grows || groups.keySet().stream().noneMatch(Group::isWrite)) {
      return;
    }
    List<Group> keys = List.copyOf(groups.keySet());
    boolean writesMeet = false;
    boolean writesCertainlyMeet = false;
    boolean readsCertainlyMeet = false;
    for (int i = 0; i < keys.size(); i++) {
      for (int j = i; j < keys.size(); j++) {
        Group one = keys.get(i);
        Group other = keys.get(j);
        if (!one.isWrite && !other.isWrite) {
          continue;
        }
        int how = meet(groups.getOrDefault(one, Set.of()), groups.getOrDefault(other, Set.of()));
        if (how == 0) {
          continue;
        }
        boolean areWrites = one.isWrite && other.isWrite;
        Pair pair =
            new Pair(Math.min(one.line, other.line), Math.max(one.line, other.line), areWrites);
        cells.pairs.add(pair);
        cells.met.add(index);
        places.computeIfAbsent(pair, any -> new TreeSet<>()).add(index);
        writesMeet |= areWrites;
        writesCertainlyMeet |= areWrites && how == 2;
        readsCertainlyMeet |= !areWrites && how == 2;
      }
    }
    cells.needsWrites |= writesCertainlyMeet;
    // A block that reads what it also writes may be known as a writer only.
    cells.needsReads |= readsCertainlyMeet && !writesMeet;
  }

  /** 0 if none of them are concurrent, 1 if some may be, 2 if some are. */
  private static int meet(Set<Block> some, Set<Block> others) {
    int how = 0;
    for (Block one : some) {
      for (Block other : others) {
        if (one != other && one.isConcurrentWith(other)) {
          if (one.isCertain() && other.isCertain()) {
            return 2;
          }
          how = 1;
        }
      }
    }
    return how;
  }
}
