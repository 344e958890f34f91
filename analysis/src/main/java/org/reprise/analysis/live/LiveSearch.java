package org.reprise.analysis.live;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.run.RunDirectory;

/**
 * The search for races beside a program that is being recorded: a thread of the recording process,
 * on a core of its own if there is one, that reads what the ranks write. Whatever becomes of it,
 * the ranks and the recording go on.
 */
public final class LiveSearch {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final LiveRun live;
  private final Consumer<LiveFinding> told;
  private final Thread thread;
  private volatile boolean ended;
  private @Nullable RuntimeException failure;

  private LiveSearch(RunDirectory run, Surroundings surroundings, Consumer<LiveFinding> told) {
    live = new LiveRun(run, surroundings);
    this.told = told;
    thread = Thread.ofPlatform().daemon().name("live-search").unstarted(this::search);
  }

  /**
   * Starts the search in a run that begins.
   *
   * @param told gets the first race of each pair of lines, in the search's own thread
   */
  public static LiveSearch start(
      RunDirectory run, Surroundings surroundings, Consumer<LiveFinding> told) {
    LiveSearch search = new LiveSearch(run, surroundings, told);
    search.thread.start();
    return search;
  }

  private void search() {
    try (live) {
      while (!ended) {
        boolean any = live.poll();
        live.takeFresh().forEach(told);
        if (!any) {
          Thread.sleep(PAUSE);
        }
      }
      live.finish();
      live.takeFresh().forEach(told);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  /**
   * The ranks have ended: what is left is read.
   *
   * @throws RuntimeException whatever ended the search early; what it had found is not all
   */
  public LiveRun end() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw failure;
    }
    return live;
  }
}
