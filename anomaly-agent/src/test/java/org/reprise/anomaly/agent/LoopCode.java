package org.reprise.anomaly.agent;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Small parallel programs as trees. {@link LoopSource} writes them down in Java, {@link LoopOracle}
 * computes what each block accesses. All numbers are ints, whatever the arrays hold.
 */
final class LoopCode {
  private LoopCode() {}

  /** What an array holds. */
  enum ElementType {
    INT("int"),
    DOUBLE("double"),
    LONG("long"),
    FLOAT("float"),
    SHORT("short"),
    BYTE("byte"),
    CHAR("char"),
    BOOLEAN("boolean"),
    INTEGER("Integer");

    final String word;

    ElementType(String word) {
      this.word = word;
    }

    /** What is read after a number has been written. */
    int kept(int number) {
      return switch (this) {
        case BYTE -> (byte) number;
        case SHORT -> (short) number;
        case CHAR -> (char) number;
        case BOOLEAN -> number & 1;
        case FLOAT -> (int) (float) number;
        default -> number;
      };
    }
  }

  /** Where a variable is. */
  enum Where {
    LOCAL(""),
    STATIC("static "),
    STATIC_FINAL("static final "),
    INSTANCE(""),
    FINAL("final ");

    final String words;

    Where(String words) {
      this.words = words;
    }

    boolean isFixed() {
      return this == STATIC_FINAL || this == FINAL || this == LOCAL;
    }
  }

  /** An array as it is created; the same shape in two places is the same array. */
  static final class Shape {
    int length;
    final List<@Nullable Shape> rows = new ArrayList<>();
    boolean isTouched;
  }

  /** A variable for an array; depth 2 is an array of arrays. */
  record Variable(String name, ElementType type, int depth, Where where, Shape shape, int[] numbers)
      implements Place {}

  /** A variable for an int, set at the beginning. */
  record Scalar(String name, Where where, int value) implements Expression {}

  /** An array. */
  sealed interface Place {
    ElementType type();

    int depth();
  }

  /** An array in an array. */
  record Row(Place rows, Expression index) implements Place {
    @Override
    public ElementType type() {
      return rows.type();
    }

    @Override
    public int depth() {
      return rows.depth() - 1;
    }
  }

  /** A parameter or a local variable of a body. */
  record Local(String name, ElementType type, int depth) implements Place {}

  /** A number. */
  sealed interface Expression {}

  record Constant(int value) implements Expression {}

  /** A loop's variable, a parameter, or a local variable of a body. */
  record Name(String name) implements Expression {}

  record Operation(char sign, Expression left, Expression right) implements Expression {}

  record Element(Place array, Expression index) implements Expression {}

  record Length(Place array) implements Expression {}

  /** What a program does. */
  sealed interface Statement {}

  record Assign(Place array, Expression index, boolean adds, Expression value)
      implements Statement {}

  record SetRow(Place rows, Expression index, Place row) implements Statement {}

  record SetScalar(Scalar scalar, boolean adds, Expression value) implements Statement {}

  record DeclareInt(String name, Expression value) implements Statement {}

  record AddInt(String name, Expression value) implements Statement {}

  record DeclareRow(Local local, Place row) implements Statement {}

  /** A loop that counts, down if the step is negative. */
  record For(
      String name,
      Expression start,
      Expression bound,
      boolean isInclusive,
      int step,
      List<Statement> body)
      implements Statement {}

  record If(Expression left, String sign, Expression right, List<Statement> body)
      implements Statement {}

  /** A method; its parameters are ints (Name) and arrays (Local). */
  record Method(String name, List<Object> parameters, List<Statement> body) {}

  record Call(Method method, List<Object> arguments) implements Statement {}

  /** How a loop is written. */
  enum Form {
    RANGE,
    CLOSED,
    MAPPED,
    FILTERED,
    PEEKED,
    LONG,
    BOXED,
    LATE
  }

  /** How its body is written. */
  enum BodyForm {
    LAMBDA,
    METHOD,
    FUNCTION
  }

  /** What is done for each number of a loop. */
  record Body(BodyForm form, String id, String name, List<Statement> statements) {}

  /**
   * A parallel loop.
   *
   * @param extra by how much a mapped number is greater, or which numbers are left by a filter
   * @param peek what a stage before does
   */
  record Parallel(
      Form form, Expression from, Expression to, int extra, List<Statement> peek, Body body)
      implements Statement {}

  record Try(Parallel loop) implements Statement {}

  record SwapRows(Place rows, int one, int other) implements Statement {}

  record SwapVariables(Variable one, Variable other) implements Statement {}

  record Start(String name, List<Statement> body) implements Statement {}

  record Join(String name) implements Statement {}

  /** How statements are given to somebody else, who is waited for. */
  enum Pool {
    COMMON,
    OWN,
    THREAD,
    INITIALIZER
  }

  record InPool(Pool pool, String id, List<Statement> body) implements Statement {}

  /** A whole program. */
  record Program(
      String name,
      long seed,
      List<Variable> variables,
      List<Scalar> scalars,
      List<Statement> statements) {}
}
