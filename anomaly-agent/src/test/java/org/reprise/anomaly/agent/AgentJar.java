package org.reprise.anomaly.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.reprise.anomaly.hooks.Hooks;
import org.reprise.anomaly.report.Conflict;

/**
 * The agent as it is being built: a jar of the classes under test, with what it needs beside it.
 */
final class AgentJar {
  private AgentJar() {}

  static Path build(Path directory) throws IOException {
    Manifest empty = new Manifest();
    empty.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    write(directory.resolve("hooks.jar"), location(Hooks.class), empty);
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", Agent.class.getName());
    attributes.putValue("Can-Retransform-Classes", "true");
    attributes.putValue("Boot-Class-Path", "hooks.jar");
    attributes.putValue(
        "Class-Path",
        Stream.of(
                ClassReader.class,
                ClassNode.class,
                ClassRemapper.class,
                Analyzer.class,
                Conflict.class)
            .map(type -> location(type).toUri().toString())
            .collect(Collectors.joining(" ")));
    Path agent = directory.resolve("agent.jar");
    write(agent, location(Agent.class), manifest);
    return agent;
  }

  /** An agent of somebody else, whose class is found where the program's classes are. */
  static Path ofOthers(String className, Path classes, Path directory) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", className);
    attributes.putValue("Can-Retransform-Classes", "true");
    attributes.putValue("Class-Path", classes.toUri().toString());
    Path agent = directory.resolve(className + ".jar");
    try (OutputStream file = Files.newOutputStream(agent);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      out.finish();
    }
    return agent;
  }

  static Path location(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  private static void write(Path jar, Path classes, Manifest manifest) throws IOException {
    if (Files.isRegularFile(classes)) {
      Files.copy(classes, jar);
      return;
    }
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        Stream<Path> tree = Files.walk(classes)) {
      for (Path path : (Iterable<Path>) List.copyOf(tree.filter(Files::isRegularFile).toList())) {
        out.putNextEntry(new JarEntry(classes.relativize(path).toString().replace('\\', '/')));
        Files.copy(path, out);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
