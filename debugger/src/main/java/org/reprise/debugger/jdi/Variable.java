package org.reprise.debugger.jdi;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.ArrayType;
import com.sun.jdi.ClassNotLoadedException;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.StackFrame;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import org.jspecify.annotations.Nullable;
import org.reprise.debugger.source.SourceError;

/**
 * What an expression may stand for besides a value: something that has one, and can get another.
 */
sealed interface Variable {
  @Nullable Value get();

  void set(@Nullable Value value) throws InvalidTypeException, ClassNotLoadedException;

  /** The name of its type. */
  String type();

  /** Whether it is there without the frame that it was found in. */
  default boolean outlivesFrame() {
    return true;
  }

  /** A local variable or parameter. */
  record Local(StackFrame frame, LocalVariable variable) implements Variable {
    @Override
    public @Nullable Value get() {
      return frame.getValue(variable);
    }

    @Override
    public void set(@Nullable Value value) throws InvalidTypeException, ClassNotLoadedException {
      frame.setValue(variable, value);
    }

    @Override
    public String type() {
      return variable.typeName();
    }

    @Override
    public boolean outlivesFrame() {
      return false;
    }
  }

  /** A field of an object. */
  record OfObject(ObjectReference object, Field field) implements Variable {
    @Override
    public @Nullable Value get() {
      return object.getValue(field);
    }

    @Override
    public void set(@Nullable Value value) throws InvalidTypeException, ClassNotLoadedException {
      object.setValue(field, value);
    }

    @Override
    public String type() {
      return field.typeName();
    }
  }

  /** A static field. */
  record Static(Field field) implements Variable {
    @Override
    public @Nullable Value get() {
      return field.declaringType().getValue(field);
    }

    @Override
    public void set(@Nullable Value value) throws InvalidTypeException, ClassNotLoadedException {
      if (!(field.declaringType() instanceof ClassType type)) {
        throw new SourceError(field.name() + " cannot be changed: it is a constant");
      }
      type.setValue(field, value);
    }

    @Override
    public String type() {
      return field.typeName();
    }
  }

  /** An element of an array. */
  record Element(ArrayReference array, int index) implements Variable {
    @Override
    public @Nullable Value get() {
      return array.getValue(index);
    }

    @Override
    public void set(@Nullable Value value) throws InvalidTypeException, ClassNotLoadedException {
      array.setValue(index, value);
    }

    @Override
    public String type() {
      return ((ArrayType) array.type()).componentTypeName();
    }
  }

  /** Gives it a value that was computed here. */
  default void assign(@Nullable Object value, VirtualMachine vm) {
    try {
      set(mirror(value, vm));
    } catch (InvalidTypeException | ClassNotLoadedException | IllegalArgumentException e) {
      throw new SourceError(ValueText.of(value) + " cannot be assigned to a " + type());
    }
  }

  private @Nullable Value mirror(@Nullable Object value, VirtualMachine vm) {
    Object fitting =
        switch (type()) {
          case "boolean", "byte", "short", "char", "int", "long", "float", "double" ->
              Operators.cast(type(), value);
          default -> value;
        };
    return switch (fitting) {
      case null -> null;
      case Boolean v -> vm.mirrorOf(v);
      case Byte v -> vm.mirrorOf(v);
      case Short v -> vm.mirrorOf(v);
      case Character v -> vm.mirrorOf(v);
      case Integer v -> vm.mirrorOf(v);
      case Long v -> vm.mirrorOf(v);
      case Float v -> vm.mirrorOf(v);
      case Double v -> vm.mirrorOf(v);
      case String v -> vm.mirrorOf(v);
      case Value v -> v;
      default -> throw new SourceError("a part of an array cannot be assigned");
    };
  }
}
