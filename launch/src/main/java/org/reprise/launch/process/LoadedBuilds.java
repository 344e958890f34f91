package org.reprise.launch.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.trace.pack.PackManifest;

/** Which builds of a program and of the libraries that it loads are on this machine. */
public final class LoadedBuilds {
  /** The loader is started itself, not the program, which could name another one. */
  private static final Path LOADER = Path.of("/lib64/ld-linux-x86-64.so.2");

  private static final Pattern LOADED =
      Pattern.compile("(?m)^\\s*\\S+ => (/.+) \\(0x[0-9a-f]+\\)$");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The build of a file; empty if it is no such file. */
  public static Optional<PackManifest.Build> of(Path file) {
    return Files.isRegularFile(file)
        ? ElfFile.read(file).map(elf -> new PackManifest.Build(file.toString(), elf.buildId()))
        : Optional.empty();
  }

  /**
   * The libraries that a program loads before it begins, without running it.
   *
   * @param surroundings whose {@code LD_LIBRARY_PATH} counts
   */
  public static List<PackManifest.Build> ofLibraries(Path program, Surroundings surroundings) {
    List<PackManifest.Build> builds = new ArrayList<>();
    if (ElfFile.read(program).filter(ElfFile::dynamic).isPresent() && Files.exists(LOADER)) {
      ToolRun listed =
          ToolRun.of(
              List.of(LOADER.toString(), "--list", program.toString()),
              surroundings.directory(),
              surroundings,
              PATIENCE);
      Matcher line = LOADED.matcher(listed.succeeded() ? listed.output() : "");
      while (line.find()) {
        of(Path.of(line.group(1))).ifPresent(builds::add);
      }
    }
    return builds;
  }

  private LoadedBuilds() {}
}
