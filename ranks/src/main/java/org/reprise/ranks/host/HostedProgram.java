package org.reprise.ranks.host;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.UserError;
import org.reprise.trace.run.RunDescription;

/**
 * A Java program made ready to run in ranks: compiled where it is a source, its classes found, read
 * and rewritten once, however many ranks will load them.
 */
public final class HostedProgram implements AutoCloseable {
  private static final Set<String> REQUESTS = Set.of("mpi/Request", "mpi/Prequest");

  private static final int WRONG_PROGRAM = 2;

  private final String mainClass;
  private final ClassFiles files;

  /** As they were when the program was opened: it stays what it is if they change meanwhile. */
  private final Map<String, byte[]> classes;

  private final Optional<String> reasonNotToShare;
  private final boolean cancels;
  private final Redirection redirection;
  private final Map<String, byte[]> rewritten = new ConcurrentHashMap<>();
  private final RunDescription.Program identity;
  private volatile @Nullable MainMethod shared;

  /**
   * A program.
   *
   * @param sources what {@code file} was compiled with, if it was compiled
   */
  private HostedProgram(Path file, String mainClass, ClassFiles files, Map<Path, byte[]> sources) {
    this.mainClass = mainClass;
    this.files = files;
    this.classes = files.all();
    this.identity = identity(file, sources);
    this.reasonNotToShare = SharedStatics.reasonAgainst(classes);
    this.cancels = classes.values().stream().anyMatch(HostedProgram::cancels);
    this.redirection =
        new Redirection(ClassHierarchyResolver.ofResourceParsing(this::resource).cached());
  }

  private @Nullable ByteArrayInputStream resource(ClassDesc type) {
    String descriptor = type.descriptorString();
    String name = descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
    byte[] found = classes.get(name);
    return found == null ? null : new ByteArrayInputStream(found);
  }

  /** Compiles or opens what the command names, from this directory. */
  public static HostedProgram open(ProgramCommand command, Path directory) {
    List<Path> classPath = command.classPathEntries(directory);
    if (!command.isFile()) {
      return openClass(command, classPath).requireStartable();
    }
    Path file = directory.resolve(command.target()).normalize();
    if (!Files.isRegularFile(file)) {
      throw new UserError(
          "there is no such program",
          file.toString(),
          "name a source file or a jar that is there",
          WRONG_PROGRAM);
    }
    return (command.isSource() ? openSource(file, classPath) : openJar(file)).requireStartable();
  }

  private static HostedProgram openSource(Path file, List<Path> classPath) {
    SourceCompiler.Compiled compiled = SourceCompiler.compile(file, classPath);
    ClassFiles files = new ClassFiles(compiled.classes(), classPath);
    String mainClass =
        compiled.topLevel().stream()
            .filter(name -> hasMain(files, name))
            .findFirst()
            .orElseThrow(() -> noMain(file.toString()));
    return new HostedProgram(file, mainClass, files, compiled.others());
  }

  private static HostedProgram openJar(Path file) {
    try (JarFile jar = new JarFile(file.toFile())) {
      Manifest manifest = jar.getManifest();
      String mainClass =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
      if (mainClass == null) {
        throw new UserError(
            "the jar does not say which class to start",
            file + " has no Main-Class in its manifest",
            "name the class: -cp " + file.getFileName() + " Main",
            WRONG_PROGRAM);
      }
      String others = manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      ClassFiles files = new ClassFiles(Map.of(), jarClassPath(file, others));
      requireMain(files, mainClass.strip(), file.toString());
      return new HostedProgram(file, mainClass.strip(), files, Map.of());
    } catch (IOException e) {
      throw new UserError(
          file + " cannot be read", String.valueOf(e.getMessage()), "check the path");
    }
  }

  /** The jar and what its manifest names beside it; what is not there is left out, as Java does. */
  private static List<Path> jarClassPath(Path jar, @Nullable String others) {
    Set<Path> entries = new LinkedHashSet<>(List.of(jar));
    if (others != null) {
      for (String entry : others.strip().split(" +")) {
        Path other = jar.resolveSibling(entry).normalize();
        if (!entry.isEmpty() && Files.exists(other)) {
          entries.add(other);
        }
      }
    }
    return List.copyOf(entries);
  }

  private static HostedProgram openClass(ProgramCommand command, List<Path> classPath) {
    if (classPath.isEmpty()) {
      throw new UserError(
          "this is not a Java program that Reprise can find",
          command.target(),
          "name a source file, a jar, or a class after -cp DIR",
          WRONG_PROGRAM);
    }
    String name = command.target().replace('/', '.');
    ClassFiles files = new ClassFiles(Map.of(), classPath);
    requireMain(files, name, classPath.toString());
    return new HostedProgram(files.fileOf(name), name, files, Map.of());
  }

