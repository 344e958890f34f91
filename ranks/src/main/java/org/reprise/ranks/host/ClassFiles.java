package org.reprise.ranks.host;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.reprise.trace.UserError;

/**
 * The class files of a program: those compiled in memory, and those that lie in the directories and
 * jars of its class path. Also its other resources, through one loader for all ranks: a loader a
 * rank would open every jar once a rank.
 */
final class ClassFiles implements AutoCloseable {
  private final Map<String, byte[]> compiled;
  private final List<Path> classPath;
  private final List<JarFile> jars = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  private final URLClassLoader resources;

  /** Where class files are looked for. */
  private sealed interface Entry {
    record Directory(Path path) implements Entry {}

    record Jar(JarFile file) implements Entry {}
  }

  /**
   * Class files.
   *
   * @param compiled by their binary names
   * @param classPath directories and jars; others are refused
   */
  ClassFiles(Map<String, byte[]> compiled, List<Path> classPath) {
    this.compiled = Map.copyOf(compiled);
    this.classPath = List.copyOf(classPath);
    List<URL> urls = new ArrayList<>();
    for (Path path : classPath) {
      entries.add(entry(path));
      try {
        urls.add(path.toUri().toURL());
      } catch (MalformedURLException e) {
        throw new IllegalStateException(e);
      }
    }
    resources = new URLClassLoader(urls.toArray(URL[]::new), null);
  }

  private Entry entry(Path path) {
    if (Files.isDirectory(path)) {
      return new Entry.Directory(path);
    }
    try {
      JarFile jar = new JarFile(path.toFile(), true, ZipFile.OPEN_READ, Runtime.version());
      jars.add(jar);
      return new Entry.Jar(jar);
    } catch (IOException e) {
      throw new UserError(
          "an entry of the class path is neither a directory nor a jar",
          path + (Files.exists(path) ? ": " + e.getMessage() : ": no such file"),
          "name directories and jars after -cp, with : between them");
    }
  }

  /** The file on the class path that holds a class: its own, or a jar. */
  Path fileOf(String className) {
    String file = className.replace('.', '/') + ".class";
    for (Path path : classPath) {
      Path inDirectory = path.resolve(file);
      if (Files.isRegularFile(inDirectory)) {
        return inDirectory;
      }
    }
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) instanceof Entry.Jar(JarFile jar) && jar.getJarEntry(file) != null) {
        return classPath.get(i);
      }
    }
    throw new IllegalArgumentException("no such class: " + className);
  }

  /** The bytes of a class by its binary name. */
  Optional<byte[]> find(String className) {
    byte[] inMemory = compiled.get(className);
    if (inMemory != null) {
      return Optional.of(inMemory);
    }
    String file = className.replace('.', '/') + ".class";
    try {
      for (Entry entry : entries) {
        Optional<byte[]> found = find(entry, file);
        if (found.isPresent()) {
          return found;
        }
      }
    } catch (IOException e) {
      throw new UserError(
          "the class " + className + " cannot be read",
          String.valueOf(e.getMessage()),
          "check the class path: " + classPath);
    }
    return Optional.empty();
  }

  private static Optional<byte[]> find(Entry entry, String file) throws IOException {
    return switch (entry) {
      case Entry.Directory(Path path) -> {
        Path found = path.resolve(file);
        yield Files.isRegularFile(found)
            ? Optional.of(Files.readAllBytes(found))
            : Optional.empty();
      }
      case Entry.Jar(JarFile jar) -> {
        JarEntry found = jar.getJarEntry(file);
        if (found == null) {
          yield Optional.empty();
        }
        try (InputStream stream = jar.getInputStream(found)) {
          yield Optional.of(stream.readAllBytes());
        }
      }
    };
  }

  /** Every class file there is, by binary name; of two with one name, the one that is loaded. */
  Map<String, byte[]> all() {
    Map<String, byte[]> all = besides(Path.of(""));
    all.putAll(compiled);
    return all;
  }

  /** Those on the class path, without a jar that is looked at as a whole. */
  Map<String, byte[]> besides(Path jar) {
    Map<String, byte[]> all = new TreeMap<>();
    try {
      for (int i = entries.size() - 1; i >= 0; i--) {
        Entry entry = entries.get(i);
        if (classPath.get(i).equals(jar)) {
          continue;
        }
        for (String file : names(entry)) {
          String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
          find(entry, file).ifPresent(bytes -> all.put(name, bytes));
        }
      }
    } catch (IOException e) {
      throw new UserError(
          "the class path cannot be read", String.valueOf(e.getMessage()), "check " + classPath);
    }
    return all;
  }

  private static Collection<String> names(Entry entry) throws IOException {
    return switch (entry) {
      case Entry.Directory(Path path) -> {
        try (Stream<Path> files = Files.walk(path)) {
          yield files
              .map(file -> path.relativize(file).toString())
              .filter(ClassFiles::isClassFile)
              .toList();
        }
      }
      case Entry.Jar(JarFile jar) ->
          jar.versionedStream().map(JarEntry::getName).filter(ClassFiles::isClassFile).toList();
    };
  }

  private static boolean isClassFile(String name) {
    return name.endsWith(".class")
        && !name.endsWith("module-info.class")
        && !name.endsWith("package-info.class")
        && !name.startsWith("META-INF/");
  }

  /** The loader that finds the program's resources and no class of it. */
  URLClassLoader resources() {
    return resources;
  }

  @Override
  public void close() {
    try {
      resources.close();
      for (JarFile jar : jars) {
        jar.close();
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
