package org.reprise.cli.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.reprise.analysis.RunEvents;
import org.reprise.launch.source.CallStack;
import org.reprise.trace.Location;
import org.reprise.trace.Rank;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.text.Words;

/** Events for people: one a line, with the time since MPI_Init, and callers below where known. */
public final class EventText implements EventPrinter {
  private final PrintWriter out;
  private final RunEvents known;
  private Rank rank = new Rank(0);

  public EventText(PrintWriter out, RunEvents known) {
    this.out = out;
    this.known = known;
  }

  @Override
  public void begin(Rank of) {
    rank = of;
  }

  @Override
  public void print(EventCursor event) {
    CallStack calls = known.stack(rank, event.site(), event.call());
    List<Location> stack = calls.places();
    out.println(
        String.format(
            Locale.ROOT,
            "%d %6d %12.6f s %12.3f us  %-14s %s%s",
            rank.number(),
            event.number(),
            event.startNanos() / 1e9,
            event.durationNanos() / 1e3,
            known.callName(event.call()),
            words(event),
            stack.isEmpty() ? "" : "  at " + stack.getFirst().text() + calls.throughText()));
    for (int i = 1; i < stack.size(); i++) {
      out.println(" ".repeat(57) + "by " + stack.get(i).text());
    }
  }

  @Override
  public void end() {
    out.flush();
  }

  /** What the event is, in words. */
  static String words(EventCursor event) {
    List<String> words = new ArrayList<>(List.of(Words.word(event.kind())));
    switch (event.kind()) {
      case SEND, POST_SEND -> {
        words.add("to " + event.peer());
        addTag(words, event);
        words.add(Words.bytes(event.bytes()));
      }
      case RECV, MPROBE, PROBE -> {
        addSource(words, event);
        addTag(words, event);
        words.add(Words.bytes(event.bytes()));
      }
      case POST_RECV -> {
        words.add(event.is(EventFlag.ANY_SOURCE) ? "from any" : "from " + event.peer());
        words.add(event.is(EventFlag.ANY_TAG) ? "any tag" : "tag " + event.tag());
      }
      case MATCHED -> {
        words.add("event " + event.post());
        addSource(words, event);
        addTag(words, event);
      }
      case COMPLETE -> {
        words.add("event " + event.post());
        if (event.is(EventFlag.CANCELLED)) {
          words.add("cancelled");
        } else if (event.peer() != EventCursor.ANY) {
          words.add("from " + event.peer());
          addTag(words, event);
          words.add(Words.bytes(event.bytes()));
        }
      }
      case MRECV, POST_MRECV, CANCEL, FREE, UNMATCHED -> words.add("event " + event.post());
      case COLLECTIVE, POST_COLLECTIVE -> {
        if (event.peer() != EventCursor.ANY) {
          words.add("root " + event.peer());
        }
        words.add(Words.bytes(event.bytes()));
      }
      case POLLS -> words.add(Words.count(event.bytes(), "time"));
      default -> {}
    }
    if (event.comm() > 0) {
      words.add("comm " + event.comm());
    }
    if (event.thread() > 0) {
      words.add("thread " + event.thread());
    }
    return String.join(" ", words);
  }

  private static void addSource(List<String> words, EventCursor event) {
    words.add("from " + event.peer() + (event.is(EventFlag.ANY_SOURCE) ? " (any)" : ""));
  }

  private static void addTag(List<String> words, EventCursor event) {
    words.add("tag " + event.tag() + (event.is(EventFlag.ANY_TAG) ? " (any)" : ""));
  }
}
