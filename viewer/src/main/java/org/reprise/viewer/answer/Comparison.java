package org.reprise.viewer.answer;

import java.util.ArrayList;
import java.util.List;
import org.reprise.causality.Divergences;
import org.reprise.trace.UserError;
import org.reprise.viewer.ViewedRun;
import tools.jackson.core.JsonGenerator;

/**
 * Two runs of a program beside each other. By logical order a call stands where all that had to
 * happen before it puts it, so what both runs did alike stands at the same place in both pictures,
 * up to the first difference of each rank.
 */
public final class Comparison {
  private final ViewedRun first;
  private final ViewedRun second;
  private final List<Divergences.Divergence> differences;

  public Comparison(ViewedRun first, ViewedRun second) {
    this.first = first;
    this.second = second;
    int ranks = first.graph().events().ranks();
    int others = second.graph().events().ranks();
    if (ranks != others) {
      throw new UserError(
          "runs of different numbers of ranks cannot be compared",
          "%s has %d, %s has %d".formatted(first.name(), ranks, second.name(), others),
          "name two runs of the same program on as many ranks (reprise ls)");
    }
    differences = Divergences.between(first.graph(), second.graph(), false);
  }

  /** Where a run differs from the other: one event a rank, at most. */
  record Difference(int event, boolean original) {}

  /** Answers about the first run, with its differences. */
  public Answers ofFirst() {
    List<Difference> own = new ArrayList<>();
    for (Divergences.Divergence one : differences) {
      own.add(new Difference(one.first(), one.original()));
    }
    return new Answers(first, own);
  }

  /** Answers about the second run, with its differences. */
  public Answers ofSecond() {
    List<Difference> own = new ArrayList<>();
    for (Divergences.Divergence one : differences) {
      own.add(new Difference(one.second(), one.original()));
    }
    return new Answers(second, own);
  }

  /** What differs, where it began first. */
  public Answers.Answer answer(Answers left, Answers right) {
    return Answers.json(
            json -> {
              json.writeStartObject();
              json.writeStringProperty("a", first.name());
              json.writeStringProperty("b", second.name());
              json.writeNumberProperty("ranks", first.graph().events().ranks());
              json.writeArrayPropertyStart("differences");
              for (Divergences.Divergence one : differences) {
                json.writeStartObject();
                json.writeNumberProperty("rank", one.rank());
                json.writeBooleanProperty("original", one.original());
                event(json, "a", left, one.first());
                event(json, "b", right, one.second());
                json.writeEndObject();
              }
              json.writeEndArray();
              json.writeEndObject();
            })
        .orElseThrow();
  }

  private static void event(JsonGenerator json, String name, Answers answers, int event) {
    if (event >= 0) {
      json.writeName(name);
      answers.summary(json, event);
    }
  }
}
