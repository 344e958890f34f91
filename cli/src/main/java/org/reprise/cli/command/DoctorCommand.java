package org.reprise.cli.command;

import java.util.List;
import java.util.concurrent.Callable;
import org.reprise.cli.checkup.Checkup;
import org.reprise.cli.option.Format;
import org.reprise.cli.terminal.Json;
import org.reprise.cli.terminal.Session;
import org.reprise.cli.terminal.Terminal;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Option;
import tools.jackson.core.JsonGenerator;

/** {@code reprise doctor}: what Reprise needs, what it found, and how to get the rest. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Says what Reprise needs and how to get what is missing.",
      "Exit status 1 means that nothing can be recorded on this machine as it is."
    },
    footerHeading = "%nExample:%n",
    footer = "  reprise doctor")
public final class DoctorCommand implements Callable<Integer> {
  private static final int CANNOT_RECORD = 1;

  private final Session session;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "How to print: ${COMPLETION-CANDIDATES}.")
  private Format format = Format.TEXT;

  public DoctorCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    List<Checkup.Item> findings = new Checkup(session).findings();
    boolean records = findings.stream().noneMatch(f -> f.status() == Checkup.Status.FAILED);
    switch (format) {
      case JSON -> Json.print(session.terminal().out(), json -> write(json, findings, records));
      case TEXT -> print(findings, records);
    }
    return records ? 0 : CANNOT_RECORD;
  }

  private void print(List<Checkup.Item> findings, boolean records) {
    Terminal terminal = session.terminal();
    for (Checkup.Item finding : findings) {
      String status = "%-7s".formatted(Words.word(finding.status()));
      String coloured =
          switch (finding.status()) {
            case OK -> terminal.out(Style.fg_green, status);
            case MISSING -> terminal.out(Style.fg_yellow, status);
            case FAILED -> terminal.out(Style.fg_red, status);
          };
      String found = finding.found().replace("\n", "\n" + " ".repeat(25));
      terminal.out().println(coloured + "  %-14s  ".formatted(finding.name()) + found);
      if (!finding.fix().isEmpty()) {
        terminal.out().println(" ".repeat(25) + finding.fix());
      }
    }
    terminal.out().println();
    terminal
        .out()
        .println(
            records
                ? "Programs can be recorded and replayed here."
                : "Nothing can be recorded here before what failed is put right.");
  }

  private static void write(JsonGenerator json, List<Checkup.Item> findings, boolean records) {
    json.writeStartObject();
    json.writeBooleanProperty("records", records);
    json.writeArrayPropertyStart("findings");
    for (Checkup.Item finding : findings) {
      json.writeStartObject();
      json.writeStringProperty("name", finding.name());
      json.writeStringProperty("status", Words.word(finding.status()));
      json.writeStringProperty("found", finding.found());
      if (!finding.fix().isEmpty()) {
        json.writeStringProperty("fix", finding.fix());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
