package org.reprise.trace.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.reprise.trace.Counted;
import org.reprise.trace.TraceError;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.text.EditDistance;

/**
 * The directory that holds a user's runs: {@code <program>-<n>} each, and the link {@code latest}
 * to the newest.
 */
public final class RunStore {
  private static final Pattern NUMBERED = Pattern.compile("(.+)-([1-9][0-9]{0,8})");
  private static final String LATEST = "latest";
  private static final String FAILED = "failed";

  /** A file's name has 255 bytes, and a run's is longer than its program's. */
  private static final int STEM_MAX = 200;

  private final Path home;

  public RunStore(Path home) {
    this.home = home.toAbsolutePath().normalize();
  }

  /** {@code $REPRISE_HOME}, else {@code $XDG_DATA_HOME/reprise}, else ~/.local/share/reprise. */
  public static RunStore of(Map<String, String> environment) {
    String own = environment.getOrDefault("REPRISE_HOME", "");
    if (!own.isEmpty()) {
      return new RunStore(Path.of(own));
    }
    String xdg = environment.getOrDefault("XDG_DATA_HOME", "");
    // The XDG specification says to ignore a relative path.
    if (xdg.startsWith("/")) {
      return new RunStore(Path.of(xdg, "reprise"));
    }
    String user = environment.getOrDefault("HOME", System.getProperty("user.home"));
    return new RunStore(Path.of(user, ".local", "share", "reprise"));
  }

  public Path home() {
    return home;
  }

  /** All runs, the oldest first. */
  public List<RunDirectory> list() {
    requireAccess(home);
    if (!Files.isDirectory(home)) {
      return List.of();
    }
    List<RunDirectory> runs = new ArrayList<>();
    try (Stream<Path> entries = Files.list(home)) {
      entries
          .filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
          .filter(entry -> Files.isRegularFile(entry.resolve("run.json")))
          .forEach(entry -> runs.add(new RunDirectory(entry)));
    } catch (IOException e) {
      throw TraceError.unreadable(home, e);
    }
    runs.sort(Comparator.comparing(RunStore::age).thenComparing(RunDirectory::name));
    return runs;
  }

  /** When it began; if run.json cannot be read, when that was written. */
  private static Instant age(RunDirectory run) {
    try {
      return run.description().started();
    } catch (TraceError unreadable) {
      try {
        return Files.getLastModifiedTime(run.descriptionFile()).toInstant();
      } catch (IOException e) {
        return Instant.EPOCH;
      }
    }
  }

  /** The run that {@code latest} names, if it does. */
  public Optional<RunDirectory> latestIfAny() {
    Path link = home.resolve(LATEST);
    return Files.isDirectory(link) ? Optional.of(latest()) : Optional.empty();
  }

  /** The newest run. */
  public RunDirectory latest() {
    Path link = home.resolve(LATEST);
    if (Files.isDirectory(link)) {
      try {
        return existing(link.toRealPath());
      } catch (IOException e) {
        throw TraceError.unreadable(link, e);
      }
    }
    List<RunDirectory> runs = list();
    if (runs.isEmpty()) {
      throw noRuns();
    }
    return newest(runs);
  }

  /** The last one in which a rank left something, if there is one. */
  private static RunDirectory newest(List<RunDirectory> runs) {
    return runs.reversed().stream()
        .filter(run -> !run.ranks().isEmpty())
        .findFirst()
        .orElse(runs.getLast());
  }

