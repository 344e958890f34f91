package org.reprise.analysis;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Notice;
import org.reprise.findings.Report;
import org.reprise.launch.embedded.EnumerationReport;
import org.reprise.launch.interposer.CallTable;
import org.reprise.launch.verdict.RecordingGap;
import org.reprise.trace.Rank;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.file.Wire;
import org.reprise.trace.inputs.InputsReader;
import org.reprise.trace.run.EventsManifest;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.text.Words;

/**
 * What one run allows to say about every run of its program. Such a sentence holds under
 * preconditions; they are listed here, checked here, and the sentence is made here, so that no
 * report claims more than another. Where a precondition fails, the sentence is withheld and the
 * reason given in its place. What a checked run says about every schedule is in {@link
 * org.reprise.anomaly.report.AnomalyText#summary}, since the agent has to say it alone.
 */
public final class Claims {
  /** What is claimed. */
  public enum Claim {
    /** Netzer and Miller (1992), Theorem 1: without a race there is one order. */
    ONE_ORDER,
    /** The control set is what a replay must force, and no smaller set suffices. */
    CONTROL_SET,
    /** Calls that the graph does not order are not ordered. */
    NO_OTHER_ORDER
  }

  /** What must hold, and which claims fail if it does not. */
  public enum Precondition {
    /** The events are known to be those of this recording, to its end. */
    EVENTS_WHOLE(EnumSet.allOf(Claim.class)),
    /** The program that made the events is the recorded one. */
    SAME_PROGRAM(EnumSet.allOf(Claim.class)),
    /** Every rank of the job left a recording. */
    RANKS_RECORDED(EnumSet.allOf(Claim.class)),
    /** Every rank came to MPI_Finalize: no message was still to be sent. */
    RANKS_ENDED(EnumSet.of(Claim.ONE_ORDER, Claim.CONTROL_SET)),
    /** Every message came from a rank that was recorded. */
    SENDERS_RECORDED(EnumSet.allOf(Claim.class)),
    /** No call was made whose outcome depends on timing and is not recorded. */
    CALLS_RECORDED(EnumSet.allOf(Claim.class)),
    /** No call was made that may order others in a way that is not followed. */
    CALLS_FOLLOWED(EnumSet.allOf(Claim.class)),
    /** One thread of each rank called MPI. */
    ONE_THREAD(EnumSet.allOf(Claim.class)),
    /** Nothing is missing because a disk was full. */
    RECORDED_TO_THE_END(EnumSet.allOf(Claim.class)),
    /** Every message that was received has its send among the events. */
    SENDS_RECORDED(EnumSet.allOf(Claim.class)),
    /** It is known which receive took which message. */
    MESSAGES_PAIRED(EnumSet.allOf(Claim.class)),
    /** No cancel depended on when a message came; a replay forces how each ended. */
    NOTHING_CANCELLED(EnumSet.of(Claim.ONE_ORDER)),
    /** No call could have returned without its event; a replay forces when each did. */
    NOTHING_POLLED(EnumSet.of(Claim.ONE_ORDER));

    private final Set<Claim> needed;

    Precondition(Set<Claim> needed) {
      this.needed = needed;
    }
  }

  /**
   * A precondition that does not hold.
   *
   * @param reason as the end of "because ..."
   * @param note the same as a sentence of its own, if it needs one
   */
  record Doubt(Precondition precondition, String reason, Optional<String> note) {}

  private static final String NO_RACE =
      "No receive or probe of this run could have got another message";

  private static final String ONE_ORDER =
      ", so every run on this input%s takes the same order (Netzer and Miller 1992, Theorem 1), as"
          + " far as it was recorded.";

  private static final String WITH_THE_SAME_INPUTS =
      " that reads the same from clocks and random sources";

  private static final String NO_CLAIM =
      "No recorded receive or probe could have got another of the recorded messages. Nothing is"
          + " claimed about other runs, because ";

  private static final int RANKS_SHOWN = 8;

  private final RecordedRun run;
  private final EventGraph graph;
  private final List<Doubt> doubts = new ArrayList<>();

  private Claims(RecordedRun run, RunEvents events, EventGraph graph) {
    this.run = run;
    this.graph = graph;
    checkEvents(events);
    checkGaps();
    checkEnds();
    checkCalls();
    checkThreads();
    checkNotices();
    checkPolls();
  }

  public static Claims of(RecordedRun run, RunEvents events, EventGraph graph) {
    return new Claims(run, events, graph);
  }

