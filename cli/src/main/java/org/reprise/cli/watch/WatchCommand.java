package org.reprise.cli.watch;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.reprise.analysis.live.LiveFinding;
import org.reprise.analysis.live.LiveRun;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.terminal.Session;
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RunDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code reprise watch}: what a run does that is being recorded, perhaps in another shell. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description = {
      "Shows what the ranks of a run do while it is being recorded.",
      "It can be started in another shell, at any time, and ended with Ctrl-C: the run does not notice. "
          + "Of a run with events (reprise record --events or --live) it tells of races, too. "
          + "On a terminal it is a page that is drawn anew; into a pipe or file it prints lines."
    },
    footerHeading = "%nExample:%n",
    footer = {"  reprise watch", "  reprise watch ring-3"})
public final class WatchCommand implements Callable<Integer> {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration BETWEEN_PAGES = Duration.ofMillis(500);
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(2);

  private final Session session;

  @Mixin private ChosenRun chosen;

  public WatchCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    RunDirectory run = chosen.in(session);
    boolean page = session.terminal().outIsTerminal();
    RunPage shown = new RunPage(run);
    try (LiveRun live = LiveRun.following(run, session.surroundings())) {
      long rest = (page ? BETWEEN_PAGES : BETWEEN_LINES).toNanos();
      long due = System.nanoTime();
      while (true) {
        boolean going = LiveRecorder.of(run).isPresent();
        boolean any = live.poll();
        if (!going) {
          live.finish();
        }
        if (!page) {
          live.takeFresh().forEach(this::print);
        }
        if (!going || System.nanoTime() - due >= 0) {
          session.terminal().draw(shown.lines(live, System.nanoTime()));
          due = System.nanoTime() + rest;
        }
        if (!going) {
          session.terminal().out().println("the run has ended; " + shown.outcome(live));
          session.terminal().requireWritten();
          return 0;
        }
        if (!any) {
          Thread.sleep(PAUSE);
        }
      }
    }
  }

  private void print(LiveFinding found) {
    session.terminal().out().println("race: " + found.text());
  }
}
