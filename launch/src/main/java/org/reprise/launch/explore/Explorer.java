package org.reprise.launch.explore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.reprise.launch.Engine;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/**
 * Runs a program in every order of its messages, on whichever engine: records it once, and follows
 * the plans that an exploration makes of what it has seen.
 */
public final class Explorer {
  /**
   * How far a search is.
   *
   * @param open plans that are not tried; some will turn out to be in runs of others
   * @param perClass how many plans a class brought that were not in others: below 1 the search
   *     comes to an end
   */
  public record Standing(
      long executions, int classes, int open, int outcomes, int failures, double perClass) {}

  /** Told after each execution how far it is. */
  public interface Progress {
    void report(Standing standing);
  }

  private static final String PLACE = ".explorations";

  private final RunStore store;
  private final Function<Consumer<String>, Engine> engines;
  private final Progress progress;

  /**
   * An explorer.
   *
   * @param store where the runs that are kept go
   * @param engines gives an engine that tells this of what goes wrong
   */
  public Explorer(RunStore store, Function<Consumer<String>, Engine> engines, Progress progress) {
    this.store = store;
    this.engines = engines;
    this.progress = progress;
  }

  /** The explorations that can be continued, the latest last. */
  public static List<String> unfinished(RunStore store) {
    Path place = store.home().resolve(PLACE);
    if (!Files.isDirectory(place)) {
      return List.of();
    }
    try (var entries = Files.list(place)) {
      return entries
          .filter(entry -> Files.isRegularFile(entry.resolve("state")))
          .sorted((a, b) -> modified(a).compareTo(modified(b)))
          .map(entry -> entry.getFileName().toString())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static java.nio.file.attribute.FileTime modified(Path place) {
    try {
      return Files.getLastModifiedTime(place.resolve("state"));
    } catch (IOException e) {
      return java.nio.file.attribute.FileTime.fromMillis(0);
    }
  }

  /** The command of an exploration that can be continued. */
  public static List<String> command(RunStore store, String name) {
    return base(store.home().resolve(PLACE).resolve(name)).description().command();
  }

  static RecordedRun base(Path place) {
    return RecordedRun.open(new RunDirectory(place.resolve("base")));
  }

  /** Explores a program from the beginning. */
  public ExplorationReport explore(ExplorationRequest request) {
    try {
      Path parent = PrivateFiles.createDirectories(store.home().resolve(PLACE));
      int number = 1;
      while (Files.exists(parent.resolve(request.program() + "-" + number))) {
        number++;
      }
      Path place = PrivateFiles.createDirectory(parent.resolve(request.program() + "-" + number));
      boolean begun = false;
      try (Search search = new Search(request, place, store, engines, progress)) {
        begun = search.begin();
        return search.run();
      } finally {
        if (!begun) {
          PrivateFiles.removeTree(place);
        }
      }
    } catch (IOException e) {
      throw new UserError(
          "there is no room for an exploration",
          String.valueOf(e.getMessage()),
          "make room in " + store.home());
    }
  }

  /** Goes on with an exploration that was interrupted or killed. */
  public ExplorationReport resume(ExplorationRequest request, String name) {
    try (Search search =
        new Search(request, store.home().resolve(PLACE).resolve(name), store, engines, progress)) {
      search.restore();
      return search.run();
    }
  }
}
