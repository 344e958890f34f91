package org.reprise.viewer.export;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.picture.Axis;
import org.reprise.viewer.picture.RaceMarks;
import org.reprise.viewer.picture.RunPicture;
import org.reprise.viewer.picture.State;

/**
 * A run as one picture: a lane a rank, calls as bars, messages as curves, a ring at each race. By
 * logical order, in which every call has room, whatever the clocks say.
 */
final class SvgPicture {
  private static final int LABELS = 90;
  private static final int TOP = 34;
  private static final int LANE = 44;
  private static final int BAR = 22;
  private static final int LEGEND = 34;
  private static final double STEP_MIN = 3;
  private static final double STEP_MAX = 26;
  private static final double WIDTH = 1400;
  private static final String RACE = "#d55e00";
  private static final String MESSAGE = "#5b6875";

  /** The page's colours of {@link State}, in its order. */
  private static final String[] COLOURS = {"#b4c0cc", "#d9c667", "#7fb2dc", "#3b9478", "#24547f"};

  private final RunPicture picture;
  private final ViewedRun run;
  private final EventTable events;
  private final Axis axis;
  private final double step;
  private final PrintWriter out;

  private SvgPicture(RunPicture picture, PrintWriter out) {
    this.picture = picture;
    this.out = out;
    run = picture.run();
    events = run.graph().events();
    axis = picture.axis(Axis.Kind.ORDER);
    step = Math.max(STEP_MIN, Math.min(STEP_MAX, WIDTH / axis.length()));
  }

  static void write(RunPicture picture, OutputStream out) {
    PrintWriter text = new PrintWriter(out, false, StandardCharsets.UTF_8);
    new SvgPicture(picture, text).print();
    text.flush();
  }

  private void print() {
    double width = LABELS + axis.length() * step + 20;
    int height = TOP + events.ranks() * LANE + LEGEND;
    tell(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\""
            + " viewBox=\"0 0 %.0f %d\" font-family=\"sans-serif\" font-size=\"12\">",
        width, height, width, height);
    tell("<title>%s</title>", escaped(run.name()));
    tell("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
    tell(
        "<text x=\"10\" y=\"20\" fill=\"#52606e\">%s: %d ranks, %d events, %d races;"
            + " from left to right in logical order</text>",
        escaped(run.name()), events.ranks(), events.size(), run.races().size());
    for (int rank = 0; rank < events.ranks(); rank++) {
      lane(rank);
    }
    messages();
    RaceMarks marks = picture.marks();
    for (int place = 0; place < marks.size(); place++) {
      int call = marks.call(place);
      tell(
          "<circle cx=\"%.1f\" cy=\"%d\" r=\"5\" fill=\"#ffffff\" stroke=\"%s\""
              + " stroke-width=\"2\"><title>%s could have got another message</title></circle>",
          x(axis.end(call)), middle(events.rank(call)), RACE, escaped(words(marks.receive(place))));
    }
    legend(height - LEGEND + 12);
    tell("</svg>");
  }

  private void lane(int rank) {
    int y = TOP + rank * LANE + (LANE - BAR) / 2;
    tell("<text x=\"10\" y=\"%d\" fill=\"#1c2733\">rank %d</text>", y + BAR - 6, rank);
    tell(
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#e9edf1\"/>",
        LABELS, y, axis.length() * step, BAR);
    for (int e = events.first(rank); e < events.first(rank + 1); e++) {
      double from = x(axis.start(rank, e));
      tell(
          "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\">"
              + "<title>%s</title></rect>",
          from,
          y,
          Math.max(1.5, x(axis.end(rank, e)) - from - 0.6),
          BAR,
          COLOURS[State.of(events, e).ordinal()],
          escaped(words(e)));
    }
  }

  private String words(int event) {
    String peer = events.peer(event) < 0 ? "" : ", rank " + events.peer(event);
    String tag = events.tag(event) < 0 ? "" : ", tag " + events.tag(event);
    return events.rank(event) + ":" + events.number(event) + " " + run.call(event) + peer + tag;
  }

  private void messages() {
    Pairing pairing = run.graph().pairing();
    for (int message = 0; message < pairing.messages(); message++) {
      int send = pairing.send(message);
      int arrival = TimedCall.arrival(run, message);
      if (arrival < 0) {
        continue;
      }
      int receive = pairing.receive(message);
      boolean racing = receive >= 0 && run.races().contains(receive);
      double x1 = x(axis.start(send));
      double x2 = x(axis.end(arrival));
      double reach = Math.min(70, Math.abs(x2 - x1) / 2);
      int y1 = middle(events.rank(send));
      int y2 = middle(events.rank(arrival));
      tell(
          "<path d=\"M%.1f %dC%.1f %d %.1f %d %.1f %d\" fill=\"none\" stroke=\"%s\""
              + " stroke-width=\"1.2\" opacity=\"0.85\"/>",
          x1, y1, x1 + reach, y1, x2 - reach, y2, x2, y2, racing ? RACE : MESSAGE);
      tell("<path d=\"M%.1f %dl-7 -3.2v6.4z\" fill=\"%s\"/>", x2, y2, racing ? RACE : MESSAGE);
    }
  }

  private void legend(int y) {
    double x = LABELS;
    for (State state : State.values()) {
      tell(
          "<rect x=\"%.0f\" y=\"%d\" width=\"16\" height=\"11\" fill=\"%s\"/>"
              + "<text x=\"%.0f\" y=\"%d\" fill=\"#52606e\">%s</text>",
          x, y, COLOURS[state.ordinal()], x + 21, y + 10, state.word());
      x += 110;
    }
  }

  private double x(long at) {
    return LABELS + at * step;
  }

  private static int middle(int rank) {
    return TOP + rank * LANE + LANE / 2;
  }

  @SuppressWarnings("AnnotateFormatMethod") // called with constants of this class alone
  private void tell(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
