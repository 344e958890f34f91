package org.reprise.cli.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.reprise.cli.terminal.Session;

/** Where the sources of a program may lie that are named without their directory. */
public final class SourceRoots {
  private SourceRoots() {}

  /** Of a command that is started here. */
  public static List<Path> of(Session session, List<String> command) {
    return of(session.directory(), command);
  }

  /** Of a command that was started in a directory. */
  public static List<Path> of(Path directory, List<String> command) {
    List<Path> roots = new ArrayList<>(List.of(directory));
    for (String usual : List.of("src/main/java", "src/test/java", "src")) {
      roots.add(directory.resolve(usual));
    }
    for (String word : command) {
      if (word.matches("[^\0]{1,500}\\.java")) {
        Path file = directory.resolve(word);
        roots.add(file.getParent() == null ? directory : file.getParent());
      }
    }
    return roots;
  }
}
