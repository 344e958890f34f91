package org.reprise.anomaly.agent;

import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.reprise.anomaly.hooks.Hooks;

/** Runs programs one after another in one virtual machine, and keeps the verdict on each. */
final class Driver {
  private Driver() {}

  /**
   * Arguments: the file for verdicts, which has a line for each program as soon as it has ended;
   * and a file with class directories and main classes by turns. What they print goes nowhere,
   * unless {@code -Dreprise.prints=true}.
   */
  public static void main(String[] arguments) throws Exception {
    if (!Boolean.getBoolean("reprise.prints")) {
      System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    }
    Path verdicts = Path.of(arguments[0]);
    List<String> programs = Files.readAllLines(Path.of(arguments[1]));
    for (int i = 0; i < programs.size(); i += 2) {
      URL classes = Path.of(programs.get(i)).toUri().toURL();
      try (URLClassLoader loader =
          new URLClassLoader(new URL[] {classes}, Driver.class.getClassLoader())) {
        var main = loader.loadClass(programs.get(i + 1)).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        try {
          main.invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException e) {
          // What races may come to harm by it; the verdict stands.
          if (!programs.get(i).endsWith("races") && !programs.get(i).endsWith("broken")) {
            throw e;
          }
        }
      }
      String verdict = String.valueOf(Hooks.takeVerdict()).strip();
      Files.writeString(verdicts, verdict + "\n", StandardOpenOption.APPEND);
    }
  }
}