  /**
   * The run a user means: a directory's name in this store, a path, or the beginning of one name
   * only. Empty is the latest, {@code failed} the latest that failed.
   */
  public RunDirectory find(Optional<String> wanted) {
    if (wanted.isEmpty() || wanted.get().equals(LATEST)) {
      return latest();
    }
    String name = wanted.get();
    if (name.equals(FAILED) && !Files.exists(home.resolve(FAILED))) {
      return latestFailed();
    }
    boolean isPath = name.contains("/") || name.equals(".") || name.equals("..");
    try {
      requireAccess(isPath ? Path.of(name) : home.resolve(name));
      if (!isPath && !name.isEmpty() && Files.isDirectory(home.resolve(name))) {
        return existing(home.resolve(name));
      }
      if (isPath && Files.exists(Path.of(name))) {
        return existing(Path.of(name));
      }
    } catch (InvalidPathException e) {
      throw new UserError("that is not the name of a run", e.getReason(), "reprise ls shows all");
    }
    List<RunDirectory> runs = list();
    List<RunDirectory> begun =
        isPath ? List.of() : runs.stream().filter(run -> run.name().startsWith(name)).toList();
    if (begun.size() == 1 && !name.isEmpty()) {
      return begun.getFirst();
    }
    if (runs.isEmpty() && !isPath) {
      throw noRuns();
    }
    throw begun.size() > 1 ? ambiguous(name, begun) : noSuchRun(name, runs);
  }

  private RunDirectory latestFailed() {
    List<RunDirectory> runs = list();
    return runs.reversed().stream()
        .filter(run -> run.hasFailed() && !run.ranks().isEmpty())
        .findFirst()
        .orElseThrow(
            () ->
                new UserError(
                    "no run has failed",
                    Counted.of(runs.size(), "run") + " in " + home,
                    "reprise ls shows all"));
  }

  /** What one may not look at is not missing: another user's runs are private. */
  private static void requireAccess(Path path) {
    try {
      Files.readAttributes(path, BasicFileAttributes.class);
    } catch (AccessDeniedException e) {
      throw new UserError(
          "permission denied: " + path,
          ownerText(path),
          "ask its owner to let you read it (chmod -R go+rX), or for a copy");
    } catch (IOException e) {
      // Whoever looks for it says that it is not there.
    }
  }

  /** Of the innermost directory on the way that can be seen. */
  private static String ownerText(Path path) {
    for (Path at = path.toAbsolutePath(); at != null; at = at.getParent()) {
      try {
        return at + " belongs to " + Files.getOwner(at).getName();
      } catch (IOException hidden) {
        // The one above it may be seen.
      }
    }
    return "its owner cannot be seen";
  }

  private RunDirectory existing(Path directory) {
    requireAccess(directory.resolve("run.json"));
    if (!Files.isRegularFile(directory.resolve("run.json"))) {
      throw new UserError(
          directory + " is not a run",
          Files.isDirectory(directory) ? "a directory without run.json" : "not a directory",
          "reprise ls shows the runs in " + home);
    }
    return new RunDirectory(directory);
  }

  private UserError noRuns() {
    return new UserError(
        "there are no runs yet",
        "nothing recorded in " + home,
        "record one: reprise record mpirun -n 4 ./program");
  }

  private static UserError ambiguous(String name, List<RunDirectory> begun) {
    return new UserError(
        "more than one run begins with \"" + name + "\"",
        String.join(", ", begun.stream().limit(5).map(RunDirectory::name).toList())
            + (begun.size() > 5 ? " and " + (begun.size() - 5) + " more" : ""),
        "give more of the name");
  }

  private static UserError noSuchRun(String name, List<RunDirectory> runs) {
    List<String> near =
        runs.stream()
            .map(RunDirectory::name)
            .filter(candidate -> EditDistance.between(name, candidate) <= name.length() / 2)
            .sorted(Comparator.comparingInt(candidate -> EditDistance.between(name, candidate)))
            .limit(3)
            .toList();
    return new UserError(
        "there is no run \"" + name + "\"",
        near.isEmpty()
            ? "nothing like it among " + Counted.of(runs.size(), "run")
            : "the nearest are " + String.join(", ", near),
        "reprise ls shows all");
  }

