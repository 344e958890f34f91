package org.reprise.ranks.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.UserError;

/** Programs come as sources, jars and classes; each rank has static fields of its own. */
class HostedProgramTest {
  private static final String HELLO =
      "public class Hello { public static void main(String[] a) {"
          + " System.out.println(\"hello \" + String.join(\" \", a)); } }";

  @TempDir Path directory;

  private HostedProgram source(String name, String text) {
    return OneRank.program(directory, name, text);
  }

  private HostedProgram open(String... words) {
    return HostedProgram.open(ProgramCommand.parse(List.of(words)), directory);
  }

  private String output(HostedProgram program, String... arguments) throws Throwable {
    return new OneRank().run(program, arguments).out();
  }

  @Test
  void aSourceFileIsCompiledInMemory() throws Throwable {
    assertThat(output(source("Hello.java", HELLO), "you", "there")).isEqualTo("hello you there\n");
    assertThat(directory).isDirectoryNotContaining("glob:**.class");
  }

  @Test
  void partsOfOpenMpisBindingsThatAreNotProvidedAreNamed() throws Exception {
    assertThatThrownBy(
            () ->
                source(
                    "OneSided.java",
                    "import mpi.*; class OneSided { static void main(String[] a) throws Exception {"
                        + " new Win(MPI.newIntBuffer(1), 1, 1, MPI.INFO_NULL, MPI.COMM_WORLD);"
                        + " MPI.COMM_WORLD.spawn(\"worker\", a, 2, MPI.INFO_NULL, 0, null); } }"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("do without mpi.Win (one-sided communication),")
        .hasMessageContaining("spawn (starting and connecting processes)");
  }

  /** A class file that was compiled elsewhere: it runs up to the use. */
  @Test
  void aClassFileThatNeedsWinIsToldSo() throws Throwable {
    Files.createDirectories(directory.resolve("elsewhere/mpi"));
    Files.writeString(
        directory.resolve("elsewhere/mpi/Win.java"), "package mpi; public class Win {}");
    Files.writeString(
        directory.resolve("elsewhere/Main.java"),
        "public class Main { public static void main(String[] a) { System.out.println(\"begun\");"
            + " new mpi.Win(); } }");
    int status =
        javax.tools.ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-d",
                directory.resolve("elsewhere/classes").toString(),
                directory.resolve("elsewhere/mpi/Win.java").toString(),
                directory.resolve("elsewhere/Main.java").toString());
    assertThat(status).isZero();
    Files.delete(directory.resolve("elsewhere/classes/mpi/Win.class"));
    assertThatThrownBy(() -> output(open("-cp", "elsewhere/classes", "Main")))
        .isInstanceOf(NotProvidedError.class)
        .hasMessageContaining("mpi.Win (one-sided communication) is not provided");
  }

  @Test
  void theFirstClassThatHasAMainIsStarted() throws Throwable {
    HostedProgram program =
        source(
            "Several.java",
            """
            package some.where;
            record Point(int x, int y) {}
            class Second { static void main(String[] a) { System.out.println(new Point(1, 2)); } }
            class Third { public static void main(String[] a) { System.out.println("third"); } }
            """);
    assertThat(program.mainClass()).isEqualTo("some.where.Second");
    assertThat(output(program)).isEqualTo("Point[x=1, y=2]\n");
  }

  @Test
  void compactSourceFilesAndInstanceMainsStart() throws Throwable {
    assertThat(output(source("Compact.java", "void main() { IO.println(\"compact\"); }")))
        .isEqualTo("compact\n");
    assertThat(
            output(
                source(
                    "Heir.java",
                    """
                    class Heir extends Parent { int n = 3; int number() { return n; } }
                    abstract class Parent {
                      abstract int number();
                      void main(String[] args) { System.out.println(number()); }
                      static void main() { System.out.println("not this one"); }
                    }
                    """)))
        .isEqualTo("3\n");
  }

  @Test
  void sourcesBesideItAreFound() throws Throwable {
    Files.createDirectory(directory.resolve("p"));
    Files.writeString(
        directory.resolve("p/Beside.java"),
        "package p; class Beside { static String it() { return \"beside\"; } }");
    assertThat(
            output(
                source(
                    "p/Main.java",
                    "package p; class Main { static void main(String[] a) {"
                        + " System.out.println(Beside.it()); } }")))
        .isEqualTo("beside\n");
  }

  @Test
  void aProgramIsKnownByTheSourcesItNeedsAndByNoOthers() throws Exception {
    String main = "class Main { static void main(String[] a) { Beside.it(); } }";
    Path beside = directory.resolve("Beside.java");
    Files.writeString(beside, "class Beside { static int it() { return 1; } }");
    String then = identity("Main.java", main);
    Files.writeString(directory.resolve("Unused.java"), "class Unused {}");
    assertThat(identity("Main.java", main)).isEqualTo(then);
    Files.writeString(beside, "class Beside { static int it() { return 2; } }");
    assertThat(identity("Main.java", main)).isNotEqualTo(then);
  }

  private String identity(String name, String text) throws Exception {
    try (HostedProgram program = source(name, text)) {
      return program.identity().sha256();
    }
  }

  @Test
  void aProgramStaysWhatItIsWhenItsFilesChange() throws Throwable {
    Path classes = Files.createDirectory(directory.resolve("classes"));
    try (HostedProgram compiled =
        source(
            "Late.java",
            "class Late { static void main(String[] a) { System.out.println(new Late2()); } }"
                + " class Late2 { public String toString() { return \"late\"; } }")) {
      for (String name : List.of("Late", "Late2")) {
        Files.write(classes.resolve(name + ".class"), compiled.classBytes(name));
      }
    }
    HostedProgram program =
        HostedProgram.open(ProgramCommand.parse(List.of("-cp", "classes", "Late")), directory);
    String then = program.identity().sha256();
    Files.delete(classes.resolve("Late2.class"));
    Files.delete(classes.resolve("Late.class"));
    assertThat(output(program)).isEqualTo("late\n");
    assertThat(program.identity().sha256()).isEqualTo(then);
  }

  @Test
  void whatDoesNotCompileIsToldAsJavacTellsIt() {
    assertThatThrownBy(() -> source("Wrong.java", "class Wrong {\n  int x = \"text\";\n}\n"))
        .isInstanceOfSatisfying(
            UserError.class,
            error -> {
              assertThat(error.cause()).isEqualTo("Wrong.java does not compile");
              assertThat(error.found())
                  .isEqualTo(
                      """
                      Wrong.java:2: error: incompatible types: String cannot be converted to int
                        int x = "text";
                                ^
                      1 error
                      """);
              assertThat(error.exitCode()).isEqualTo(2);
            });
    assertThatThrownBy(() -> source("Broken.java", "class Broken {"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("reached end of file while parsing");
  }

  @Test
  void aProgramThatCannotStartIsRefused() {
    assertThatThrownBy(() -> source("None.java", "class None {}"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("there is no main to start");
    assertThatThrownBy(() -> open("Nowhere.java"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("there is no such program");
    assertThatThrownBy(() -> open("-cp", ".", "Nowhere"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("there is no class Nowhere");
    assertThatThrownBy(() -> open("-cp", "nowhere.jar", "Main"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("an entry of the class path is neither a directory nor a jar");
    assertThatThrownBy(() -> open("Main"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("this is not a Java program that Reprise can find");
    assertThatThrownBy(
            () ->
                output(
                    source(
                        "Hidden.java", "class Hidden { private static void main(String[] a) {} }")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the main of Hidden cannot be started");
  }

  @Test
  void classesComeFromADirectoryAndResourcesToo() throws Throwable {
    compile(
        "R.java",
        "public class R { public static void main(String[] a) throws Exception {"
            + " System.out.println(new"
            + " String(R.class.getResourceAsStream(\"/note\").readAllBytes())); } }");
    Files.writeString(directory.resolve("classes/note"), "noted");
    assertThat(output(open("-cp", "classes", "R"))).isEqualTo("noted\n");
  }

  @Test
  void aJarNamesItsMainAndWhatStandsBesideIt() throws Throwable {
    compile("Lib.java", "public class Lib { public static String it() { return \"lib\"; } }");
    jar("lib.jar", "", "", "Lib");
    compile(
        "App.java",
        "public class App { public static void main(String[] a) {"
            + " System.out.println(Lib.it()); } }");
    jar("app.jar", "App", "gone.jar lib.jar", "App");
    assertThat(output(open("app.jar"))).isEqualTo("lib\n");
    assertThatThrownBy(() -> open("lib.jar"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the jar does not say which class to start");
  }

  @Test
  void theLibrariesOfRepriseAreOutOfSight() {
    assertThatThrownBy(
            () ->
                output(
                    source(
                        "Peek.java",
                        "class Peek { static void main(String[] a) throws Exception {"
                            + " Class.forName(\"org.reprise.trace.run.RunStore\"); } }")))
        .isInstanceOf(ClassNotFoundException.class);
  }

  @Test
  void staticFieldsArePrivateToEachRun() throws Throwable {
    HostedProgram program =
        source(
            "Count.java",
            "class Count { static int n; static void main(String[] a) {"
                + " System.out.println(++n); } }");
    assertThat(program.reasonNotToShare()).contains("static field Count.n");
    assertThat(output(program) + output(program)).isEqualTo("1\n1\n");
  }

  @Test
  void classesAreSharedIfNobodyCanTell() {
    for (String harmless :
        List.of(
            "static final int N = 4; static final String S = \"x\" + N;",
            "static final double ROOT = Math.sqrt(2);",
            "enum Color { RED, GREEN; } int of(Color c) {"
                + " return switch (c) { case RED -> 1; case GREEN -> 2; }; }",
            "enum Planet { EARTH(1.5); final double mass; Planet(double m) { mass = m; } }",
            "record Point(int x) {} Runnable r = () -> { assert N > 2; }; static final int N = 3;",
            "sealed interface Shape permits Circle {} record Circle(int r) implements Shape {}")) {
      assertThat(reason(harmless)).as(harmless).isEmpty();
    }
  }

  @Test
  void classesAreNotSharedIfARankCouldTell() {
    for (String shared :
        List.of(
            "static int n;",
            "static final int[] TABLE = {1, 2};",
            "static final java.util.List<Integer> LIST = new java.util.ArrayList<>();",
            "static final long START = System.nanoTime();",
            "static final double DICE = Math.random();",
            "static synchronized void one() {}",
            "void lock() { synchronized (Program.class) { } }",
            "static { System.out.println(\"hello\"); }",
            "static final Integer N = Integer.getInteger(\"n\");",
            "enum Counter { ONE; int count; }",
            "enum Loud { ONE; Loud() { System.out.println(\"made\"); } }",
            "interface Kept { StringBuilder TEXT = new StringBuilder(); }")) {
      assertThat(reason(shared)).as(shared).isPresent();
    }
  }

  private java.util.Optional<String> reason(String members) {
    return source(
            "Program.java",
            "class Program { %s\n public static void main(String[] a) {} }".formatted(members))
        .reasonNotToShare();
  }

  private void compile(String name, String text) throws IOException {
    Path classes = Files.createDirectories(directory.resolve("classes"));
    Path file = Files.writeString(directory.resolve(name), text);
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", classes + "", "-d", classes + "", file + "");
    assertThat(status).isZero();
  }

  private void jar(String name, String mainClass, String classPath, String... classes)
      throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (!mainClass.isEmpty()) {
      manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
      manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
    }
    try (OutputStream file = Files.newOutputStream(directory.resolve(name));
        JarOutputStream jar = new JarOutputStream(file, manifest)) {
      for (String type : classes) {
        jar.putNextEntry(new ZipEntry(type + ".class"));
        jar.write(Files.readAllBytes(directory.resolve("classes/" + type + ".class")));
      }
    }
  }
}
