package org.reprise.anomaly.agent.instrument.program;

import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Which calls of the library name files, or make an object through which one is read or written: a
 * file is one variable, by whatever objects it is reached.
 */
public final class FileCalls {
  /** Classes whose constructors open the file that a text names. */
  private static final Set<String> OPENED_BY_NAME =
      Set.of(
          "java/io/FileInputStream",
          "java/io/FileOutputStream",
          "java/io/FileReader",
          "java/io/FileWriter",
          "java/io/PrintStream",
          "java/io/PrintWriter",
          "java/io/RandomAccessFile",
          "java/util/Formatter",
          "java/util/jar/JarFile",
          "java/util/zip/ZipFile");

  private static final String STRING = "Ljava/lang/String;";

  private static final List<String> NAMES = List.of("Ljava/io/File;", "Ljava/nio/file/Path;");

  /** What names files, and does nothing to them. */
  private static final Set<String> NAMING =
      Set.of("java/io/File", "java/nio/file/Path", "java/nio/file/Paths", "java/net/URI");

  /** Methods of {@code File} that look at its name only. */
  private static final Set<String> OF_THE_NAME =
      Set.of(
          "<init>",
          "compareTo",
          "equals",
          "getAbsoluteFile",
          "getAbsolutePath",
          "getName",
          "getParent",
          "getParentFile",
          "getPath",
          "hashCode",
          "isAbsolute",
          "toPath",
          "toString",
          "toURI",
          "toURL");

  private static final List<String> STREAMS =
      List.of(
          "Ljava/io/InputStream;",
          "Ljava/io/OutputStream;",
          "Ljava/io/Reader;",
          "Ljava/io/Writer;",
          "Ljava/io/PrintStream;",
          "Ljava/io/PrintWriter;",
          "Ljava/lang/Readable;",
          "Ljava/lang/Appendable;");

  private static final Set<String> COLLECTIONS =
      Set.of(
          "Ljava/lang/CharSequence;",
          "Ljava/lang/Iterable;",
          "Ljava/lang/StringBuffer;",
          "Ljava/lang/StringBuilder;",
          "Ljava/util/Collection;",
          "Ljava/util/List;",
          "Ljava/util/Map;",
          "Ljava/util/Set;",
          "Ljava/util/SortedMap;",
          "Ljava/util/SortedSet;");

  /** What keeps what it is given, or is looked at elsewhere. */
  private static final Set<String> KEEPING =
      Set.of("java/lang/System", "java/util/Collections", "java/util/regex/Pattern");

  private FileCalls() {}

  /** Whether the object that the constructor makes reads or writes what it is given first. */
  public static boolean opens(MethodInsnNode call) {
    if (!call.name.equals("<init>") || !isOfStreams(call.owner)) {
      return false;
    }
    String first = first(call);
    return NAMES.contains(first)
        || (first.equals(STRING) && OPENED_BY_NAME.contains(call.owner))
        || isStream(first);
  }

  /** Whether the constructor is given another stream, rather than a file's name. */
  public static boolean wraps(MethodInsnNode call) {
    return isStream(first(call));
  }

  private static String first(MethodInsnNode call) {
    Type[] types = Type.getArgumentTypes(call.desc);
    return types.length == 0 ? "" : types[0].getDescriptor();
  }

  private static boolean isStream(String type) {
    return STREAMS.contains(type)
        || (type.startsWith("Ljava/io/")
            && !type.startsWith("Ljava/io/Piped")
            && (type.endsWith("Stream;") || type.endsWith("Reader;") || type.endsWith("Writer;")));
  }

  private static boolean isOfStreams(String owner) {
    return (owner.startsWith("java/io/")
            && !owner.equals("java/io/File")
            && !owner.startsWith("java/io/Piped"))
        || owner.startsWith("java/util/zip/")
        || owner.startsWith("java/util/jar/")
        || owner.startsWith("javax/crypto/")
        || owner.startsWith("java/security/Digest")
        || owner.equals("java/util/Scanner")
        || owner.equals("java/util/Formatter");
  }

  /** Whether the object that the constructor makes only reads the file that it is given. */
  public static boolean onlyReads(String owner) {
    return owner.endsWith("InputStream")
        || owner.endsWith("Reader")
        || owner.endsWith("/Scanner")
        || owner.endsWith("/RandomAccessFile") // until it is written
        || owner.endsWith("/ZipFile")
        || owner.endsWith("/JarFile");
  }

  /** Whether the argument of this type, of a call that opens nothing, names a file. */
  public static boolean isName(Type type) {
    return NAMES.contains(type.getDescriptor());
  }

  /** Whether the call does something to the files that are among its arguments. */
  public static boolean isGivenFiles(MethodInsnNode call) {
    boolean isRename = call.owner.equals("java/io/File") && call.name.equals("renameTo");
    return (isRename
            || (Scope.isLibrary(call.owner.replace('/', '.'))
                && (call.owner.equals("java/nio/file/Files") || !NAMING.contains(call.owner))))
        && !call.name.startsWith("createTemp")
        && List.of(Type.getArgumentTypes(call.desc)).stream().anyMatch(FileCalls::isName);
  }

  /** Whether the call does something to the file that its receiver names. */
  public static boolean isOnNamed(MethodInsnNode call) {
    return call.owner.equals("java/io/File")
        && call.getOpcode() != Opcodes.INVOKESTATIC
        && !OF_THE_NAME.contains(call.name);
  }

  /** Whether the call returns an object through which the file is read or written. */
  public static boolean returnsStream(MethodInsnNode call) {
    return call.owner.equals("java/nio/file/Files")
        && isStream(Type.getReturnType(call.desc).getDescriptor());
  }

  /** Whether the call reads or writes streams or collections that it is given. */
  public static boolean isGivenOthers(MethodInsnNode call) {
    return Scope.isLibrary(call.owner.replace('/', '.'))
        && !KEEPING.contains(call.owner)
        && !LibraryCalls.drains(call)
        && List.of(Type.getArgumentTypes(call.desc)).stream()
            .anyMatch(type -> isGivenStream(call, type) || isGivenCollection(call, type));
  }

  /** A constructor keeps its stream, and {@link #opens} says so. */
  public static boolean isGivenStream(MethodInsnNode call, Type type) {
    return !call.name.equals("<init>") && isStream(type.getDescriptor());
  }

  /** Whether the call goes through the argument, if that is a collection. */
  public static boolean isGivenCollection(MethodInsnNode call, Type type) {
    return COLLECTIONS.contains(type.getDescriptor())
        || (type.getDescriptor().equals("Ljava/lang/Object;") && looksInto(call));
  }

  /** Whether the call looks into whatever objects it is given: to compare, print or write them. */
  private static boolean looksInto(MethodInsnNode call) {
    return LibraryCalls.makesText(call)
        || (call.owner.startsWith("java/util/") && call.name.equals("equals"))
        || (call.owner.equals("java/util/Objects") && call.name.equals("toString"))
        || (call.owner.equals("java/lang/IO") && call.name.startsWith("print"))
        || call.name.equals("writeObject");
  }
}
