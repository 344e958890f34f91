package org.reprise.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Finding;
import org.reprise.causality.Notice;
import org.reprise.findings.Location;
import org.reprise.findings.Passage;
import org.reprise.findings.Report;
import org.reprise.findings.Rule;
import org.reprise.launch.CallTable;
import org.reprise.launch.Place;
import org.reprise.trace.EventFlag;
import org.reprise.trace.EventKind;
import org.reprise.trace.Rank;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.Wire;

/** Puts the races of a run into words. */
final class RaceReport {
  private static final Map<Finding.Kind, Rule> RULES =
      Map.of(
          Finding.Kind.RECEIVE,
          new Rule(
              "message-race",
              "message race",
              "A receive could have taken another message than the one it took."),
          Finding.Kind.PROBE,
          new Rule(
              "probe-race",
              "probe race",
              "A probe could have seen another message than the one it saw."),
          Finding.Kind.POLL,
          new Rule(
              "poll-race",
              "poll race",
              "A poll that saw a message could have seen another one, or none."),
          Finding.Kind.UNCERTAIN,
          new Rule(
              "uncertain-race",
              "uncertain race",
              "Whether a receive races is not known, as it is not known what another one took."));

  private static final String NO_RACE =
      "No receive or probe of this run could have got another message";

  private static final String ONE_ORDER =
      ", so every run on this input takes the same order (Netzer and Miller 1992, Theorem 1), as "
          + "far as it was recorded.";

  private static final String BUT_POLLS =
      " But it polled: if what it does depends on when a poll succeeds, or on which request is "
          + "reported first, another run may take another order.";

  private static final String BUT_NOTES =
      " But what the notes name may be otherwise in another run, and with it the order.";

  private static final String CLEAR_TO_ITS_END =
      "No receive or probe of this run could have got another of the messages that were sent. But "
          + "the run ended before all ranks came to MPI_Finalize: a message that was still to be sent "
          + "may be taken instead in another run.";

  private static final String CLEAR_OF_THREADS =
      NO_RACE + ", as long as the threads of each rank take turns as they did.";

  private final RecordedRun run;
  private final RunEvents sites;
  private final EventGraph graph;
  private final EventTable events;

  RaceReport(RecordedRun run, RunEvents sites, EventGraph graph) {
    this.run = run;
    this.sites = sites;
    this.graph = graph;
    this.events = graph.events();
  }

  /** What findings are called, for a file of suppressions. */
  static List<String> rules() {
    return RULES.values().stream().map(Rule::id).sorted().toList();
  }

  Report of(List<Finding> findings) {
    List<String> notes = notes();
    return new Report(
        run.directory().name(),
        findings.stream().map(this::finding).toList(),
        0,
        notes,
        clear(notes));
  }

  /** What it means that nothing was found. */
  private Report.Clear clear(List<String> notes) {
    if (has(Wire.Flag.MANY_THREADS)) {
      return new Report.Clear(false, CLEAR_OF_THREADS);
    }
    if (!CutOff.ranks(run).isEmpty()) {
      return new Report.Clear(false, CLEAR_TO_ITS_END);
    }
    String buts = (polled() ? BUT_POLLS : "") + (notes.isEmpty() ? "" : BUT_NOTES);
    return new Report.Clear(buts.isEmpty(), NO_RACE + (buts.isEmpty() ? ONE_ORDER : "." + buts));
  }

  /** Whether something was left to when a call came, which no race of messages tells of. */
  private boolean polled() {
    for (int event = 0; event < events.size(); event++) {
      if (events.kind(event) == EventKind.POLLS || events.is(event, EventFlag.POLL)) {
        return true;
      }
    }
    return false;
  }

  private boolean has(Wire.Flag flag) {
    return run.headers().values().stream().anyMatch(header -> header.has(flag));
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (Notice notice : graph.notices()) {
      notes.add(words(notice, events));
    }
    List<Rank> missing = new ArrayList<>();
    for (int rank = 0; rank < run.ranks(); rank++) {
      if (!sites.ranks().contains(new Rank(rank))) {
        missing.add(new Rank(rank));
      }
    }
    if (!missing.isEmpty()) {
      notes.add("there are no events of " + list(missing.stream().map(Rank::number).toList()));
    }
    notes.addAll(CutOff.sends(run));
    CallTable calls = CallTable.ofInterposer();
    List<String> refused = calls.made(run, CallTable.Call::isRefused);
    if (!refused.isEmpty()) {
      notes.add("not recorded, so it may not repeat: " + String.join(", ", refused));
    }
    List<String> passed = calls.made(run, CallTable.Call::isPassed);
    if (!passed.isEmpty()) {
      notes.add("what these calls order is not followed: " + String.join(", ", passed));
    }
    if (has(Wire.Flag.MANY_THREADS)) {
      notes.add(
          "several threads of a rank called MPI; their calls are taken in the order in which they "
              + "returned, which may be another in the next run");
    }
    return notes;
  }

