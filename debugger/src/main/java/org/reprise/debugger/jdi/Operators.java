package org.reprise.debugger.jdi;

import com.sun.jdi.ObjectReference;
import com.sun.jdi.StringReference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reprise.debugger.source.SourceError;

/** Java's operators on values: numbers are promoted as the language says. */
final class Operators {
  static @Nullable Object binary(String sign, @Nullable Object left, @Nullable Object right) {
    Object a = unboxed(left);
    Object b = unboxed(right);
    if (a instanceof Boolean one && b instanceof Boolean other) {
      return switch (sign) {
        case "==" -> one.equals(other);
        case "!=", "^" -> !one.equals(other);
        case "&" -> one && other;
        case "|" -> one || other;
        default -> throw undefined(sign, a, b);
      };
    }
    if (a != null && b != null && isNumber(a) && isNumber(b)) {
      return numbers(sign, promoted(a), promoted(b));
    }
    if (sign.equals("+") && (isText(a) || isText(b))) {
      return plain(a) + plain(b);
    }
    return switch (sign) {
      case "==" -> isSame(a, b);
      case "!=" -> !isSame(a, b);
      default -> throw undefined(sign, a, b);
    };
  }

  /** References by identity, as Java does; a text that was typed by what it says. */
  private static boolean isSame(@Nullable Object a, @Nullable Object b) {
    if (a instanceof String || b instanceof String) {
      return Objects.equals(text(a), text(b));
    }
    return Objects.equals(a, b);
  }

  private static @Nullable Object text(@Nullable Object value) {
    return value instanceof StringReference known ? known.value() : value;
  }

  private static boolean isText(@Nullable Object value) {
    return value instanceof String || value instanceof StringReference;
  }

  private static String plain(@Nullable Object value) {
    return isText(value) || value instanceof Character
        ? String.valueOf(text(value))
        : ValueText.of(value);
  }

  static @Nullable Object unboxed(@Nullable Object value) {
    return value instanceof ObjectReference object
            && !(value instanceof StringReference)
            && JavaExpression.boxed(object) != null
        ? JavaExpression.boxed(object)
        : value;
  }

  private static boolean isNumber(Object value) {
    return value instanceof Number || value instanceof Character;
  }

  private static Number promoted(Object value) {
    return switch (value) {
      case Character c -> (int) c;
      case Byte b -> b.intValue();
      case Short s -> s.intValue();
      case Number n -> n;
      default -> throw new IllegalStateException(value.toString());
    };
  }

  private static Object numbers(String sign, Number a, Number b) {
    if (a instanceof Double || b instanceof Double) {
      return doubles(sign, a.doubleValue(), b.doubleValue());
    }
    if (a instanceof Float || b instanceof Float) {
      Object wide = doubles(sign, a.floatValue(), b.floatValue());
      return wide instanceof Double d ? (Object) d.floatValue() : wide;
    }
    boolean shift = sign.equals("<<") || sign.equals(">>") || sign.equals(">>>");
    boolean isLong = a instanceof Long || !shift && b instanceof Long;
    return isLong
        ? longs(sign, a.longValue(), b.longValue())
        : ints(sign, a.intValue(), b.intValue());
  }

  private static Object doubles(String sign, double a, double b) {
    return switch (sign) {
      case "+" -> a + b;
      case "-" -> a - b;
      case "*" -> a * b;
      case "/" -> a / b;
      case "%" -> a % b;
      case "<" -> a < b;
      case "<=" -> a <= b;
      case ">" -> a > b;
      case ">=" -> a >= b;
      case "==" -> a == b;
      case "!=" -> a != b;
      default -> throw undefined(sign, a, b);
    };
  }

  private static Object longs(String sign, long a, long b) {
    return switch (sign) {
      case "+" -> a + b;
      case "-" -> a - b;
      case "*" -> a * b;
      case "/" -> a / nonZero(b);
      case "%" -> a % nonZero(b);
      case "<" -> a < b;
      case "<=" -> a <= b;
      case ">" -> a > b;
      case ">=" -> a >= b;
      case "==" -> a == b;
      case "!=" -> a != b;
      case "&" -> a & b;
      case "|" -> a | b;
      case "^" -> a ^ b;
      case "<<" -> a << b;
      case ">>" -> a >> b;
      case ">>>" -> a >>> b;
      default -> throw undefined(sign, a, b);
    };
  }

  private static Object ints(String sign, int a, int b) {
    if (sign.equals("<<")) {
      return a << b;
    }
    if (sign.equals(">>>")) {
      return a >>> b;
    }
    // The low half of a long result is what Java's own 32 bits come to.
    Object wide = longs(sign, a, sign.equals(">>") ? b & 31 : b);
    return wide instanceof Long value ? (Object) value.intValue() : wide;
  }

  private static long nonZero(long divisor) {
    if (divisor == 0) {
      throw new SourceError("division by zero");
    }
    return divisor;
  }

  static Object unary(String sign, @Nullable Object operand) {
    Object value = unboxed(operand);
    if (sign.equals("!") && value instanceof Boolean truth) {
      return !truth;
    }
    if (value == null || !isNumber(value) || sign.equals("!")) {
      throw undefined(sign, value);
    }
    Number number = promoted(value);
    return switch (sign) {
      case "+" -> number;
      case "-" ->
          switch (number) {
            case Double d -> -d;
            case Float f -> -f;
            default -> numbers("-", 0, number);
          };
      case "~" -> numbers("^", number, -1);
      default -> throw undefined(sign, value);
    };
  }

  /** To a primitive type, as a cast and as an assignment. */
  static Object cast(String type, @Nullable Object operand) {
    Object value = unboxed(operand);
    if (type.equals("boolean") && value instanceof Boolean) {
      return value;
    }
    if (value == null || !isNumber(value)) {
      throw new SourceError(ValueText.of(value) + " cannot be made a " + type);
    }
    Number number = promoted(value);
    boolean isFloating = number instanceof Double || number instanceof Float;
    long whole = isFloating ? (long) number.doubleValue() : number.longValue();
    int narrow = isFloating ? (int) number.doubleValue() : (int) whole;
    return switch (type) {
      case "byte" -> (byte) narrow;
      case "short" -> (short) narrow;
      case "char" -> (char) narrow;
      case "int" -> narrow;
      case "long" -> whole;
      case "float" -> number.floatValue();
      case "double" -> number.doubleValue();
      default -> throw new SourceError(ValueText.of(value) + " cannot be made a " + type);
    };
  }

  private static SourceError undefined(String sign, @Nullable Object... operands) {
    StringBuilder text = new StringBuilder();
    for (Object operand : operands) {
      text.append(text.isEmpty() ? "" : " and ").append(ValueText.of(operand));
    }
    return new SourceError("'" + sign + "' does not go with " + text);
  }

  private Operators() {}
}
