package org.reprise.anomaly.agent.detect.library;

import java.io.Closeable;
import java.io.File;
import java.io.InputStream;
import java.io.StreamTokenizer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.detect.history.IdentityTable;
import org.reprise.anomaly.agent.detect.history.Kind;

/** Which files, or which other streams, are read and written through the streams of the library. */
public final class OpenFiles {
  /** Ends the name of a folder where it stands for the names in it. */
  private static final String NAMES_IN = "/*";

  /** The same of all folders below it. */
  private static final String NAMES_BELOW = "/**";

  private static final Set<String> LISTING = Set.of("list", "listFiles", "newDirectoryStream");

  private static final Set<String> WALKING = Set.of("walk", "walkFileTree", "find");

  /** What a stream for both directions does when it reads; all else writes. */
  private static final List<String> READING =
      List.of("read", "seek", "skip", "length", "get", "close");

  private final IdentityTable<Object, OpenFile> files = new IdentityTable<>();
  private final IdentityTable<Object, Object> roots = new IdentityTable<>();

  /** A file that a stream has open; the mark is on what is done through that stream. */
  public record OpenFile(String path, Object mark) {
    OpenFile(String path) {
      this(path, new StreamMark());
    }
  }

  /** Stands among locks for a stream: it is none. */
  static final class StreamMark {}

  /** Whether the call, as its site says it, returned a new stream. */
  public static boolean opens(String call) {
    return call.contains("<init>") || call.startsWith("java/nio/file/Files.");
  }

  /** A stream was made: of a file's name, or around another stream. */
  public void opened(Object stream, Object of) {
    String path = path(of);
    if (path != null) {
      files.put(stream, new OpenFile(path));
    } else {
      roots.put(stream, root(of));
    }
  }

  /** The stream that reads or writes in the end. */
  public Object root(Object stream) {
    Object root = isStream(stream) ? roots.get(stream) : null;
    return root == null ? stream : root;
  }

  /** The file of a root; null if it has none. */
  public @Nullable OpenFile file(Object root) {
    return isStream(root) ? files.get(root) : null;
  }

  /** Most objects are none, and not looked up: text is put together in hot loops. */
  private static boolean isStream(Object object) {
    return object instanceof Closeable || object instanceof StreamTokenizer;
  }

  /** What a call of a stream does to its file. */
  public static Kind effect(Object root, String method) {
    String type = root.getClass().getName();
    boolean isBoth = type.equals("java.io.RandomAccessFile");
    boolean reads =
        isBoth
            ? READING.stream().anyMatch(method::startsWith)
            : root instanceof InputStream
                || root instanceof Readable
                || type.equals("java.util.Scanner");
    return reads ? Kind.READ : Kind.WRITE;
  }

  /** How a file is told from others; null for what names none. */
  public static @Nullable String path(Object named) {
    try {
      if (named instanceof Path path) {
        return path.toAbsolutePath().normalize().toString();
      }
      if (named instanceof File file) {
        return path(file.toPath());
      }
      return named instanceof String text ? path(Path.of(text)) : null;
    } catch (InvalidPathException e) {
      return null; // no file has this name, and the call will say so
    }
  }

  /** The folders' names that a call looks at; empty for one that looks at none. */
  public static List<String> listed(String path, String method) {
    String name = Effect.name(method);
    if (LISTING.contains(name)) {
      return List.of(path + NAMES_IN);
    }
    return WALKING.contains(name) ? List.of(path + NAMES_BELOW) : List.of();
  }

  /** The folders' names in which a file's name appears or vanishes. */
  public static List<String> naming(String path) {
    List<String> names = new ArrayList<>();
    Path folder = Path.of(path).getParent();
    if (folder != null) {
      names.add(folder + NAMES_IN);
    }
    while (folder != null) {
      names.add(folder + NAMES_BELOW);
      folder = folder.getParent();
    }
    return names;
  }
}
