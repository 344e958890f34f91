package org.reprise.trace.pack;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RunFile;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.text.PlainText;

/**
 * A run as one file: a zip file that begins with {@code pack.json}, the {@link PackManifest}, after
 * which come the files that it names, in its order, and nothing else. It is read as a stream, so
 * that a pipe will do, and believed in nothing: of a file that somebody sent, only what could be a
 * run's file is written, never more than was announced.
 */
public final class RunArchive {
  private static final String MANIFEST = "pack.json";

  /** The recorded executable itself, if it was packed. */
  public static final String PROGRAM = "program";

  private static final String ENDS_EARLY = "it ends early";
  private static final int MANIFEST_BYTES_MAX = 64 << 20;

  /** What is worth sending: no seal, no replay under way, nothing that an analysis finds again. */
  private static final Pattern PACKED =
      Pattern.compile(
          "run\\.json|stdin|events\\.json|"
              + PROGRAM
              + "|rank-(0|[1-9][0-9]{0,8})\\.(order|inputs|events|sites|tail)");

  private static final Pattern EVENTS = Pattern.compile("events\\.json|.*\\.(events|sites|tail)");

  static boolean isPacked(String name) {
    return PACKED.matcher(name).matches();
  }

  /** The files of a run that are packed. */
  public static List<PackManifest.File> files(RunDirectory run, boolean withEvents) {
    Predicate<String> wanted =
        name -> isPacked(name) && (withEvents || !EVENTS.matcher(name).matches());
    List<PackManifest.File> files = new ArrayList<>();
    try (Stream<Path> entries = Files.list(run.path())) {
      for (Path entry : (Iterable<Path>) entries::iterator) {
        String name = String.valueOf(entry.getFileName());
        if (wanted.test(name) && !name.equals(PROGRAM)) {
          files.add(new PackManifest.File(name, RunFile.size(entry)));
        }
      }
    } catch (IOException e) {
      throw TraceError.unreadable(run.path(), e);
    }
    files.sort(Comparator.comparing(PackManifest.File::name));
    return files;
  }

  /**
   * Writes a run.
   *
   * @param program the executable, if the manifest names it among the files
   * @param progress gets how many bytes of the run have been packed
   */
  public static void write(
      RunDirectory run,
      PackManifest manifest,
      Optional<Path> program,
      OutputStream out,
      LongConsumer progress)
      throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.setLevel(Deflater.DEFAULT_COMPRESSION);
    zip.putNextEntry(new ZipEntry(MANIFEST));
    zip.write(manifest.toJson());
    zip.closeEntry();
    long written = 0;
    for (PackManifest.File file : manifest.files()) {
      zip.putNextEntry(new ZipEntry(file.name()));
      Path from =
          file.name().equals(PROGRAM) ? program.orElseThrow() : run.path().resolve(file.name());
      try (InputStream in =
          file.name().equals(PROGRAM) ? Files.newInputStream(from) : RunFile.stream(from)) {
        copy(in, zip, file.bytes(), from);
      }
      zip.closeEntry();
      written += file.bytes();
      progress.accept(written);
    }
    zip.finish();
  }

  private static void copy(InputStream in, OutputStream out, long bytes, Path from)
      throws IOException {
    byte[] buffer = new byte[64 * 1024];
    for (long left = bytes; left > 0; ) {
      int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (count < 0) {
        throw new EOFException(from + " is shorter than it was");
      }
      out.write(buffer, 0, count);
      left -= count;
    }
  }

  /** A packed run of which the manifest has been read. */
  public static final class Reader implements AutoCloseable {
    private final Path archive;
    private final ZipInputStream zip;
    private final PackManifest manifest;

    private Reader(Path archive, ZipInputStream zip, PackManifest manifest) {
      this.archive = archive;
      this.zip = zip;
      this.manifest = manifest;
    }

    public PackManifest manifest() {
      return manifest;
    }

    /** Writes all files of the run into an empty directory. */
    public void extract(Path into, LongConsumer progress) throws IOException {
      try {
        extractAll(into, progress);
      } catch (EOFException e) {
        throw damaged(archive, ENDS_EARLY);
      } catch (ZipException e) {
        throw damaged(archive, PlainText.line(String.valueOf(e.getMessage())));
      }
    }

    private void extractAll(Path into, LongConsumer progress) throws IOException {
      long written = 0;
      for (PackManifest.File file : manifest.files()) {
        require(
            file.name().equals(next(archive, zip)), "files other than it says at its beginning");
        try (OutputStream out =
            Files.newOutputStream(PrivateFiles.createFile(into.resolve(file.name())))) {
          copy(zip, out, file.bytes(), archive);
        }
        require(zip.read() < 0, file.name() + " is longer than it says at its beginning");
        written += file.bytes();
        progress.accept(written);
      }
      require(next(archive, zip) == null, "more files than it says at its beginning");
    }

    private void require(boolean condition, String found) {
      if (!condition) {
        throw damaged(archive, found);
      }
    }

    @Override
    public void close() throws IOException {
      zip.close();
    }
  }

  /**
   * Begins to read a packed run.
   *
   * @param archive its name, for errors
   */
  public static Reader open(Path archive, InputStream in) throws IOException {
    ZipInputStream zip = new ZipInputStream(in);
    if (!MANIFEST.equals(next(archive, zip))) {
      throw new TraceError(
          archive + " is not a packed run",
          "it does not begin with " + MANIFEST,
          "give a file that reprise pack has made");
    }
    byte[] content;
    try {
      content = zip.readNBytes(MANIFEST_BYTES_MAX + 1);
    } catch (ZipException | EOFException e) {
      throw damaged(archive, ENDS_EARLY);
    }
    if (content.length > MANIFEST_BYTES_MAX) {
      throw damaged(archive, MANIFEST + " has more than " + MANIFEST_BYTES_MAX + " bytes");
    }
    return new Reader(archive, zip, PackManifest.parse(archive, content));
  }

  /** The name of the next entry; null behind the last. */
  private static @Nullable String next(Path archive, ZipInputStream zip) throws IOException {
    try {
      ZipEntry entry = zip.getNextEntry();
      return entry == null ? null : entry.getName();
    } catch (EOFException e) {
      throw damaged(archive, ENDS_EARLY);
    } catch (ZipException | IllegalArgumentException e) {
      throw damaged(archive, PlainText.line(String.valueOf(e.getMessage())));
    }
  }

  /** Something about a packed run that is not as it was packed. */
  public static TraceError damaged(Path archive, String found) {
    return new TraceError(
        archive + " is damaged", found, "ask for it again; nothing of it was kept");
  }

  private RunArchive() {}
}
