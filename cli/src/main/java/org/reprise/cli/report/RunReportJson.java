package org.reprise.cli.report;

import org.reprise.cli.report.RunReport.RankReport;
import org.reprise.cli.terminal.EndingText;
import org.reprise.cli.terminal.Json;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.text.Words;
import tools.jackson.core.JsonGenerator;

/** A {@link RunReport} for scripts. */
public final class RunReportJson {
  public static void write(JsonGenerator json, RunReport report) {
    RunDescription run = report.description();
    json.writeStartObject();
    json.writeStringProperty("name", report.run().name());
    json.writeStringProperty("path", report.run().path().toString());
    Json.strings(json, "command", run.command());
    json.writeStringProperty("directory", run.directory());
    run.program()
        .ifPresent(
            program -> {
              json.writeObjectPropertyStart("program");
              json.writeStringProperty("path", program.path());
              json.writeStringProperty("sha256", program.sha256());
              json.writeNumberProperty("size", program.size());
              json.writeEndObject();
            });
    json.writeObjectPropertyStart("mpi");
    json.writeStringProperty("family", run.mpi().family().toString());
    json.writeStringProperty("version", run.mpi().version());
    json.writeStringProperty("mpicc", run.mpi().mpicc());
    json.writeEndObject();
    Json.strings(json, "hosts", report.hosts());
    json.writeStringProperty("started", run.started().toString());
    run.ended().ifPresent(end -> json.writeStringProperty("finished", end.toString()));
    json.writeStringProperty(
        "ended", report.recording() ? "recording" : EndingText.brief(run.ending()));
    if (run.ending() instanceof Ending.Exited(int code)) {
      json.writeNumberProperty("exit", code);
    }
    if (run.ending() instanceof Ending.Killed(int signal)) {
      json.writeNumberProperty("signal", signal);
    }
    json.writeBooleanProperty("inputs", run.inputs());
    json.writeBooleanProperty("stdin", run.stdinKept());
    run.distilledFrom().ifPresent(from -> json.writeStringProperty("distilledFrom", from));
    run.parent().ifPresent(parent -> json.writeStringProperty("parent", parent));
    run.change().ifPresent(change -> change.write(json, "change"));
    run.jitterSeed().ifPresent(seed -> json.writeNumberProperty("jitter", seed));
    json.writeNumberProperty("bytes", report.bytesOnDisk());
    json.writeStringProperty("reprise", run.repriseVersion());
    report
        .trouble()
        .ifPresent(
            error -> json.writeStringProperty("trouble", error.cause() + ": " + error.found()));
    json.writeArrayPropertyStart("ranks");
    report.ranks().forEach(rank -> write(json, rank));
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, RankReport rank) {
    json.writeStartObject();
    json.writeNumberProperty("rank", rank.rank().number());
    json.writeStringProperty("state", rank.state());
    rank.exit().ifPresent(code -> json.writeNumberProperty("exit", code));
    json.writeStringProperty("host", rank.header().host());
    json.writeNumberProperty("receives", rank.summary().receives());
    json.writeNumberProperty("wildcardReceives", rank.summary().wildcardReceives());
    json.writeNumberProperty("failedPolls", rank.summary().failedPolls());
    json.writeNumberProperty("bytes", rank.summary().bytes());
    json.writeObjectPropertyStart("calls");
    rank.calls().forEach(json::writeNumberProperty);
    json.writeEndObject();
    json.writeObjectPropertyStart("outcomes");
    rank.outcomes().forEach((kind, number) -> json.writeNumberProperty(Words.word(kind), number));
    json.writeEndObject();
    json.writeEndObject();
  }

  private RunReportJson() {}
}