  /**
   * Why the executions of an enumeration are not known to be all that there are, as the end of "so
   * far: ..."; empty if they are.
   */
  public static List<String> reasonsForMore(EnumerationReport enumeration) {
    List<String> reasons = new ArrayList<>();
    if (!enumeration.complete()) {
      reasons.add(
          enumeration.interrupted().isPresent()
              ? "stopped by Ctrl-C, there may be more executions"
              : "stopped by --max, --time or --stop-at-first, there may be more executions");
    }
    if (enumeration.heldPolls()) {
      reasons.add("polls that fail again and again were tried a few times only, see --help");
    }
    return reasons;
  }

  /** Whether a claim may be made. */
  public boolean allow(Claim claim) {
    return doubts(claim).isEmpty();
  }

  /** Whether a precondition holds. */
  public boolean hold(Precondition precondition) {
    return doubts.stream().noneMatch(doubt -> doubt.precondition == precondition);
  }

  private List<Doubt> doubts(Claim claim) {
    return doubts.stream().filter(doubt -> doubt.precondition.needed.contains(claim)).toList();
  }

  /** Why a claim is withheld, each as the end of "because ...". */
  public List<String> reasons(Claim claim) {
    return doubts(claim).stream().map(Doubt::reason).distinct().toList();
  }

  /** The same as a sentence; empty if the claim may be made. */
  public Optional<String> withheld(Claim claim) {
    List<String> reasons = reasons(claim);
    return reasons.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", reasons));
  }

  /** What limits what is said of this run, a sentence each. */
  public List<String> notes() {
    return doubts.stream().flatMap(doubt -> doubt.note.stream()).distinct().toList();
  }

  /** The same as far as it concerns one claim. */
  public List<String> notes(Claim claim) {
    return doubts(claim).stream().flatMap(doubt -> doubt.note.stream()).distinct().toList();
  }

  /** What is said of a run with so many findings, and what it means if there are none. */
  public Report.Verdict ofRaces(int found, int suppressed) {
    List<String> reasons = reasons(Claim.ONE_ORDER);
    if (found > 0) {
      return new Report.Verdict("races", Words.count(found, "finding"), reasons);
    }
    if (suppressed > 0) {
      return new Report.Verdict("races", "nothing found besides what is suppressed.", reasons);
    }
    return reasons.isEmpty()
        ? new Report.Verdict(
            "one-order",
            "nothing found. "
                + NO_RACE
                + ONE_ORDER.formatted(readsInputs() ? WITH_THE_SAME_INPUTS : ""),
            reasons)
        : new Report.Verdict(
            "open", "nothing found. " + NO_CLAIM + String.join("; ", reasons) + ".", reasons);
  }

  /** Whether it read clocks or random sources, or might have: another run reads others. */
  private boolean readsInputs() {
    if (!run.description().inputs() || !run.withoutInputs().isEmpty()) {
      return true;
    }
    for (Rank rank : run.ranksPresent()) {
      try (InputsReader inputs = run.directory().openInputs(rank).orElse(null)) {
        if (inputs != null && inputs.hasNext()) {
          return true;
        }
      }
    }
    return false;
  }

  private void doubt(Precondition precondition, String reason, String note) {
    doubts.add(new Doubt(precondition, reason, Optional.of(note)));
  }

  private void checkEvents(RunEvents events) {
    Optional<EventsManifest> manifest = events.manifest();
    EventsManifest.Origin origin =
        manifest.map(EventsManifest::origin).orElse(EventsManifest.Origin.INTERRUPTED);
    if (!origin.isWhole()) {
      doubt(
          Precondition.EVENTS_WHOLE,
          "the events are not whole",
          "the replay that was to show the events "
              + switch (origin) {
                case DIVERGED -> "left the recorded order";
                case STUCK -> "got stuck";
                case ENDED_EARLY -> "ended before the recording does";
                default -> "was interrupted";
              }
              + "; they are those up to there: "
              + ends(run.ranksPresent()));
    }
    for (EventsManifest.End end : EventsManifest.End.values()) {
      List<Rank> ranks = manifest.map(known -> known.ranks(end)).orElse(List.of());
      if (end != EventsManifest.End.WHOLE && origin.isWhole() && !ranks.isEmpty()) {
        doubt(
            Precondition.EVENTS_WHOLE,
            "the events are not whole",
            "events of %s are missing: %s"
                .formatted(
                    list(ranks),
                    end == EventsManifest.End.CUT_SHORT
                        ? "their file could not be written to the end"
                        : "the end of the replayed job came sooner than in the recording"));
      }
    }
    if (manifest.isPresent() && origin != EventsManifest.Origin.RECORDED) {
      checkProgram(manifest.flatMap(EventsManifest::program));
    }
  }

