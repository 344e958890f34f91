package org.reprise.analysis;

import java.util.ArrayList;
import java.util.List;
import org.reprise.causality.EventTable;
import org.reprise.causality.races.RacingSite;
import org.reprise.findings.Finding;
import org.reprise.findings.Passage;
import org.reprise.findings.Report;
import org.reprise.findings.Rule;
import org.reprise.findings.Suppressions;
import org.reprise.trace.Location;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.text.Words;

/** Puts the races of a run into words. */
final class RaceReport {
  private final RecordedRun run;
  private final RunEvents sites;
  private final EventTable events;
  private final Claims claims;

  RaceReport(RunRaces races) {
    run = races.run();
    sites = races.events();
    events = races.graph().events();
    claims = races.claims();
  }

  Report of(List<RacingSite> sites, Suppressions intended) {
    List<Finding> all = sites.stream().map(this::finding).toList();
    List<Finding> shown = all.stream().filter(finding -> !intended.cover(finding)).toList();
    int suppressed = all.size() - shown.size();
    List<String> notes = new ArrayList<>(claims.notes());
    notes.addAll(intended.unmatched(all));
    return new Report(
        run.directory().name(), shown, suppressed, notes, claims.ofRaces(shown.size(), suppressed));
  }

  private Finding finding(RacingSite found) {
    RacingSite.Example example = found.example();
    boolean uncertain = found.kind() == RacingSite.Kind.UNCERTAIN;
    boolean receives = found.kind() == RacingSite.Kind.RECEIVE || uncertain;
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
    return new Finding(rule(found.kind()), found.count(), passages, remarks(found));
  }

  private static Rule rule(RacingSite.Kind kind) {
    return switch (kind) {
      case RECEIVE -> Rule.MESSAGE_RACE;
      case PROBE -> Rule.PROBE_RACE;
      case POLL -> Rule.POLL_RACE;
      case UNCERTAIN -> Rule.UNCERTAIN_RACE;
    };
  }

  private List<String> remarks(RacingSite found) {
    List<String> remarks = new ArrayList<>();
    remarks.add("On " + Words.ranks(found.ranks()) + ".");
    if (found.alternatives() > 0) {
      String other = Words.count(found.alternatives(), "other message");
      boolean probes =
          found.kind() == RacingSite.Kind.PROBE || found.kind() == RacingSite.Kind.POLL;
      String calls = probes ? "probes" : "receives";
      boolean least = claims.allow(Claims.Claim.CONTROL_SET);
      if (found.count() > 1) {
        remarks.add(
            "Together these %d %s could have got %s instead; a replay must force %s%d of the %s, in %s."
                .formatted(
                    found.count(),
                    calls,
                    other,
                    least ? "" : "at least ",
                    found.controlled(),
                    calls,
                    Words.count(found.blocks(), "block")));
      } else if (least || found.controlled() == 1) {
        remarks.add(
            "It could have got %s instead; a replay %s force it."
                .formatted(other, found.controlled() == 1 ? "must" : "need not"));
      } else {
        remarks.add("It could have got " + other + " instead.");
      }
    }
    if (found.unreceived()) {
      remarks.add("Nobody received one of the other messages.");
    }
    return remarks;
  }

  private String call(int event) {
    return sites.call(events, event)
        + " (event "
        + events.number(event)
        + ")"
        + sites.stack(events, event).throughText();
  }

  /** Tag and size of a message, by its send. */
  private String message(int send) {
    EventKind kind = events.kind(send);
    return kind.isSend()
        ? " (tag " + events.tag(send) + ", " + Words.bytes(events.bytes(send)) + ")"
        : "";
  }

  private List<Location> stack(int event) {
    return sites.stack(events, event).places();
  }
}
