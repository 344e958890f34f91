package org.reprise.ranks.host;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.reprise.trace.UserError;

/**
 * Compiles a source file in memory, as {@code java Program.java} does: against the class path, the
 * {@code mpi} package, and other sources that lie where their package says.
 */
final class SourceCompiler {
  private static final int DOES_NOT_COMPILE = 2;

  /**
   * What came of a source file.
   *
   * @param classes by binary name
   * @param topLevel the classes the file declares outside of others, in its order
   * @param others the other source files that it needed, by their paths
   */
  record Compiled(
      Map<String, byte[]> classes, List<String> topLevel, SortedMap<Path, byte[]> others) {}

  static Compiled compile(Path source, List<Path> classPath) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new UserError(
          "this Java has no compiler",
          System.getProperty("java.home", ""),
          "set REPRISE_JAVA_HOME to a JDK, or compile the program and give -cp DIR Main");
    }
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files =
            compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
        InMemory output = new InMemory(files)) {
      Iterable<? extends JavaFileObject> sources = files.getJavaFileObjects(source);
      List<String> options = options(source, classPath);
      List<String> topLevel = topLevel(compiler, files, sources, source);
      if (!compiler.getTask(said, output, null, options, null, sources).call()) {
        String directory = source.toAbsolutePath().getParent() + File.separator;
        throw new UserError(
            source.getFileName() + " does not compile",
            said.toString().replace(directory, ""),
            advice(said.toString()),
            DOES_NOT_COMPILE);
      }
      SortedMap<Path, byte[]> others = new TreeMap<>();
      for (Path other : output.sources()) {
        if (!Files.isSameFile(other, source)) {
          others.put(other, Files.readAllBytes(other));
        }
      }
      return new Compiled(output.classes(), topLevel, others);
    } catch (IOException e) {
      throw new UserError(
          source + " cannot be read", String.valueOf(e.getMessage()), "check the path");
    }
  }

  private static String advice(String said) {
    Set<String> missing = NotProvidedError.in(said);
    return missing.isEmpty()
        ? "mend what javac says here"
        : "do without "
            + String.join(", ", missing)
            + ": Reprise does not provide that; docs/COVERAGE.md has what it does";
  }

  private static List<String> options(Path source, List<Path> classPath) throws IOException {
    List<Path> path = new ArrayList<>(classPath);
    path.add(ownClasses());
    return List.of(
        "-g",
        "-proc:none",
        "-nowarn",
        "-Xlint:none",
        "-sourcepath",
        sourceRoot(source).toString(),
        "-cp",
        path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
  }

  /** The jar or directory that package {@code mpi} comes from, which is this class's own. */
  static Path ownClasses() {
    try {
      return Path.of(
          SourceCompiler.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The directory that the source's package is counted from, if the file lies in its package. */
  private static Path sourceRoot(Path source) throws IOException {
    Path directory = source.toAbsolutePath().getParent();
    String declared =
        Files.readAllLines(source).stream()
            .map(String::strip)
            .filter(line -> line.startsWith("package ") && line.contains(";"))
            .map(line -> line.substring("package ".length(), line.indexOf(';')).strip())
            .findFirst()
            .orElse("");
    Path inside = Path.of(declared.replace('.', '/'));
    if (declared.isEmpty() || directory == null || !directory.endsWith(inside)) {
      return directory == null ? Path.of("/") : directory;
    }
    Path root = directory;
    for (int i = 0; i < inside.getNameCount() && root != null; i++) {
      root = root.getParent();
    }
    return root == null ? Path.of("/") : root;
  }

  /**
   * Binary names, as far as the file can be parsed; the class of a file without one is called after
   * the file.
   */
  private static List<String> topLevel(
      JavaCompiler compiler,
      JavaFileManager files,
      Iterable<? extends JavaFileObject> sources,
      Path source)
      throws IOException {
    String file = String.valueOf(source.getFileName()).replaceFirst("\\.java$", "");
    List<String> names = new ArrayList<>();
    var task = compiler.getTask(null, files, _ -> {}, List.of(), null, sources);
    for (CompilationUnitTree unit : ((JavacTask) task).parse()) {
      ExpressionTree declared = unit.getPackageName();
      String prefix = declared == null ? "" : declared + ".";
      for (Tree declaration : unit.getTypeDecls()) {
        if (declaration instanceof ClassTree type) {
          String name = type.getSimpleName().toString();
          names.add(prefix + (name.isEmpty() ? file : name));
        }
      }
    }
    return names;
  }

  /** Keeps class files instead of writing them; asked for one again, it has it. */
  private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> written = new LinkedHashMap<>();
    private final Set<Path> sources = new LinkedHashSet<>();

    InMemory(JavaFileManager files) {
      super(files);
    }

    Map<String, byte[]> classes() {
      Map<String, byte[]> classes = new LinkedHashMap<>();
      written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
      return classes;
    }

    /** The files that the classes come from. */
    Set<Path> sources() {
      return sources;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      if (sibling != null) {
        sources.add(Path.of(sibling.toUri()));
      }
      URI name = URI.create("memory:///" + className.replace('.', '/') + kind.extension);
      return new SimpleJavaFileObject(name, kind) {
        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          written.put(className, bytes);
          return bytes;
        }
      };
    }
  }

  private SourceCompiler() {}
}
