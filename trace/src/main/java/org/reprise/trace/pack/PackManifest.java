package org.reprise.trace.pack;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.reprise.trace.TraceError;
import org.reprise.trace.text.JsonObject;
import org.reprise.trace.text.JsonText;
import tools.jackson.core.JsonGenerator;

/**
 * What a packed run says of itself before anything else: which files it has, and which builds of
 * the program and its libraries were recorded.
 *
 * @param reprise the version that packed it
 * @param name the run's name where it was packed
 * @param program the recorded executable, if it is known and could be read
 * @param libraries what it loads before it begins, as the loader found it where the run was packed
 * @param files what follows, in this order
 */
public record PackManifest(
    String reprise, String name, Optional<Build> program, List<Build> libraries, List<File> files) {
  static final int FORMAT = 1;

  /** The build id, in hexadecimal, or nothing if the linker gave none. */
  private static final Pattern BUILD_ID = Pattern.compile("([0-9a-f]{2}){0,64}");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_+][A-Za-z0-9._+-]{0,220}");
  private static final int LIBRARIES_MAX = 10_000;

  /** Two for each of as many ranks as a run can have, and more. */
  private static final int FILES_MAX = 1 << 20;

  public PackManifest {
    libraries = List.copyOf(libraries);
    files = List.copyOf(files);
  }

  /** A file with code in it, and which build of it. */
  public record Build(String path, String buildId) {}

  /** A file of the run. */
  public record File(String name, long bytes) {}

  /** What all files take together. */
  public long bytes() {
    return files.stream().mapToLong(File::bytes).sum();
  }

  byte[] toJson() {
    return (JsonText.indented(this::write) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private void write(JsonGenerator json) {
    json.writeStartObject();
    json.writeNumberProperty("format", FORMAT);
    json.writeStringProperty("reprise", reprise);
    json.writeStringProperty("name", name);
    program.ifPresent(
        build -> {
          json.writeName("program");
          write(json, build);
        });
    json.writeArrayPropertyStart("libraries");
    libraries.forEach(build -> write(json, build));
    json.writeEndArray();
    json.writeArrayPropertyStart("files");
    for (File file : files) {
      json.writeStartObject();
      json.writeStringProperty("name", file.name);
      json.writeNumberProperty("bytes", file.bytes);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Build build) {
    json.writeStartObject();
    json.writeStringProperty("path", build.path);
    json.writeStringProperty("buildId", build.buildId);
    json.writeEndObject();
  }

  /**
   * Reads a manifest that somebody else wrote.
   *
   * @param archive what it is part of, for errors
   */
  static PackManifest parse(Path archive, byte[] content) {
    JsonObject json = JsonObject.parse(archive, content);
    long format = json.number("format");
    if (format != FORMAT) {
      throw new TraceError(
          archive + " was packed in format " + format + "; this Reprise reads " + FORMAT,
          "packed by Reprise " + json.line("reprise"),
          "use the Reprise that packed it");
    }
    List<Build> libraries = json.objects("libraries").stream().map(PackManifest::build).toList();
    List<File> files = json.objects("files").stream().map(PackManifest::file).toList();
    String name = json.line("name");
    if (!NAME.matcher(name).matches()) {
      throw json.wrong("name");
    }
    boolean repeated = files.stream().map(File::name).distinct().count() != files.size();
    if (libraries.size() > LIBRARIES_MAX || files.size() > FILES_MAX || repeated) {
      throw json.wrong(libraries.size() > LIBRARIES_MAX ? "libraries" : "files");
    }
    return new PackManifest(
        json.line("reprise"),
        name,
        json.optionalObject("program").map(PackManifest::build),
        libraries,
        files);
  }

  private static Build build(JsonObject json) {
    String id = json.string("buildId");
    if (!BUILD_ID.matcher(id).matches()) {
      throw json.wrong("buildId");
    }
    return new Build(json.line("path"), id);
  }

  private static File file(JsonObject json) {
    String name = json.string("name");
    if (!RunArchive.isPacked(name)) {
      throw json.wrong("name");
    }
    // No sum of so many of these is too large for a long.
    return new File(name, json.number("bytes", 0, 1L << 42));
  }
}