  /**
   * Creates the directory of a new run of {@code program}. The number is one above the highest in
   * use, and mkdir decides between recorders that start at the same time.
   */
  public RunDirectory create(String program) {
    String stem = program.replaceAll("[^A-Za-z0-9._+-]", "_").replaceAll("^[.-]+", "");
    String name = stem.isEmpty() ? "run" : stem.substring(0, Math.min(stem.length(), STEM_MAX));
    try {
      PrivateFiles.createDirectories(home);
      for (int number = highestNumber(name) + 1; ; number++) {
        try {
          return new RunDirectory(PrivateFiles.createDirectory(home.resolve(name + "-" + number)));
        } catch (FileAlreadyExistsException e) {
          // Another recorder was faster.
        }
      }
    } catch (IOException e) {
      throw new UserError(
          "cannot create a run directory in " + home,
          String.valueOf(e.getMessage()),
          isWritable()
              ? RunDirectory.ROOM_FIX
              : "choose a directory you may write to, with -o DIR or REPRISE_HOME");
    }
  }

  /** Whether runs may be kept here. If so and one cannot be created, there is no room for it. */
  public boolean isWritable() {
    Path there = home;
    for (Path parent = there.getParent(); !Files.exists(there) && parent != null; ) {
      there = parent;
      parent = there.getParent();
    }
    return Files.isDirectory(there) && Files.isWritable(there);
  }

  private int highestNumber(String program) throws IOException {
    int highest = 0;
    try (Stream<Path> entries = Files.list(home)) {
      for (Path entry : (Iterable<Path>) entries::iterator) {
        Matcher name = NUMBERED.matcher(String.valueOf(entry.getFileName()));
        if (name.matches() && name.group(1).equals(program)) {
          highest = Math.max(highest, Integer.parseInt(name.group(2)));
        }
      }
    }
    return highest;
  }

  /** Makes {@code latest} point at this run, in one step. */
  public void setLatest(RunDirectory run) {
    try {
      Path link = Files.createTempFile(home, ".latest-", "");
      Files.delete(link);
      Files.createSymbolicLink(link, Path.of(run.name()));
      Files.move(link, home.resolve(LATEST), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UserError(
          "cannot make " + run.name() + " the latest run",
          PrivateFiles.reason(e),
          RunDirectory.ROOM_FIX);
    }
  }

  /** Leaves open which run is the latest: the newest that there is something of. */
  public void forgetLatest() {
    try {
      Files.deleteIfExists(home.resolve(LATEST));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes a run, unless it is being recorded. */
  public void remove(RunDirectory run) {
    existing(run.path());
    LiveRecorder.of(run)
        .ifPresent(
            pid -> {
              throw RecordedRun.beingRecorded(run, pid);
            });
    try {
      refuseStrangers(run);
      boolean wasLatest = latestName().equals(Optional.of(run.name()));
      PrivateFiles.removeTree(run.path());
      if (wasLatest) {
        forgetLatest();
        List<RunDirectory> left = list();
        if (!left.isEmpty()) {
          setLatest(newest(left));
        }
      }
    } catch (IOException e) {
      throw new UserError(
          "cannot remove " + run.path(), String.valueOf(e.getMessage()), "check its permissions");
    }
  }

  /** Removes a run that nobody needs; whether that could be done. */
  boolean removeIfPossible(RunDirectory run) {
    try {
      remove(run);
      return true;
    } catch (UserError inTheWay) {
      // It is still being recorded, or another Reprise is removing it: it stays, or is gone.
      return false;
    }
  }

  /** Somebody's own directory may hold a run.json as well: what Reprise did not write stays. */
  private static void refuseStrangers(RunDirectory run) throws IOException {
    try (Stream<Path> entries = Files.list(run.path())) {
      Optional<Path> stranger = entries.filter(entry -> !RunDirectory.isOwnFile(entry)).findFirst();
      if (stranger.isPresent()) {
        throw new UserError(
            run.path() + " holds files that are not of a run",
            stranger.get().toString(),
            "move them away, or remove the directory yourself");
      }
    }
  }

  private Optional<String> latestName() throws IOException {
    Path link = home.resolve(LATEST);
    return Files.isSymbolicLink(link)
        ? Optional.of(Files.readSymbolicLink(link).toString())
        : Optional.empty();
  }
}
