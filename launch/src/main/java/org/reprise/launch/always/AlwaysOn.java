package org.reprise.launch.always;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.run.Quota;

/**
 * Whether every MPI program of a user is recorded. In {@code $XDG_CONFIG_HOME/reprise/always}, else
 * {@code ~/.config/reprise/always}, are
 *
 * <ul>
 *   <li>{@code bin}: a <em>shim</em> for each launcher of this machine, a script of the launcher's
 *       name that records what the real one starts. This directory stands first on the PATH;
 *   <li>{@code reprise}: a link to the Reprise that records;
 *   <li>{@code on}: there while everything is recorded, with the quota in it.
 * </ul>
 *
 * Shims stay when recording ends, and only pass on: a shell remembers where it found a command, and
 * would not find it there any more.
 */
public record AlwaysOn(Path directory) {
  /** The launchers that users type. */
  private static final Pattern LAUNCHER =
      Pattern.compile("(mpirun|mpiexec|orterun|prterun|srun)([._-].*)?");

  private static final String RUNS = "runs";
  private static final String BYTES = "bytes";
  private static final int SETTINGS_BYTES_MAX = 64 * 1024;

  public static AlwaysOn of(Map<String, String> environment) {
    String xdg = environment.getOrDefault("XDG_CONFIG_HOME", "");
    String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
    Path config = xdg.startsWith("/") ? Path.of(xdg) : Path.of(home, ".config");
    return new AlwaysOn(config.resolve("reprise").resolve("always").toAbsolutePath().normalize());
  }

  /** What belongs first on the PATH. */
  public Path shims() {
    return directory.resolve("bin");
  }

  private Path settings() {
    return directory.resolve("on");
  }

  private Path reprise() {
    return directory.resolve("reprise");
  }

  public boolean isOn() {
    return Files.exists(settings());
  }

  /** How much is kept; the usual where nobody, or nobody who can be understood, said otherwise. */
  public Quota quota() {
    Properties settings = new Properties();
    try (InputStream in = Files.newInputStream(settings())) {
      settings.load(
          new StringReader(new String(in.readNBytes(SETTINGS_BYTES_MAX), StandardCharsets.UTF_8)));
      return new Quota(
          Integer.parseInt(settings.getProperty(RUNS, "")),
          Long.parseLong(settings.getProperty(BYTES, "")));
    } catch (IOException | IllegalArgumentException e) {
      return Quota.USUAL;
    }
  }

  /** The launchers that have a shim. */
  public List<String> launchers() {
    try (Stream<Path> files = Files.list(shims())) {
      return files.map(Path::getFileName).map(String::valueOf).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * Records everything from now on.
   *
   * @param reprise the command that records
   * @param environment in whose PATH launchers are looked for
   */
  public void turnOn(Path reprise, Quota quota, Map<String, String> environment) {
    List<String> launchers = launchersOn(environment);
    if (launchers.isEmpty()) {
      throw new UserError(
          "there is nothing to record",
          "no mpirun, mpiexec or srun on PATH",
          "install an MPI, or add it to PATH; reprise doctor tells more");
    }
    try {
      PrivateFiles.createDirectories(shims());
      Optional<String> others = PrivateFiles.writableByOthers(directory);
      others = others.isPresent() ? others : PrivateFiles.writableByOthers(shims());
      if (others.isPresent()) {
        throw new UserError(
            "what is first on your PATH must be yours alone",
            others.get(),
            "chmod -R go-w " + directory);
      }
      replace(reprise(), link -> Files.createSymbolicLink(link, reprise));
      for (String launcher : launchers) {
        replace(shims().resolve(launcher), this::writeShim);
      }
      replace(
          settings(),
          file ->
              Files.writeString(
                  PrivateFiles.createFile(file),
                  RUNS + "=" + quota.runsMax() + "\n" + BYTES + "=" + quota.bytesMax() + "\n"));
    } catch (IOException e) {
      throw cannotChange(e);
    }
  }

  /** Records nothing any more; whether it did. */
  public boolean turnOff() {
    try {
      return Files.deleteIfExists(settings());
    } catch (IOException e) {
      throw cannotChange(e);
    }
  }

  private UserError cannotChange(IOException e) {
    return new UserError(
        "cannot change " + directory,
        String.valueOf(e.getMessage()),
        "check its permissions, and that there is room");
  }

  private interface Writer {
    void write(Path file) throws IOException;
  }

  /** In one step: a shell that runs the old one goes on with the old one. */
  private void replace(Path file, Writer writer) throws IOException {
    Path fresh = directory.resolve(".new-" + ProcessHandle.current().pid());
    Files.deleteIfExists(fresh);
    try {
      writer.write(fresh);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private void writeShim(Path file) throws IOException {
    try (InputStream shim = Objects.requireNonNull(AlwaysOn.class.getResourceAsStream("shim"))) {
      Files.write(PrivateFiles.createFile(file), shim.readAllBytes());
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
  }

  /** What the machine has, by the name under which it is started. */
  private List<String> launchersOn(Map<String, String> environment) {
    TreeSet<String> names = new TreeSet<>();
    for (String entry : without(environment).getOrDefault("PATH", "").split(":")) {
      Path bin = Path.of(entry.isEmpty() ? "." : entry);
      try (Stream<Path> files = Files.list(bin)) {
        files
            .filter(file -> LAUNCHER.matcher(String.valueOf(file.getFileName())).matches())
            .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
            .forEach(file -> names.add(String.valueOf(file.getFileName())));
      } catch (NoSuchFileException e) {
        // A PATH often names what is not there.
      } catch (IOException | UncheckedIOException e) {
        // Or what this user may not read.
      }
    }
    return List.copyOf(names);
  }

  /**
   * The environment for whatever Reprise starts: a launcher is the real one there, or a recording
   * would record itself.
   */
  public Map<String, String> without(Map<String, String> environment) {
    String path = environment.get("PATH");
    if (path == null || isNowhereOn(path)) {
      return environment;
    }
    Map<String, String> other = new HashMap<>(environment);
    other.put(
        "PATH",
        Arrays.stream(path.split(":", -1))
            .filter(entry -> !isShims(entry))
            .collect(Collectors.joining(":")));
    return other;
  }

  private boolean isNowhereOn(String path) {
    return Arrays.stream(path.split(":", -1)).noneMatch(this::isShims);
  }

  private boolean isShims(String entry) {
    if (!entry.startsWith("/")) {
      return false;
    }
    Path place = Path.of(entry).normalize();
    try {
      return place.equals(shims())
          || Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)
              && Files.exists(shims())
              && Files.isSameFile(place, shims());
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether a shell with this PATH takes the shims for the launchers. */
  public boolean isEffective(String path) {
    List<String> names = launchers();
    for (String entry : path.split(":", -1)) {
      if (isShims(entry)) {
        return !names.isEmpty();
      }
      Path bin = Path.of(entry.isEmpty() ? "." : entry);
      if (names.stream().map(bin::resolve).anyMatch(Files::isExecutable)) {
        return false;
      }
    }
    return false;
  }
}
