package org.reprise.launch.interposer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.process.ToolRun;
import org.reprise.trace.MpiFamily;

/**
 * An MPI that programs can be compiled for: its compiler wrapper, and what lies behind it.
 *
 * @param version its name and version in words
 * @param compiler the C compiler that mpicc would call
 * @param flags the include and define flags mpicc would give it; not those for linking, since the
 *     interposer must not be linked with an MPI of its own
 * @param macros every macro that mpi.h defines: two headers with the same ones are the same MPI
 */
public record MpiInstallation(
    MpiFamily family,
    String version,
    Path mpicc,
    List<String> compiler,
    List<String> flags,
    String macros) {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  public MpiInstallation {
    compiler = List.copyOf(compiler);
    flags = List.copyOf(flags);
  }

  /** Asks a compiler wrapper; empty if it is none, or its compiler or mpi.h is missing. */
  public static Optional<MpiInstallation> ask(Path mpicc, Surroundings surroundings) {
    ToolRun shown =
        ToolRun.of(
            List.of(mpicc.toString(), "-show"), surroundings.directory(), surroundings, PATIENCE);
    if (!shown.succeeded() || shown.output().isBlank()) {
      return Optional.empty();
    }
    List<String> words = List.of(shown.output().strip().split("\\s+"));
    List<String> compiler = words.stream().takeWhile(word -> !word.startsWith("-")).toList();
    if (compiler.isEmpty()) {
      return Optional.empty();
    }
    List<String> flags = includesAndDefines(words);
    return macros(shown.output(), compiler, flags, surroundings)
        .map(
            macros ->
                new MpiInstallation(
                    family(macros), version(macros), mpicc, compiler, flags, macros));
  }

  /** What mpi.h defines. Asked once for a compiler and a header, since every record would. */
  private static Optional<String> macros(
      String shown, List<String> compiler, List<String> flags, Surroundings surroundings) {
    BuildCache cache = BuildCache.of(surroundings);
    Optional<String> name =
        surroundings
            .findExecutable(compiler.getFirst())
            .flatMap(BuildCache::stamp)
            .flatMap(
                program ->
                    header(flags)
                        .flatMap(BuildCache::stamp)
                        .map(
                            header -> BuildCache.key(List.of(shown, program, header)) + ".macros"));
    Optional<String> known = name.flatMap(cache::text);
    if (known.isPresent()) {
      return known;
    }
    List<String> command = new ArrayList<>(compiler);
    command.addAll(flags);
    command.addAll(List.of("-E", "-dM", "-include", "mpi.h", "-x", "c", "/dev/null"));
    ToolRun asked = ToolRun.of(command, surroundings.directory(), surroundings, PATIENCE);
    if (!asked.succeeded()) {
      return Optional.empty();
    }
    name.ifPresent(file -> cache.keep(file, asked.output()));
    return Optional.of(asked.output());
  }

  /** The mpi.h that these flags name. */
  static Optional<Path> header(List<String> flags) {
    return flags.stream()
        .filter(flag -> flag.startsWith("-I"))
        .map(flag -> Path.of(flag.substring(2), "mpi.h"))
        .filter(Files::isRegularFile)
        .findFirst();
  }

  static List<String> includesAndDefines(List<String> words) {
    List<String> flags = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      boolean takesNext = word.equals("-I") || word.equals("-D") || word.equals("-isystem");
      if (takesNext && i + 1 < words.size()) {
        flags.add(word);
        flags.add(words.get(++i));
      } else if (word.startsWith("-I") || word.startsWith("-D")) {
        flags.add(word);
      }
    }
    return flags;
  }

  static MpiFamily family(String macros) {
    if (macro(macros, "OPEN_MPI").isPresent()) {
      return MpiFamily.OPEN_MPI;
    }
    boolean mpich =
        macro(macros, "MPICH_VERSION").or(() -> macro(macros, "MPICH_NAME")).isPresent();
    return mpich ? MpiFamily.MPICH : MpiFamily.OTHER;
  }

  static String version(String macros) {
    if (macro(macros, "OPEN_MPI").isPresent()) {
      return "Open MPI %s.%s.%s"
          .formatted(
              macro(macros, "OMPI_MAJOR_VERSION").orElse("?"),
              macro(macros, "OMPI_MINOR_VERSION").orElse("?"),
              macro(macros, "OMPI_RELEASE_VERSION").orElse("?"));
    }
    return macro(macros, "I_MPI_VERSION")
        .map(version -> "Intel MPI " + version)
        .or(() -> macro(macros, "MVAPICH2_VERSION").map(version -> "MVAPICH " + version))
        .or(() -> macro(macros, "MPICH_VERSION").map(version -> "MPICH " + version))
        .orElse("an unknown MPI");
  }

  private static Optional<String> macro(String macros, String name) {
    Matcher definition = Pattern.compile("(?m)^#define " + name + " \"?(.*?)\"?$").matcher(macros);
    return definition.find() ? Optional.of(definition.group(1)) : Optional.empty();
  }
}
