package org.reprise.debugger.jdi;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ClassNotPreparedException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.debugger.source.SourceError;

/**
 * A place of the source as it is typed: a line of a file, or a method, which is the first line of
 * its code. Classes that have it are found as they are loaded.
 */
sealed interface JavaPlace {
  /** {@code Solver.java:212}; of {@code p/Solver.java:212} the directories count, too. */
  Pattern LINE = Pattern.compile("(.+\\.java):(\\d{1,7})");

  /** {@code relax}, {@code Solver.relax}. */
  Pattern METHOD =
      Pattern.compile(
          "(?:((?:[\\w$]+\\.)*[\\w$]+)\\.)?([\\w$]+)(?:\\(\\))?", Pattern.UNICODE_CHARACTER_CLASS);

  /** How many lines further a line without code of its own may have it, before a method begins. */
  int HEAD_LINES = 3;

  /** Where in the code of a class it is; empty if the class does not have it. */
  List<Location> in(ReferenceType type);

  static JavaPlace of(String typed) {
    Matcher line = LINE.matcher(typed);
    Matcher method = METHOD.matcher(typed);
    if (line.matches()) {
      return new Line(line.group(1), Integer.parseInt(line.group(2)));
    }
    if (method.matches() && !typed.matches("\\d+")) {
      return new Named(Optional.ofNullable(method.group(1)), method.group(2));
    }
    throw new SourceError(
        "'" + typed + "' is not a place: give Program.java:17, or a method such as Program.main");
  }

  /** A line of a source file. */
  record Line(String file, int line) implements JavaPlace {
    @Override
    public List<Location> in(ReferenceType type) {
      try {
        if (!isOf(type)) {
          return List.of();
        }
        List<Location> exact = first(type.locationsOfLine(line));
        return exact.isEmpty() ? following(type) : exact;
      } catch (AbsentInformationException | ClassNotPreparedException e) {
        return List.of();
      }
    }

    private boolean isOf(ReferenceType type) throws AbsentInformationException {
      String path = type.sourcePaths(type.virtualMachine().getDefaultStratum()).getFirst();
      return ("/" + path).endsWith("/" + file) || ("/" + file).endsWith("/" + path);
    }

    /** A line is several places in the code of a loop or a lambda's method: the first of each. */
    private static List<Location> first(List<Location> all) {
      List<Location> firsts = new ArrayList<>();
      for (Location location : all) {
        if (firsts.stream().noneMatch(other -> other.method().equals(location.method()))) {
          firsts.add(location);
        }
      }
      return firsts;
    }

    /** The next line that has code, of the method that the line is in or the head of. */
    private List<Location> following(ReferenceType type) throws AbsentInformationException {
      for (Method method : type.methods()) {
        if (method.isAbstract() || method.isNative() || method.isSynthetic()) {
          continue;
        }
        List<Location> lines = method.allLineLocations();
        int head =
            lines.stream().mapToInt(Location::lineNumber).min().orElse(Integer.MAX_VALUE)
                - HEAD_LINES;
        Optional<Location> next =
            lines.stream()
                .filter(location -> location.lineNumber() > line && line >= head)
                .min(Comparator.comparingInt(Location::lineNumber));
        if (next.isPresent()) {
          return List.of(next.get());
        }
      }
      return List.of();
    }
  }

  /** A method, of any class if none is named. */
  record Named(Optional<String> type, String method) implements JavaPlace {
    @Override
    public List<Location> in(ReferenceType found) {
      String name = found.name();
      boolean isType =
          type.isEmpty()
              || ("." + name.replace('$', '.')).endsWith("." + type.get().replace('$', '.'));
      if (!isType) {
        return List.of();
      }
      String simple = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
      String wanted = type.isPresent() && method.equals(simple) ? "<init>" : method;
      List<Location> locations = new ArrayList<>();
      for (Method one : found.methodsByName(wanted)) {
        Location location = one.location();
        if (one.declaringType().equals(found) && location != null && location.codeIndex() >= 0) {
          locations.add(location);
        }
      }
      return locations;
    }
  }
}
