package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Package mpi has what MPJ Express has, and docs/COVERAGE.md says what it has of that and of Open
 * MPI's bindings. MPJ Express is that of Debian's libmpj-java.
 */
class InterfaceTest {
  private static final Path MPJ = Path.of("/usr/share/java/mpj.jar");
  private static final Path COVERAGE =
      Path.of(System.getProperty("reprise.root"), "docs/COVERAGE.md");

  private static final Pattern ROW =
      Pattern.compile("^\\| `(\\w+)` \\| (.*) \\|$", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  /** Classes that MPJ Express is built of: public there, but no program has a use for them. */
  private static boolean isInternal(String name) {
    return name.matches("(Band|Bor|Bxor|Land|Lor|Lxor|Max|Min|Sum|Prod|Maxloc|Minloc).*")
        || name.contains("Packer")
        || Set.of(
                "BasicType",
                "Contiguous",
                "Vector",
                "Indexed",
                // Another class of this name is one of Open MPI's.
                "Struct",
                "IntracommImpl",
                "PureIntracomm",
                "NativeIntracomm",
                "OpWorker",
                "ProcTree")
            .contains(name);
  }

  @Test
  void everyPublicMemberOfMpjExpressIsThere() throws Exception {
    Set<String> missing = new TreeSet<>();
    int compared = 0;
    for (Class<?> theirs : classesOfMpj()) {
      Class<?> ours = ours(theirs);
      assertThat(ours).as("class %s", theirs.getName()).isNotNull();
      Set<String> known = signatures(ours);
      for (String signature : signatures(theirs)) {
        compared++;
        // An Intracomm, as in Open MPI: a program that takes it for a Comm compiles as well.
        if (!known.contains(signature) && !signature.endsWith("mpi.MPI.COMM_SELF")) {
          missing.add(signature);
        }
      }
    }
    assertThat(compared).as("members compared").isGreaterThan(150);
    assertThat(missing).isEmpty();
  }

  @Test
  void constantsHaveTheirValuesOfMpjExpress() throws Exception {
    Map<String, Object> different = new TreeMap<>();
    try (URLClassLoader loader = mpj()) {
      // Its numbers below are set when the class is loaded, before Init.
      Class<?> theirs = Class.forName("mpi.MPI", true, loader);
      for (String name :
          List.of(
              "UNDEFINED",
              "ANY_SOURCE",
              "ANY_TAG",
              "PROC_NULL",
              "IDENT",
              "CONGRUENT",
              "SIMILAR",
              "UNEQUAL",
              "GRAPH",
              "CART",
              "THREAD_SINGLE",
              "THREAD_MULTIPLE")) {
        Object value = theirs.getField(name).get(null);
        if (!value.equals(MPI.class.getField(name).get(null))) {
          different.put(name, value);
        }
      }
    }
    assertThat(different).isEmpty();
  }

  @Test
  void theTableOfCoverageIsTheInterface() throws Exception {
    Map<String, Set<String>> written = new TreeMap<>();
    String text = Files.readString(COVERAGE);
    String section =
        text.substring(text.indexOf("## The embedded engine and Java programs")).split("\n## ")[0];
    Matcher row = ROW.matcher(section);
    while (row.find()) {
      Matcher name = NAME.matcher(row.group(2));
      Set<String> names = written.computeIfAbsent(row.group(1), _ -> new TreeSet<>());
      while (name.find()) {
        names.add(name.group(1));
      }
    }
    assertThat(written).as("what docs/COVERAGE.md says of package mpi").isEqualTo(interfaceNames());
  }

  /**
   * Classes of package mpi to the names of their methods, also of those that they inherit from
   * classes which are not public.
   */
  private static Map<String, Set<String>> interfaceNames() throws Exception {
    Map<String, Set<String>> names = new TreeMap<>();
    Path classes =
        Path.of(MPI.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve("mpi");
    List<String> files;
    try (Stream<Path> all = Files.list(classes)) {
      files = all.map(file -> file.getFileName().toString()).toList();
    }
    for (String file : files) {
      if (!file.matches("[A-Za-z0-9_]+\\.class")) {
        continue;
      }
      Class<?> type = Class.forName("mpi." + file.replace(".class", ""));
      if (!Modifier.isPublic(type.getModifiers())) {
        continue;
      }
      Set<String> methods = new TreeSet<>();
      Class<?> from = type;
      do {
        Arrays.stream(from.getDeclaredMethods())
            .filter(InterfaceTest::isForPrograms)
            .map(Method::getName)
            .forEach(methods::add);
        from = from.getSuperclass();
      } while (!Modifier.isPublic(from.getModifiers()));
      if (!methods.isEmpty()) {
        names.put(type.getSimpleName(), methods);
      }
    }
    return names;
  }

  private static List<Class<?>> classesOfMpj() throws IOException, ClassNotFoundException {
    assertThat(MPJ).as("MPJ Express, package libmpj-java").exists();
    URLClassLoader loader = mpj();
    try (JarFile jar = new JarFile(MPJ.toFile())) {
      List<String> names =
          jar.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.matches("mpi/[A-Za-z_]+\\.class"))
              .map(name -> name.substring(4, name.length() - 6))
              .filter(name -> !isInternal(name))
              .toList();
      assertThat(names).hasSizeGreaterThan(15);
      List<Class<?>> classes = new java.util.ArrayList<>();
      for (String name : names) {
        Class<?> type = Class.forName("mpi." + name, false, loader);
        if (Modifier.isPublic(type.getModifiers())) {
          classes.add(type);
        }
      }
      return classes;
    }
  }

  private static URLClassLoader mpj() throws IOException {
    return new URLClassLoader(
        new java.net.URL[] {MPJ.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
  }

  private static Class<?> ours(Class<?> theirs) {
    try {
      return Class.forName(theirs.getName());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /** What a program can name: also what a class inherits from one that is not in package mpi. */
  private static Set<String> signatures(Class<?> type) {
    Stream<String> methods =
        Stream.of(type.getDeclaredMethods())
            .filter(method -> isForPrograms(method) || method.isBridge())
            .map(
                method ->
                    shape(method.getModifiers())
                        + method.getReturnType().getName()
                        + " "
                        + type.getName()
                        + "."
                        + method.getName()
                        + parameters(method.getParameterTypes()));
    Stream<String> constructors =
        Stream.of(type.getDeclaredConstructors())
            .filter(constructor -> !Modifier.isAbstract(type.getModifiers()))
            .filter(InterfaceTest::isForPrograms)
            .map(constructor -> type.getName() + parameters(constructor.getParameterTypes()));
    Stream<String> fields =
        Stream.of(type.getFields())
            .filter(InterfaceTest::isForPrograms)
            .map(
                field ->
                    shape(field.getModifiers())
                        + field.getType().getName()
                        + " "
                        + type.getName()
                        + "."
                        + field.getName());
    return Stream.of(methods, constructors, fields)
        .flatMap(names -> names)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String shape(int modifiers) {
    return Modifier.isStatic(modifiers) ? "static " : "";
  }

  private static String parameters(Class<?>[] types) {
    return Arrays.stream(types).map(Class::getName).collect(Collectors.joining(", ", "(", ")"));
  }

  /** Public, and without types of the layers below MPJ Express (except the buffers of Pack). */
  private static boolean isForPrograms(Member member) {
    List<Class<?>> types =
        switch (member) {
          case Method method ->
              Stream.concat(
                      Stream.of(method.getReturnType()), Stream.of(method.getParameterTypes()))
                  .toList();
          case Constructor<?> constructor -> List.of(constructor.getParameterTypes());
          case Field field -> List.of(field.getType());
          default -> throw new IllegalArgumentException(member.toString());
        };
    return Modifier.isPublic(member.getModifiers())
        && !member.isSynthetic()
        && !member.toString().endsWith("mpi.Comm.group")
        && types.stream().noneMatch(type -> isOfLayersBelow(type, member));
  }

  private static boolean isOfLayersBelow(Class<?> type, Member member) {
    return type.getName().startsWith("mpjdev.")
        || type.getName().startsWith("xdev.")
        || (type.getName().startsWith("mpjbuf.") && member instanceof Field)
        || (member.getName().equals("srcID"));
  }
}
