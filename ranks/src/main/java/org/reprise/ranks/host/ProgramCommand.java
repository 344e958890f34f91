package org.reprise.ranks.host;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.reprise.trace.UserError;

/**
 * A Java program as a user names it: {@code Program.java}, {@code app.jar}, or {@code -cp DIR
 * Main}, and the words that are its own.
 *
 * @param classPath as it was given: entries with the system's separator between them, or empty
 * @param target a source file, a jar, or the name of a class
 * @param arguments what the program's main gets
 * @param mpjArguments whether main gets three before them, as from MPJ Express's launcher
 */
public record ProgramCommand(
    String classPath, String target, List<String> arguments, boolean mpjArguments) {
  /** The option that asks for MPJ Express's arguments. */
  public static final String MPJ_ARGUMENTS = "--mpj-arguments";

  private static final Set<String> CLASS_PATH_OPTIONS = Set.of("-cp", "-classpath", "--class-path");

  public ProgramCommand {
    arguments = List.copyOf(arguments);
  }

  /** Whether these words can only be a Java program. A bare class name could be anything. */
  public static boolean isJava(List<String> words) {
    return !words.isEmpty()
        && (words.getFirst().equals(MPJ_ARGUMENTS)
            || CLASS_PATH_OPTIONS.contains(words.getFirst())
            || isSource(words.getFirst())
            || isJar(words.getFirst()));
  }

  /** Takes words apart as {@code java} does: perhaps a class path, the target, its arguments. */
  public static ProgramCommand parse(List<String> words) {
    String classPath = "";
    boolean mpjArguments = !words.isEmpty() && words.getFirst().equals(MPJ_ARGUMENTS);
    int at = mpjArguments ? 1 : 0;
    if (words.size() > at && CLASS_PATH_OPTIONS.contains(words.get(at))) {
      classPath = words.size() > at + 1 ? words.get(at + 1) : "";
      at += 2;
    }
    if (words.size() <= at) {
      throw new UserError(
          "there is no Java program to run",
          String.join(" ", words),
          "name a source file, a jar, or -cp DIR and a class: reprise record -n 4 Program.java",
          2);
    }
    return new ProgramCommand(
        classPath, words.get(at), words.subList(at + 1, words.size()), mpjArguments);
  }

  /** The words that {@link #parse} makes this of. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    if (mpjArguments) {
      words.add(MPJ_ARGUMENTS);
    }
    if (!classPath.isEmpty()) {
      words.addAll(List.of("-cp", classPath));
    }
    words.add(target);
    words.addAll(arguments);
    return words;
  }

  /** What to call the program: the file's name without its ending, or the class's simple name. */
  public String name() {
    String last = isFile() ? String.valueOf(Path.of(target).getFileName()) : target;
    String bare = isFile() ? last.substring(0, last.lastIndexOf('.')) : last;
    return bare.substring(bare.lastIndexOf('.') + 1);
  }

  boolean isFile() {
    return isSource(target) || isJar(target);
  }

  boolean isSource() {
    return isSource(target);
  }

  /** The entries of the class path, as paths that do not depend on the current directory. */
  List<Path> classPathEntries(Path directory) {
    List<Path> entries = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        entries.add(directory.resolve(entry).normalize());
      }
    }
    return entries;
  }

  private static boolean isSource(String word) {
    return word.endsWith(".java") && word.length() > ".java".length();
  }

  private static boolean isJar(String word) {
    return word.endsWith(".jar") && word.length() > ".jar".length();
  }
}
