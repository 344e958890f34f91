package org.reprise.bench;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Rows as a table, one line each as soon as it is known, or as one JSON value at the end. */
final class Report {
  private final PrintWriter out;

  Report(PrintWriter out) {
    this.out = out;
  }

  void titles() {
    println("mpi", "what", "side", "median", "quartiles", "best", "plain [s]", "target", "");
  }

  void row(Row row) {
    println(
        row.mpi(),
        row.name(),
        row.side(),
        number(row.spread().median(), row.unit()) + unit(row.unit()),
        number(row.spread().lower(), row.unit())
            + " to "
            + number(row.spread().upper(), row.unit()),
        row.least().isPresent() ? number(row.least().getAsDouble(), row.unit()) : "",
        row.plain().isPresent() ? number(row.plain().getAsDouble(), Row.Unit.SECONDS) : "",
        row.target().isPresent() ? number(row.target().getAsDouble(), row.unit()) : "",
        row.target().isEmpty() ? "" : row.met() ? "met" : "missed");
  }

  private void println(Object... texts) {
    String line = String.format("%-8s %-23s %-10s %10s  %-19s %8s %9s %8s  %s", texts);
    out.println(line.stripTrailing());
    out.flush();
  }

  void noise(Machine machine, int repeats) {
    OptionalDouble waited = machine.waited();
    out.printf(
        Locale.ROOT,
        "%d repeats on %d processors; load %s; some process waited for a processor %s of the time%n",
        repeats,
        Machine.processors(),
        Machine.load(),
        waited.isPresent()
            ? String.format(Locale.ROOT, "%.0f %%", 100 * waited.getAsDouble())
            : "an unknown part");
    out.flush();
  }

  private static String unit(Row.Unit unit) {
    return switch (unit) {
      case RATIO -> " x";
      case BYTES -> " B";
      case SECONDS -> " s";
    };
  }

  private static String number(double value, Row.Unit unit) {
    return String.format(Locale.ROOT, unit == Row.Unit.BYTES ? "%.4f" : "%.3f", value);
  }

  void json(List<Row> rows, List<Mpi> mpis, Machine machine, int repeats) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeNumberProperty("repeats", repeats);
      json.writeNumberProperty("processors", Machine.processors());
      json.writeStringProperty("load", Machine.load());
      OptionalDouble waited = machine.waited();
      if (waited.isPresent()) {
        json.writeNumberProperty("waited", waited.getAsDouble());
      }
      json.writeObjectPropertyStart("mpis");
      mpis.forEach(mpi -> json.writeStringProperty(mpi.name(), mpi.version()));
      json.writeEndObject();
      json.writeArrayPropertyStart("rows");
      rows.forEach(row -> write(json, row));
      json.writeEndArray();
      json.writeEndObject();
    }
    out.println(text);
    out.flush();
  }

  private static void write(JsonGenerator json, Row row) {
    json.writeStartObject();
    json.writeStringProperty("mpi", row.mpi());
    json.writeStringProperty("name", row.name());
    json.writeStringProperty("side", row.side());
    json.writeStringProperty("unit", row.unit().name().toLowerCase(Locale.ROOT));
    json.writeNumberProperty("median", row.spread().median());
    json.writeNumberProperty("lowerQuartile", row.spread().lower());
    json.writeNumberProperty("upperQuartile", row.spread().upper());
    json.writeNumberProperty("count", row.spread().count());
    row.least().ifPresent(least -> json.writeNumberProperty("best", least));
    row.plain().ifPresent(plain -> json.writeNumberProperty("plainSeconds", plain));
    row.target()
        .ifPresent(
            target -> {
              json.writeNumberProperty("target", target);
              json.writeBooleanProperty("met", row.met());
            });
    json.writeEndObject();
  }
}
