package org.reprise.launch.mpi;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.reprise.launch.run.RunConditions;
import org.reprise.launch.run.WhenFull;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RunDirectory;

/** What the interposer in the ranks is to do, as the environment variables of {@link Wire}. */
final class RankVariables {
  /** What a rank writes while the reader pauses, and a garbage collection is under way. */
  private static final int RING_BYTES = 4 << 20;

  private final Map<String, String> variables = new HashMap<>();

  private RankVariables(Wire.Mode mode, RunDirectory into) {
    variables.put(Wire.ENV_MODE, mode.word());
    variables.put(Wire.ENV_RUN, into.path().toString());
  }

  static RankVariables recording(RunDirectory into) {
    return new RankVariables(Wire.Mode.RECORD, into);
  }

  /** Outcomes are forced as the plan has them: of a whole run, or of a part of one. */
  static RankVariables forcing(Wire.Mode mode, RunDirectory plan, RunDirectory into) {
    return new RankVariables(mode, into).with(Wire.ENV_PLAN, plan.path().toString());
  }

  RankVariables with(String name, String value) {
    variables.put(name, value);
    return this;
  }

  RankVariables jitter(OptionalLong seed) {
    seed.ifPresent(number -> with(Wire.ENV_JITTER, Long.toString(number)));
    return this;
  }

  /** Whether clocks, random sources and the like belong to the run. */
  RankVariables inputs(boolean kept) {
    return kept ? this : with(Wire.ENV_INPUTS, "off");
  }

  /** Events are written, with so many frames of the stack each. */
  RankVariables events(OptionalInt frames) {
    frames.ifPresent(number -> with(Wire.ENV_EVENTS, Integer.toString(number)));
    return this;
  }

  /** Events go through a ring of so many bytes to whoever takes them, and are not kept. */
  RankVariables live(WhenFull whenFull) {
    return with(Wire.ENV_LIVE, whenFull.name().toLowerCase(Locale.ROOT) + ":" + RING_BYTES);
  }

  /** Ranks say what they wait for, so that a deadlock is recognised. */
  RankVariables watched(RunConditions conditions) {
    if (conditions.endsAtRest()) {
      with(Wire.ENV_REST, RunConditions.REST_SECONDS);
    }
    if (conditions.pollsTold() > 0) {
      with(Wire.ENV_POLLS, Integer.toString(conditions.pollsTold()));
    }
    return with(Wire.ENV_WATCH, "on");
  }

  Map<String, String> all() {
    return variables;
  }
}
