package org.reprise.viewer.export;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.reprise.trace.UserError;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.page.SelfContainedPage;
import org.reprise.viewer.picture.RunPicture;

/** The formats that a run can be written in, for other tools and other people. */
public enum ExportFormat {
  /** Perfetto's protobuf. */
  PERFETTO(Integer.MAX_VALUE),
  /** Chrome's JSON, which many tools read. */
  CHROME(Integer.MAX_VALUE),
  SHIVIZ(20_000),
  /** The page of {@code reprise view} in one file. */
  HTML(SelfContainedPage.EVENTS_MAX),
  SVG(SelfContainedPage.EVENTS_MAX),
  DOT(SelfContainedPage.EVENTS_MAX),
  /** A directory for Vampir and Scalasca, by a library of the system. */
  OTF2(Integer.MAX_VALUE);

  private final int eventsMax;

  ExportFormat(int eventsMax) {
    this.eventsMax = eventsMax;
  }

  /** As many events as its reader can deal with. */
  public int eventsMax() {
    return eventsMax;
  }

  /** Whether it is text that a terminal can show. */
  public boolean isText() {
    return this != PERFETTO && this != OTF2;
  }

  /** Whether it is many files in a directory rather than one. */
  public boolean isDirectory() {
    return this == OTF2;
  }

  /** Writes a run into a directory, which is made unless it is there and empty. */
  public void write(ViewedRun run, Path directory) {
    if (!isDirectory()) {
      throw new IllegalArgumentException(this + " is one file");
    }
    requireEmpty(directory);
    Otf2Archive.write(new RunPicture(run), directory);
  }

  private static void requireEmpty(Path directory) {
    String[] files = directory.toFile().list();
    if (Files.exists(directory) && (files == null || files.length > 0)) {
      throw new UserError(
          "an archive needs a directory of its own",
          directory + (files == null ? " is none" : ", which is not empty"),
          "name another one with -o");
    }
  }

  /** Writes a run that is not too large into one file. */
  public void write(ViewedRun run, OutputStream out) throws IOException {
    int size = run.graph().events().size();
    if (size > eventsMax) {
      throw new UserError(
          "the run is too large for " + this,
          size + " events, where " + eventsMax + " are the most",
          "take perfetto or chrome, or look at it with reprise view");
    }
    RunPicture picture = new RunPicture(run);
    switch (this) {
      case PERFETTO -> PerfettoTrace.write(picture, out);
      case CHROME -> ChromeTrace.write(picture, out);
      case SHIVIZ -> ShivizLog.write(run, out);
      case HTML -> out.write(SelfContainedPage.of(run).getBytes(StandardCharsets.UTF_8));
      case SVG -> SvgPicture.write(picture, out);
      case DOT -> DotGraph.write(picture, out);
      case OTF2 -> throw new IllegalArgumentException(this + " is a directory");
    }
    out.flush();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
