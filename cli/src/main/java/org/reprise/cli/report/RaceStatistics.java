package org.reprise.cli.report;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.reprise.analysis.Claims;
import org.reprise.causality.races.Statistics;
import org.reprise.cli.terminal.Json;

/** How much of a run is open, and how the papers' ways of tracing compare on it. */
public final class RaceStatistics {
  public static void text(Statistics stats, Claims claims, PrintWriter out) {
    long messages = stats.receives();
    out.println("messages sent                        " + number(stats.messages()));
    out.println("  received                           " + number(stats.receives()));
    out.println("receives and probes from any source  " + number(stats.wildcards()));
    out.println("racing receives                      " + share(stats.racingReceives(), messages));
    out.println("racing probes                        " + share(stats.racingProbes(), messages));
    if (stats.uncertain() > 0) {
      out.println("uncertain                            " + share(stats.uncertain(), messages));
    }
    out.println("failed polls                         " + number(stats.polls()));
    out.println("completions chosen by a poll         " + number(stats.chosen()));
    out.println();
    out.println("what must be recorded, by way of tracing");
    out.println("  control set                        " + share(stats.controlSet(), messages));
    out.println("    as blocks of one source          " + share(stats.controlBlocks(), messages));
    out.println("  Netzer and Miller 1992, as printed " + share(stats.laterPrinted(), messages));
    out.println(
        "    without overtaking               " + share(stats.laterNoOvertaking(), messages));
    out.println("  Clémençon et al. 1995, as printed  " + share(stats.earlierPrinted(), messages));
    out.println(
        "    corrected                        " + share(stats.earlierCorrected(), messages));
    out.println("  least vertex cover of the races    " + share(stats.leastCover(), messages));
    out.println("    at least (maximal matching)      " + share(stats.matching(), messages));
    claims
        .withheld(Claims.Claim.CONTROL_SET)
        .ifPresent(
            why -> out.println("counted is what was recorded; more may be open, because " + why));
  }

  public static void json(Statistics stats, Claims claims, PrintWriter out) {
    Map<String, OptionalLong> numbers = new LinkedHashMap<>();
    numbers.put("messages", OptionalLong.of(stats.messages()));
    numbers.put("unreceived", OptionalLong.of(stats.unreceived()));
    numbers.put("receives", OptionalLong.of(stats.receives()));
    numbers.put("anySource", OptionalLong.of(stats.wildcards()));
    numbers.put("racingReceives", OptionalLong.of(stats.racingReceives()));
    numbers.put("racingProbes", OptionalLong.of(stats.racingProbes()));
    numbers.put("uncertain", OptionalLong.of(stats.uncertain()));
    numbers.put("controlSet", OptionalLong.of(stats.controlSet()));
    numbers.put("controlBlocks", OptionalLong.of(stats.controlBlocks()));
    numbers.put("polls", OptionalLong.of(stats.polls()));
    numbers.put("chosen", OptionalLong.of(stats.chosen()));
    numbers.put("laterPrinted", OptionalLong.of(stats.laterPrinted()));
    numbers.put("laterNoOvertaking", stats.laterNoOvertaking());
    numbers.put("earlierPrinted", stats.earlierPrinted());
    numbers.put("earlierCorrected", stats.earlierCorrected());
    numbers.put("matching", stats.matching());
    numbers.put("leastCover", stats.leastCover());
    Json.print(
        out,
        json -> {
          json.writeStartObject();
          numbers.forEach(
              (name, value) -> value.ifPresent(known -> json.writeNumberProperty(name, known)));
          Json.strings(json, "withheld", claims.reasons(Claims.Claim.CONTROL_SET));
          json.writeEndObject();
        });
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%10d", value);
  }

  /** With its share of the messages that were received. */
  private static String share(long value, long of) {
    return number(value)
        + (of == 0 ? "" : String.format(Locale.ROOT, "  %6.2f %%", 100.0 * value / of));
  }

  private static String share(OptionalLong value, long of) {
    return value.isPresent() ? share(value.getAsLong(), of) : "   too long to compute";
  }

  private RaceStatistics() {}
}