  private static void requireMain(ClassFiles files, String mainClass, String where) {
    if (files.find(mainClass).isEmpty()) {
      throw new UserError(
          "there is no class " + mainClass, "looked in " + where, "check its name", WRONG_PROGRAM);
    }
    if (!hasMain(files, mainClass)) {
      throw noMain(mainClass);
    }
  }

  private static UserError noMain(String where) {
    return new UserError(
        "there is no main to start", where, "write static void main(String[] args)", WRONG_PROGRAM);
  }

  /** Whether the class or one it extends has a method that {@link MainMethod} can start. */
  private static boolean hasMain(ClassFiles files, String name) {
    for (Optional<byte[]> bytes = files.find(name); bytes.isPresent(); ) {
      ClassModel model = ClassFile.of().parse(bytes.get());
      if (model.methods().stream()
          .anyMatch(
              method ->
                  MainMethod.isMain(
                      method.methodName().stringValue(), method.methodType().stringValue()))) {
        return true;
      }
      bytes =
          model
              .superclass()
              .flatMap(parent -> files.find(parent.asInternalName().replace('/', '.')));
    }
    return false;
  }

  /** Meets what is wrong with the main class here, once, and not in every rank. */
  private HostedProgram requireStartable() {
    try {
      load();
      return this;
    } catch (LinkageError e) {
      throw new UserError(
          "the class " + mainClass + " cannot be loaded",
          String.valueOf(e),
          "check that it is whole, and not for a newer Java than " + Runtime.version().feature(),
          WRONG_PROGRAM);
    }
  }

  /**
   * Whether a class may cancel a request: calls a method of MPJ's name on anything, or one of Open
   * MPI's name, which many classes have, on a request.
   */
  private static boolean cancels(byte[] classFile) {
    for (PoolEntry entry : ClassFile.of().parse(classFile).constantPool()) {
      if (entry instanceof MemberRefEntry member
          && (member.name().equalsString("Cancel")
              || (member.name().equalsString("cancel")
                  && REQUESTS.contains(member.owner().name().stringValue())))) {
        return true;
      }
    }
    return false;
  }

  /** Whether the program may cancel requests. */
  boolean cancels() {
    return cancels;
  }

  /** What rank loaders define, or null if the program has no such class. */
  byte @Nullable [] classBytes(String name) {
    byte[] known = rewritten.get(name);
    if (known != null) {
      return known;
    }
    byte[] found = classes.get(name);
    if (found == null) {
      return null;
    }
    byte[] bytes = redirection.apply(found);
    rewritten.put(name, bytes);
    return bytes;
  }

  URLClassLoader resources() {
    return files.resources();
  }

  public String mainClass() {
    return mainClass;
  }

  /** Why ranks cannot share classes, in words; empty if they do. */
  public Optional<String> reasonNotToShare() {
    return reasonNotToShare;
  }

  /** What to know it by again. */
  public RunDescription.Program identity() {
    return identity;
  }

  /**
   * A source or jar is known by its bytes; where other sources, directories or jars belong to it,
   * by theirs, too.
   */
  private RunDescription.Program identity(Path file, Map<Path, byte[]> sources) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      if (!file.toString().endsWith(".class")) {
        digest.update(Files.readAllBytes(file));
        sources.values().forEach(digest::update);
      }
      files.besides(file).forEach((_, bytes) -> digest.update(bytes));
      return new RunDescription.Program(
          file.toString(), HexFormat.of().formatHex(digest.digest()), Files.size(file));
    } catch (IOException e) {
      throw new UserError(
          file + " cannot be read", String.valueOf(e.getMessage()), "check the path");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The names of threads that ranks started and nobody ended. All of them are daemons, since those
   * that started them are.
   */
  public List<String> threadsLeft() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(
            thread ->
                thread.getContextClassLoader() instanceof ProgramLoader loader
                    && loader.program() == this)
        .map(Thread::getName)
        .sorted()
        .toList();
  }

  /** The main method, in classes that are the caller's own or that nobody can tell apart. */
  MainMethod load() {
    if (reasonNotToShare.isPresent()) {
      return loadFresh();
    }
    MainMethod known = shared;
    if (known == null) {
      synchronized (this) {
        known = shared;
        if (known == null) {
          known = loadFresh();
          shared = known;
        }
      }
    }
    return known;
  }

  private MainMethod loadFresh() {
    try {
      return MainMethod.of(Class.forName(mainClass, false, new ProgramLoader(this)));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    files.close();
  }
}
