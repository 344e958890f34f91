package org.reprise.cli.option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.reprise.cli.terminal.Session;
import org.reprise.trace.UserError;
import picocli.CommandLine.Option;

/** In which form findings are printed, and where: the same for all commands that find something. */
public final class ReportOptions {
  /** For people, for scripts, for code review, for a browser. */
  public enum Format {
    TEXT,
    JSON,
    SARIF,
    HTML;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "How to print: text, json, sarif or html.")
  private Format format = Format.TEXT;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the report to this file instead.")
  private Optional<Path> output = Optional.empty();

  public Format format() {
    return format;
  }

  public boolean toFile() {
    return output.isPresent();
  }

  /** Writes to the file that is named, or else to standard output. */
  public void write(String text, Session session) {
    if (output.isEmpty()) {
      session.terminal().out().print(text);
      session.terminal().out().flush();
      return;
    }
    try {
      Files.writeString(session.resolve(output.get()), text);
    } catch (IOException e) {
      throw new UserError(
          "the report cannot be written",
          String.valueOf(e.getMessage()),
          "give another file with -o, or none for standard output");
    }
  }

  /** Of the tool, as SARIF names it. */
  public static String version() {
    String version = ReportOptions.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
