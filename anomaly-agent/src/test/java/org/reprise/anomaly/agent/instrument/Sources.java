package org.reprise.anomaly.agent.instrument;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles a source in memory. */
final class Sources {
  private Sources() {}

  /** The class files of sources, by the names of the classes. */
  static Map<String, byte[]> compile(Map<String, String> sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Map<String, ByteArrayOutputStream> written = new HashMap<>();
    StringWriter messages = new StringWriter();
    StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null);
    JavaFileManager files =
        new ForwardingJavaFileManager<>(standard) {
          @Override
          public JavaFileObject getJavaFileForOutput(
              Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
              @Override
              public OutputStream openOutputStream() {
                ByteArrayOutputStream file = new ByteArrayOutputStream();
                written.put(name, file);
                return file;
              }
            };
          }
        };
    List<JavaFileObject> units = new ArrayList<>();
    sources.forEach((className, source) -> units.add(new Unit(className, source)));
    boolean compiled =
        compiler
            .getTask(
                messages, files, null, List.of("--release", "17", "-g", "-Xlint:none"), null, units)
            .call();
    if (!compiled) {
      throw new AssertionError(messages + "\n" + sources);
    }
    Map<String, byte[]> classFiles = new HashMap<>();
    written.forEach((name, file) -> classFiles.put(name, file.toByteArray()));
    return classFiles;
  }

  private static final class Unit extends SimpleJavaFileObject {
    private final String source;

    Unit(String className, String source) {
      super(URI.create("memory:///" + className + ".java"), Kind.SOURCE);
      this.source = source;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreErrors) {
      return source;
    }
  }
}