  /** What limits what can be said of a run. */
  static String words(Notice notice, EventTable events) {
    return "%s, such as event %d of rank %d"
        .formatted(
            notice.counted(), events.number(notice.example()), events.rank(notice.example()));
  }

  private org.reprise.findings.Finding finding(Finding found) {
    Finding.Example example = found.example();
    boolean uncertain = found.kind() == Finding.Kind.UNCERTAIN;
    boolean receives = found.kind() == Finding.Kind.RECEIVE || uncertain;
    int receive = example.receive();
    List<Passage> passages = new ArrayList<>();
    passages.add(
        new Passage(
            "This %s on rank %d, %s"
                .formatted(
                    receives ? "receive" : "probe",
                    events.rank(receive),
                    uncertain
                        ? call(receive) + ", may or may not race:"
                        : call(receive)
                            + ", "
                            + (receives ? "took" : "saw")
                            + " a message from rank "
                            + events.rank(example.took())
                            + message(example.took())
                            + ":"),
            stack(receive)));
    if (example.completion() != EventTable.NONE && example.completion() != receive) {
      passages.add(
          new Passage(
              "It was completed by " + call(example.completion()) + ":",
              stack(example.completion())));
    }
    if (example.took() != EventTable.NONE) {
      passages.add(
          new Passage(
              "Rank " + events.rank(example.took()) + " sent it by " + call(example.took()) + ":",
              stack(example.took())));
    }
    if (example.couldTake() != EventTable.NONE) {
      passages.add(
          new Passage(
              "It could have %s a message from rank %d instead%s, sent by %s:"
                  .formatted(
                      receives ? "taken" : "seen",
                      events.rank(example.couldTake()),
                      message(example.couldTake()),
                      call(example.couldTake())),
              stack(example.couldTake())));
    }
    return new org.reprise.findings.Finding(
        RULES.getOrDefault(found.kind(), new Rule("race", "race", "")),
        found.count(),
        passages,
        remarks(found));
  }

  private static List<String> remarks(Finding found) {
    List<String> remarks = new ArrayList<>();
    remarks.add("On " + list(found.ranks()) + ".");
    if (found.alternatives() > 0) {
      String other = Words.count(found.alternatives(), "other message");
      boolean probes = found.kind() == Finding.Kind.PROBE || found.kind() == Finding.Kind.POLL;
      String calls = probes ? "probes" : "receives";
      remarks.add(
          found.count() == 1
              ? "It could have got %s instead; a replay %s force it."
                  .formatted(other, found.controlled() == 1 ? "must" : "need not")
              : "Together these %d %s could have got %s instead; a replay must force %d of the %s, in %s."
                  .formatted(
                      found.count(),
                      calls,
                      other,
                      found.controlled(),
                      calls,
                      Words.count(found.blocks(), "block")));
    }
    if (found.unreceived()) {
      remarks.add("Nobody received one of the other messages.");
    }
    return remarks;
  }

  static String list(List<Integer> ranks) {
    int shown = 8;
    String numbers =
        ranks.stream().limit(shown).map(String::valueOf).collect(Collectors.joining(", "));
    return (ranks.size() == 1 ? "rank " : "ranks ")
        + numbers
        + (ranks.size() > shown ? " and " + (ranks.size() - shown) + " more" : "");
  }

  private String call(int event) {
    return "MPI_"
        + EventText.callName(run.description().callNames(), events.call(event))
        + " (event "
        + events.number(event)
        + ")";
  }

  /** Tag and size of a message, by its send. */
  private String message(int send) {
    EventKind kind = events.kind(send);
    return kind.isSend()
        ? " (tag " + events.tag(send) + ", " + Words.bytes(events.bytes(send)) + ")"
        : "";
  }

  private List<Location> stack(int event) {
    return sites.stack(new Rank(events.rank(event)), events.site(event)).stream()
        .map(RaceReport::location)
        .toList();
  }

  private static Location location(Place place) {
    return new Location(place.function(), place.file(), place.line(), place.module());
  }
}