  /** The program that a replay ran may have been built again since, or not be found any more. */
  private void checkProgram(Optional<String> learned) {
    Optional<String> recorded = run.description().program().map(RunDescription.Program::sha256);
    if (recorded.isEmpty() || learned.isEmpty()) {
      doubt(
          Precondition.SAME_PROGRAM,
          "it is not known whether the program is the recorded one",
          "the file of the program was not found, so it cannot be compared with the recorded one");
    } else if (!recorded.equals(learned)) {
      doubt(
          Precondition.SAME_PROGRAM,
          "the program is not the recorded one",
          "the events were learned with another program than the recorded one");
    }
  }

  private void checkGaps() {
    for (RecordingGap gap : RecordingGap.of(run)) {
      switch (gap.kind()) {
        case RANKS ->
            doubt(
                Precondition.RANKS_RECORDED,
                "there is no recording of " + gap.what(),
                gap.sentence());
        case PROCESSES ->
            doubt(Precondition.SENDERS_RECORDED, gap.what() + " were not recorded", gap.sentence());
        case CALLS -> doubt(Precondition.CALLS_RECORDED, "it called " + gap.what(), gap.sentence());
        case THREADS -> doubt(Precondition.ONE_THREAD, "threads took turns", gap.sentence());
        case REST -> doubt(Precondition.RECORDED_TO_THE_END, "a disk was full", gap.sentence());
        case INPUTS -> {
          // The sentence itself says that it holds for what was read from these.
        }
      }
    }
  }

  private void checkEnds() {
    List<Rank> cutOff = CutOff.ranks(run);
    if (!cutOff.isEmpty()) {
      doubts.add(
          new Doubt(
              Precondition.RANKS_ENDED,
              "the run ended before all ranks came to MPI_Finalize, and what was still to be sent"
                  + " is not known",
              Optional.of(
                  "%s did not come to MPI_Finalize: %s".formatted(list(cutOff), ends(cutOff)))));
      CutOff.sends(run)
          .forEach(
              note -> doubt(Precondition.RANKS_ENDED, reasonOf(Precondition.RANKS_ENDED), note));
    }
  }

  private String reasonOf(Precondition precondition) {
    return doubts.stream()
        .filter(doubt -> doubt.precondition == precondition)
        .map(Doubt::reason)
        .findFirst()
        .orElse("");
  }

  private void checkCalls() {
    List<String> passed = CallTable.ofInterposer().made(run, CallTable.Call::isPassed);
    if (!passed.isEmpty()) {
      String calls = String.join(", ", passed);
      doubt(
          Precondition.CALLS_FOLLOWED,
          "it called " + calls,
          "what these calls order is not followed: " + calls);
    }
  }

  private void checkThreads() {
    if (run.headers().values().stream().anyMatch(header -> header.has(Wire.Flag.MANY_THREADS))) {
      doubt(
          Precondition.ONE_THREAD,
          "threads of a rank may take other turns",
          "several threads of a rank called MPI; their calls are taken in the order in which they "
              + "returned, which may be another in the next run");
    }
  }

  private void checkNotices() {
    for (Notice notice : graph.notices()) {
      Precondition failed =
          switch (notice.kind()) {
            case SENDS_CANCELLED, RECEIVES_CANCELLED -> Precondition.NOTHING_CANCELLED;
            case SEND_MISSING -> Precondition.SENDS_RECORDED;
            case PAIRING_AMBIGUOUS, OVERTAKING_ALLOWED, CONTRADICTION ->
                Precondition.MESSAGES_PAIRED;
          };
      doubt(failed, "there is " + notice.counted(), words(notice, graph.events()));
    }
  }

  private void checkPolls() {
    EventTable events = graph.events();
    for (int event = 0; event < events.size(); event++) {
      if (events.kind(event) == EventKind.POLLS || events.is(event, EventFlag.POLL)) {
        doubts.add(
            new Doubt(
                Precondition.NOTHING_POLLED,
                "it polled: what it does may depend on when a poll succeeds, or on which request"
                    + " is reported first",
                Optional.empty()));
        return;
      }
    }
  }

  /** What limits what can be said of a run. */
  private static String words(Notice notice, EventTable events) {
    return "%s, such as event %d of rank %d"
        .formatted(
            notice.counted(), events.number(notice.example()), events.rank(notice.example()));
  }

  /** Where the events of ranks end. */
  private String ends(List<Rank> ranks) {
    String some =
        ranks.stream().limit(RANKS_SHOWN).map(this::end).collect(Collectors.joining(", "));
    return some + (ranks.size() > RANKS_SHOWN ? " and so on" : "");
  }

  private String end(Rank rank) {
    int events = graph.events().size(rank.number());
    return rank + " ends after " + Words.count(events, "event");
  }

  private static String list(List<Rank> ranks) {
    return Words.ranks(ranks.stream().map(Rank::number).collect(Collectors.toList()));
  }
}
