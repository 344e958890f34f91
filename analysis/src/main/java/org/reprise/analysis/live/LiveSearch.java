package org.reprise.analysis.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.run.RunDirectory;

/**
 * The search for races beside a program that is being recorded: a thread of the recording process,
 * on a core of its own if there is one, that reads what the ranks write. Whatever becomes of it,
 * the ranks and the recording go on: it holds the lock of a file, which the kernel takes away when
 * the process dies, and a rank whose ring is full and finds nobody there goes on without events.
 */
public final class LiveSearch {
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration BETWEEN_TEXTS = Duration.ofMillis(500);

  private final RunDirectory run;
  private final LiveRun live;
  private final Listener listener;
  private final FileChannel lock;
  private final Thread thread;
  private volatile boolean ended;
  private @Nullable RuntimeException failure;
  private List<String> written = List.of();

  /** Who is told what is found, in the search's own thread. */
  public interface Listener {
    /** The first race of a pair of lines. */
    void found(LiveFinding finding);

    /** What there is to be said of the run so far, for those who watch it from elsewhere. */
    List<String> text(LiveRun soFar);
  }

  private LiveSearch(
      RunDirectory run, Surroundings surroundings, Listener listener, FileChannel lock) {
    this.run = run;
    this.lock = lock;
    live = LiveRun.taking(run, surroundings);
    this.listener = listener;
    thread = Thread.ofPlatform().daemon().name("live-search").unstarted(this::search);
  }

  /**
   * Starts the search in a run whose ranks are not started yet.
   *
   * @throws UserError if the run has no room for it
   */
  public static LiveSearch start(RunDirectory run, Surroundings surroundings, Listener listener) {
    LiveSearch search = new LiveSearch(run, surroundings, listener, lock(run.liveLockFile()));
    search.thread.start();
    return search;
  }

  private static FileChannel lock(Path file) {
    try {
      FileChannel channel =
          FileChannel.open(PrivateFiles.createFile(file), StandardOpenOption.WRITE);
      channel.lock();
      return channel;
    } catch (IOException e) {
      throw new UserError(
          "cannot lock " + file,
          PrivateFiles.reason(e),
          "make room there, or keep runs on another file system with REPRISE_HOME");
    }
  }

  private void search() {
    long due = System.nanoTime();
    try {
      while (!ended && live.isWhole()) {
        boolean any = live.poll();
        live.takeFresh().forEach(listener::found);
        if (System.nanoTime() - due >= 0) {
          write(listener.text(live));
          due = System.nanoTime() + BETWEEN_TEXTS.toNanos();
        }
        if (!any) {
          Thread.sleep(PAUSE);
        }
      }
      live.finish();
      live.takeFresh().forEach(listener::found);
      write(listener.text(live));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure = e;
    } finally {
      live.close();
      release();
    }
  }

  /** Ranks that wait for the reader see that there is none. */
  private void release() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** In one step. Where there is no room for it, who watches sees less. */
  private void write(List<String> lines) {
    if (lines.equals(written)) {
      return;
    }
    written = lines;
    Path fresh = Path.of(run.liveTextFile() + ".new");
    try {
      PrivateFiles.createFile(fresh);
      Files.write(fresh, lines);
      Files.move(fresh, run.liveTextFile(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      PrivateFiles.removeQuietly(fresh);
    }
  }

  /**
   * The ranks have ended: what is left is read, and what is of no use afterwards is removed.
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
    PrivateFiles.removeQuietly(run.liveLockFile());
    PrivateFiles.removeQuietly(run.liveTextFile());
    for (Rank rank : run.ranks()) {
      PrivateFiles.removeQuietly(run.liveFile(rank));
      PrivateFiles.removeQuietly(run.ringFile(rank));
      if (live.hasTaken()) {
        PrivateFiles.removeQuietly(run.sitesFile(rank));
      }
    }
    if (failure != null) {
      throw failure;
    }
    return live;
  }
}
