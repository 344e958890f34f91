package org.reprise.launch.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.reprise.ranks.host.ProgramCommand;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.UserError;

/**
 * A command line, taken apart: which word is the launcher (mpirun and its kin), if there is one,
 * and which file is the program. Launchers have hundreds of options whose values may look like
 * anything, so the program is not found by parsing them but by looking which words are executables.
 *
 * @param launcherIndex the place of the launcher among the words
 * @param launcher its file, links not followed
 * @param executables all files behind the launcher that can be executed, in order
 * @param program the file that is most likely the program: the first executable that is linked with
 *     an MPI library, else a script given to an interpreter, else the first with a path; of {@code
 *     reprise java} the source, jar or class that it runs
 */
public record LaunchCommand(
    List<String> words,
    OptionalInt launcherIndex,
    Optional<Path> launcher,
    List<Path> executables,
    Optional<Path> program) {

  private static final Pattern LAUNCHER =
      Pattern.compile("(mpirun|mpiexec|orterun|oshrun|prterun|prun|srun|hydra)([._-].*)?");
  private static final Pattern PREFIX =
      Pattern.compile("env|timeout|nice|ionice|time|stdbuf|setsid|nohup|taskset|numactl|exec");
  private static final Pattern INTERPRETER =
      Pattern.compile("(python|pypy|perl|ruby|julia|java|lua|Rscript|bash|dash|ksh|zsh|sh)[0-9.]*");

  public LaunchCommand {
    words = List.copyOf(words);
    executables = List.copyOf(executables);
  }

  public static LaunchCommand parse(List<String> words, Surroundings surroundings) {
    OptionalInt launcherIndex = OptionalInt.empty();
    Optional<Path> launcher = Optional.empty();
    for (int i = 0; i < words.size() && launcher.isEmpty(); i++) {
      Optional<Path> file = surroundings.findExecutable(words.get(i));
      if (file.isPresent() && isLauncher(file.get())) {
        launcherIndex = OptionalInt.of(i);
        launcher = file;
      }
    }
    List<Path> executables = new ArrayList<>();
    List<Path> withPath = new ArrayList<>();
    List<Path> scripts = new ArrayList<>();
    for (int i = launcherIndex.orElse(-1) + 1; i < words.size(); i++) {
      Optional<Path> file = surroundings.findExecutable(words.get(i));
      if (file.isEmpty() || words.get(i).startsWith("-") || isLauncher(file.get())) {
        continue;
      }
      executables.add(file.get());
      if (words.get(i).contains("/")) {
        withPath.add(file.get());
      }
      if (INTERPRETER.matcher(name(file.get())).matches()) {
        script(words.subList(i + 1, words.size()), surroundings).ifPresent(scripts::add);
      }
    }
    Optional<Path> program =
        Stream.of(
                javaProgram(words).flatMap(java -> javaFile(java, surroundings)).stream(),
                executables.stream().filter(file -> MpiLibraries.familyOf(file).isPresent()),
                scripts.stream(),
                withPath.stream(),
                executables.stream())
            .flatMap(candidates -> candidates)
            .findFirst();
    return new LaunchCommand(words, launcherIndex, launcher, executables, program);
  }

  /** What {@code reprise java} is told to run, if that is what the ranks are. */
  private static Optional<ProgramCommand> javaProgram(List<String> words) {
    for (int i = 0; i + 2 < words.size(); i++) {
      boolean isReprise = fallbackName(words.subList(i, i + 1)).equals("reprise");
      if (isReprise && words.get(i + 1).equals("java")) {
        try {
          return Optional.of(ProgramCommand.parse(words.subList(i + 2, words.size())));
        } catch (UserError e) {
          return Optional.empty(); // Each rank will say so.
        }
      }
    }
    return Optional.empty();
  }

  /** A source file, a jar, or the class file that the class path has for a class. */
  private static Optional<Path> javaFile(ProgramCommand java, Surroundings surroundings) {
    Optional<Path> file = surroundings.findFile(java.target());
    String inClassPath = java.target().replace('.', '/') + ".class";
    for (String entry : java.classPath().split(File.pathSeparator)) {
      if (file.isEmpty()) {
        file = surroundings.findFile(entry + "/" + inClassPath);
      }
      if (file.isEmpty() && entry.endsWith(".jar")) {
        file = surroundings.findFile(entry);
      }
    }
    return file;
  }

  private static boolean isLauncher(Path file) {
    return LAUNCHER.matcher(name(file)).matches();
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** The first file among an interpreter's arguments that is not an option. */
  private static Optional<Path> script(List<String> arguments, Surroundings surroundings) {
    return arguments.stream()
        .filter(word -> !word.startsWith("-"))
        .map(surroundings::findFile)
        .flatMap(Optional::stream)
        .findFirst();
  }

  /**
   * Whether the launcher is what the command starts, so that it may be given more options: the
   * first word, or behind env, timeout and the like. Elsewhere its name may be an argument of a
   * script.
   */
  public boolean startsLauncher() {
    int index = launcherIndex.orElse(-1);
    return index == 0
        || (index > 0 && PREFIX.matcher(fallbackName(words)).matches())
        || (index > 2 && words.get(1).equals("-c"));
  }

  /** What the run is called after: the program's file name without its suffix, or its class. */
  public String programName() {
    Optional<ProgramCommand> java = javaProgram(words);
    if (java.isPresent()) {
      return java.get().name();
    }
    String name = program.map(LaunchCommand::name).orElseGet(() -> fallbackName(words));
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  private static String fallbackName(List<String> words) {
    String first = words.isEmpty() ? "run" : words.getFirst();
    return first.substring(first.lastIndexOf('/') + 1);
  }

  /**
   * The family a launcher belongs to, by the name it has after all links; empty if the name does
   * not tell.
   */
  public Optional<MpiFamily> familyByLauncherName() {
    return launcher.flatMap(
        file -> {
          String name = (name(file) + " " + name(realPath(file))).toLowerCase(Locale.ROOT);
          if (name.contains("orte") || name.contains("openmpi") || name.contains("prte")) {
            return Optional.of(MpiFamily.OPEN_MPI);
          }
          return name.contains("hydra") || name.contains("mpich")
              ? Optional.of(MpiFamily.MPICH)
              : Optional.empty();
        });
  }

  public static Path realPath(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      return file;
    }
  }

  /** Whether the program is static, so that nothing can be loaded into it. */
  public Optional<Path> staticProgram() {
    return program.filter(file -> ElfFile.read(file).filter(elf -> !elf.dynamic()).isPresent());
  }

  /** Whether the loader ignores LD_PRELOAD for the program because it runs as somebody else. */
  public boolean runsAsSomebodyElse() {
    return program
        .map(
            file -> {
              try {
                int mode = (int) Files.getAttribute(file, "unix:mode");
                return (mode & 06000) != 0;
              } catch (IOException | UnsupportedOperationException e) {
                return false;
              }
            })
        .orElse(false);
  }
}
