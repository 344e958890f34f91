package org.reprise.trace.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.RunFile;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.text.JsonObject;
import org.reprise.trace.text.JsonText;
import org.reprise.trace.text.PlainText;
import tools.jackson.core.JsonGenerator;

/** {@code run.json}: a {@link RunDescription} as text, for people, scripts and later Reprises. */
final class RunJson {
  /** A description of a hundred thousand ranks has less. */
  private static final int BYTES_MAX = 64 * 1024 * 1024;

  private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");
  private static final Pattern CALL_NAME = Pattern.compile("[A-Za-z0-9_]{1,100}");

  static byte[] write(RunDescription run) {
    return (JsonText.indented(json -> describe(json, run)) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static void describe(JsonGenerator json, RunDescription run) {
    json.writeStartObject();
    json.writeNumberProperty("format", RunDescription.FORMAT);
    json.writeStringProperty("reprise", run.repriseVersion());
    json.writeNumberProperty("wire", run.wireVersion());
    json.writeStringProperty("name", run.name());
    strings(json, "command", run.command());
    json.writeStringProperty("directory", run.directory());
    run.program().ifPresent(program -> program(json, program));
    json.writeObjectPropertyStart("mpi");
    json.writeStringProperty("family", run.mpi().family().name());
    json.writeStringProperty("version", run.mpi().version());
    json.writeStringProperty("mpicc", run.mpi().mpicc());
    json.writeEndObject();
    json.writeNumberProperty("ranks", run.ranks());
    strings(json, "hosts", run.hosts());
    json.writeObjectPropertyStart("environment");
    run.environment().forEach(json::writeStringProperty);
    json.writeEndObject();
    json.writeBooleanProperty("inputs", run.inputs());
    run.jitterSeed().ifPresent(seed -> json.writeNumberProperty("jitterSeed", seed));
    json.writeBooleanProperty("stdinKept", run.stdinKept());
    run.stdinBytes().ifPresent(bytes -> json.writeNumberProperty("stdinBytes", bytes));
    json.writeStringProperty("started", run.started().toString());
    run.ended().ifPresent(when -> json.writeStringProperty("ended", when.toString()));
    ending(json, run.ending());
    json.writeArrayPropertyStart("rankEnds");
    run.rankEnds().forEach(end -> rankEnd(json, end));
    json.writeEndArray();
    json.writeObjectPropertyStart("recorder");
    json.writeNumberProperty("pid", run.recorder().pid());
    json.writeStringProperty("host", run.recorder().host());
    json.writeStringProperty("started", run.recorder().started().toString());
    json.writeEndObject();
    run.distilledFrom().ifPresent(from -> json.writeStringProperty("distilledFrom", from));
    run.parent().ifPresent(parent -> json.writeStringProperty("parent", parent));
    run.change().ifPresent(change -> change.write(json, "change"));
    if (run.automatic()) {
      json.writeBooleanProperty("automatic", true);
    }
    strings(json, "callNames", run.callNames());
    json.writeEndObject();
  }

  private static void strings(JsonGenerator json, String name, List<String> values) {
    json.writeArrayPropertyStart(name);
    values.forEach(json::writeString);
    json.writeEndArray();
  }

  private static void program(JsonGenerator json, RunDescription.Program program) {
    json.writeObjectPropertyStart("program");
    json.writeStringProperty("path", program.path());
    json.writeStringProperty("sha256", program.sha256());
    json.writeNumberProperty("size", program.size());
    json.writeEndObject();
  }

  private static void ending(JsonGenerator json, Ending ending) {
    json.writeObjectPropertyStart("ending");
    switch (ending) {
      case Ending.Exited(int code) -> json.writeNumberProperty("exited", code);
      case Ending.Killed(int signal) -> json.writeNumberProperty("killed", signal);
      case Ending.Interrupted(int status) -> json.writeNumberProperty("interrupted", status);
      case Ending.Unfinished() -> json.writeBooleanProperty("unfinished", true);
    }
    json.writeEndObject();
  }

  private static void rankEnd(JsonGenerator json, RunDescription.RankEnd end) {
    json.writeStartObject();
    json.writeNumberProperty("rank", end.rank().number());
    json.writeStringProperty("state", end.state().name());
    end.exitCode().ifPresent(code -> json.writeNumberProperty("exitCode", code));
    json.writeStringProperty("host", end.host());
    json.writeEndObject();
  }

  static RunDescription read(Path file) {
    JsonObject json = JsonObject.parse(file, content(file));
    long format = json.number("format");
    if (format != RunDescription.FORMAT) {
      throw new TraceError(
          file
              + " was written in run format "
              + format
              + "; this Reprise reads "
              + RunDescription.FORMAT,
          json.has("reprise")
              ? "written by Reprise " + json.string("reprise")
              : "run format " + format,
          "use the Reprise that recorded it, or record again");
    }
    try {
      return description(json);
    } catch (IllegalArgumentException e) {
      throw new TraceError(
          file + " is damaged", String.valueOf(e.getMessage()), TraceError.RECORD_AGAIN);
    }
  }

  static byte[] content(Path file) {
    try (InputStream stream = RunFile.stream(file)) {
      // Asked before reading: a file of holes takes long to read and says nothing.
      if (RunFile.size(file) > BYTES_MAX) {
        throw new TraceError(
            file + " is damaged", "more than " + BYTES_MAX + " bytes", TraceError.RECORD_AGAIN);
      }
      return stream.readNBytes(BYTES_MAX);
    } catch (IOException e) {
      throw RunFile.unreadable(file, e);
    }
  }

  private static RunDescription description(JsonObject json) {
    JsonObject mpi = json.object("mpi");
    JsonObject recorder = json.object("recorder");
    return new RunDescription(
        json.line("reprise"),
        json.integer("wire"),
        json.line("name"),
        json.strings("command"),
        json.parsed("directory", RunJson::absolute),
        json.optionalObject("program").map(RunJson::program),
        new RunDescription.Mpi(
            mpi.parsed("family", MpiFamily::valueOf),
            mpi.line("version"),
            mpi.parsed("mpicc", RunJson::path)),
        json.integer("ranks", 0, OrderReader.SOURCES_MAX),
        json.strings("hosts").stream().map(PlainText::line).toList(),
        new TreeMap<>(json.stringMap("environment")),
        json.flag("inputs"),
        json.has("jitterSeed") ? OptionalLong.of(json.number("jitterSeed")) : OptionalLong.empty(),
        json.flag("stdinKept"),
        json.has("stdinBytes")
            ? OptionalLong.of(json.number("stdinBytes", 0, Long.MAX_VALUE))
            : OptionalLong.empty(),
        callNames(json),
        json.parsed("started", RunJson::instant),
        json.has("ended") ? Optional.of(json.parsed("ended", RunJson::instant)) : Optional.empty(),
        ending(json),
        rankEnds(json),
        new RunDescription.RecorderProcess(
            recorder.number("pid"),
            recorder.line("host"),
            recorder.parsed("started", RunJson::instant)),
        json.has("distilledFrom") ? Optional.of(json.line("distilledFrom")) : Optional.empty(),
        json.has("parent") ? Optional.of(json.line("parent")) : Optional.empty(),
        json.optionalObject("change").map(RunJson::change),
        json.has("automatic") && json.flag("automatic"));
  }

  /** A path that this system can have; relative ones would mean another place for each reader. */
  private static String absolute(String text) {
    if (!Path.of(text).isAbsolute()) {
      throw new IllegalArgumentException("a relative path");
    }
    return text;
  }

  private static String path(String text) {
    return Path.of(text).toString();
  }

  /** A moment that clocks have shown: others cannot be printed or subtracted. */
  private static Instant instant(String text) {
    Instant moment = Instant.parse(text);
    if (moment.isBefore(Instant.EPOCH) || moment.isAfter(LATEST)) {
      throw new IllegalArgumentException("no moment of a recording");
    }
    return moment;
  }

  private static List<String> callNames(JsonObject json) {
    List<String> names = json.strings("callNames");
    if (names.size() > Wire.CALLS_MAX || !names.stream().allMatch(CALL_NAME.asMatchPredicate())) {
      throw json.wrong("callNames");
    }
    return names;
  }

  private static List<RunDescription.RankEnd> rankEnds(JsonObject json) {
    List<RunDescription.RankEnd> ends =
        json.objects("rankEnds").stream().map(RunJson::rankEnd).toList();
    if (ends.stream().map(RunDescription.RankEnd::rank).distinct().count() != ends.size()) {
      throw json.wrong("rankEnds");
    }
    return ends;
  }

  private static RunDescription.Change change(JsonObject json) {
    return new RunDescription.Change(
        json.line("words"), json.objects("choices").stream().map(RunJson::choice).toList());
  }

  private static RunDescription.Choice choice(JsonObject json) {
    return new RunDescription.Choice(
        rank(json, "rank"),
        json.number("event", 0, Long.MAX_VALUE),
        json.has("took") ? Optional.of(rank(json, "took")) : Optional.empty(),
        rank(json, "takes"));
  }

  private static Rank rank(JsonObject json, String field) {
    return new Rank(json.integer(field, 0, OrderReader.SOURCES_MAX));
  }

  private static RunDescription.Program program(JsonObject json) {
    return new RunDescription.Program(
        json.parsed("path", RunJson::path),
        json.line("sha256"),
        json.number("size", 0, Long.MAX_VALUE));
  }

  private static Ending ending(JsonObject json) {
    JsonObject ending = json.object("ending");
    if (ending.has("exited")) {
      return new Ending.Exited(ending.integer("exited"));
    }
    if (ending.has("killed")) {
      return new Ending.Killed(ending.integer("killed"));
    }
    if (ending.has("interrupted")) {
      return new Ending.Interrupted(ending.integer("interrupted"));
    }
    if (ending.has("unfinished")) {
      return new Ending.Unfinished();
    }
    throw json.wrong("ending");
  }

  private static RunDescription.RankEnd rankEnd(JsonObject json) {
    return new RunDescription.RankEnd(
        rank(json, "rank"),
        json.parsed("state", Wire.State::valueOf),
        json.has("exitCode") ? OptionalInt.of(json.integer("exitCode")) : OptionalInt.empty(),
        json.line("host"));
  }

  private RunJson() {}
}
