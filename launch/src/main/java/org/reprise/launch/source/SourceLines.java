package org.reprise.launch.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.reprise.launch.process.ElfFile;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.process.ToolRun;
import org.reprise.trace.Location;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.file.PrivateFiles;

/**
 * Finds the source lines of call sites. Debug information is read by {@code addr2line}, one process
 * for all addresses of a module; without any, {@code nm} gives the function and the offset in it.
 *
 * <p>Where the compiler has put a function into its caller, one address has several places: the
 * function's own line, and then the lines at which it was put into its callers.
 *
 * <p>A program that was built again since has other addresses: its build id tells, and then nothing
 * is looked up in it.
 */
public final class SourceLines {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int ADDRESSES_AT_ONCE = 1000;

  /** Deeper inlining is cut: a program is untrusted, as is its debug information. */
  private static final int INLINED_MAX = 64;

  private static final List<String> WITHOUT_SYMBOLS =
      List.of(
          "objcopy", "--strip-all", "--keep-section=.debug_*", "-j", ".debug_*", "-j", ".text*");
  private static final long COPY_BYTES_MAX = 1L << 30;
  private static final String NOT_KNOWN = "??";

  private final Surroundings surroundings;
  private final Map<CallSite.Address, List<Location>> places = new HashMap<>();
  private final List<String> notes = new ArrayList<>();

  private SourceLines(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Looks up every frame of these sites. */
  public static SourceLines of(Iterable<CallSite> sites, Surroundings surroundings) {
    SourceLines lines = new SourceLines(surroundings);
    Map<CallSite.Module, SortedSet<Long>> wanted = new LinkedHashMap<>();
    for (CallSite site : sites) {
      for (CallSite.Frame frame : site.frames()) {
        if (frame instanceof CallSite.Address(Optional<CallSite.Module> module, long offset)) {
          module.ifPresent(
              known -> wanted.computeIfAbsent(known, _ -> new TreeSet<>()).add(offset));
        }
      }
    }
    wanted.forEach(lines::lookUp);
    return lines;
  }

  /** What could not be looked up, and why; a sentence each. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** The places of a frame: the call itself first, then the callers it was inlined into. */
  public List<Location> places(CallSite.Frame frame) {
    return switch (frame) {
      case CallSite.Line(String function, String file, int line) ->
          List.of(
              new Location(
                  Optional.of(function),
                  Optional.of(file),
                  OptionalInt.of(line),
                  Optional.empty()));
      case CallSite.Address address -> places.getOrDefault(address, List.of(byAddress(address)));
    };
  }

  private static Location byAddress(CallSite.Address address) {
    return new Location(
        Optional.of("0x" + Long.toHexString(address.offset())),
        Optional.empty(),
        OptionalInt.empty(),
        address.module().map(CallSite.Module::path));
  }

  private void lookUp(CallSite.Module module, SortedSet<Long> offsets) {
    Path file = Path.of(module.path());
    if (!Files.isRegularFile(file)) {
      notes.add("no source lines for " + module.path() + ": it is gone");
      return;
    }
    String now = ElfFile.read(file).map(ElfFile::buildId).orElse("");
    if (!now.equals(module.buildId())) {
      notes.add("no source lines for " + module.path() + ": it was built again since");
      return;
    }
    List<Long> all = List.copyOf(offsets);
    for (int from = 0; from < all.size(); from += ADDRESSES_AT_ONCE) {
      if (!addLines(module, all.subList(from, Math.min(all.size(), from + ADDRESSES_AT_ONCE)))) {
        return;
      }
    }
    addSymbols(module, all);
  }

  /** An absolute path: a trace is untrusted, and tools take other words for options. */
  private static String file(CallSite.Module module) {
    return Path.of(module.path()).toAbsolutePath().toString();
  }

  private boolean addLines(CallSite.Module module, List<Long> offsets) {
    ToolRun answer = ask(file(module), offsets);
    List<List<Location>> found = parse(answer, module, offsets);
    if (found.isEmpty()) {
      notes.add(
          "no source lines for "
              + module.path()
              + ": addr2line says: "
              + answer.output().lines().findFirst().orElse("nothing"));
      return false;
    }
    if (found.stream().anyMatch(each -> each.size() > 1)) {
      found = named(module, offsets, found);
    }
    for (int i = 0; i < offsets.size(); i++) {
      if (!found.get(i).isEmpty()) {
        places.put(new CallSite.Address(Optional.of(module), offsets.get(i)), found.get(i));
      }
    }
    return true;
  }

  /** An address is the one behind the call; the call itself is right before it. */
  private ToolRun ask(String file, List<Long> offsets) {
    List<String> command =
        new ArrayList<>(List.of("addr2line", "-a", "-i", "-f", "-C", "-e", file));
    offsets.forEach(offset -> command.add("0x" + Long.toHexString(offset - 1)));
    return ToolRun.of(command, surroundings.directory(), surroundings, PATIENCE);
  }

  /** The places of each offset; nothing if that is not the answer to the question. */
  private static List<List<Location>> parse(
      ToolRun answer, CallSite.Module module, List<Long> offsets) {
    Iterator<String> lines = answer.output().lines().iterator();
    if (!answer.succeeded() || !lines.hasNext() || !isAddress(lines.next(), offsets.getFirst())) {
      return List.of();
    }
    List<List<Location>> all = new ArrayList<>();
    for (int i = 0; i < offsets.size(); i++) {
      List<Location> found = new ArrayList<>();
      while (lines.hasNext()) {
        String function = lines.next();
        if (i + 1 < offsets.size() && isAddress(function, offsets.get(i + 1))) {
          break;
        }
        Optional<Location> place =
            lines.hasNext() ? line(module, function, lines.next()) : Optional.empty();
        if (found.size() < INLINED_MAX) {
          place.ifPresent(found::add);
        }
      }
      all.add(isSymbolAlone(found) ? List.of() : List.copyOf(found));
    }
    return all;
  }

  /**
   * With the names of inlined functions. Where a function has none for the linker, as in a C++
   * namespace without a name or in a Fortran program, {@code addr2line} takes that of the symbol it
   * was inlined into. A copy without symbols leaves it the debug information alone.
   */
  private List<List<Location>> named(
      CallSite.Module module, List<Long> offsets, List<List<Location>> found) {
    try {
      if (Files.size(Path.of(module.path())) > COPY_BYTES_MAX) {
        return found;
      }
      String temporary = surroundings.variable("TMPDIR");
      Path directory =
          PrivateFiles.createTemporaryDirectory(
              Path.of(temporary.isEmpty() ? "/tmp" : temporary), "reprise-lines-");
      try {
        String bare = directory.resolve("bare").toString();
        List<String> command = new ArrayList<>(WITHOUT_SYMBOLS);
        command.addAll(List.of(file(module), bare));
        ToolRun.of(command, surroundings.directory(), surroundings, PATIENCE);
        List<List<Location>> again = parse(ask(bare, offsets), module, offsets);
        return again.isEmpty()
            ? found
            : IntStream.range(0, offsets.size())
                .mapToObj(i -> named(found.get(i), again.get(i)))
                .toList();
      } finally {
        PrivateFiles.removeTree(directory);
      }
    } catch (IOException e) {
      return found; // The lines are right; only names may be another function's.
    }
  }

  private static List<Location> named(List<Location> found, List<Location> bare) {
    if (found.size() < 2 || bare.size() != found.size()) {
      return found;
    }
    List<Location> named = new ArrayList<>(found);
    named.set(0, bare.getFirst());
    return named;
  }

  /**
   * Whether this is no more than the symbol table has, where a function of one file stands with
   * that file. Its calls could not be told apart by it; by their offsets they can.
   */
  private static boolean isSymbolAlone(List<Location> found) {
    return found.size() == 1 && found.getFirst().line().isEmpty();
  }

  /** Whether a line of the answer begins with what was found for an offset. */
  private static boolean isAddress(String line, long offset) {
    return line.equals(String.format(Locale.ROOT, "0x%016x", offset - 1));
  }

  private static Optional<Location> line(CallSite.Module module, String function, String answer) {
    String where = answer.replaceFirst(" \\(discriminator \\d+\\)$", "");
    int colon = where.lastIndexOf(':');
    if (where.startsWith(NOT_KNOWN) || function.equals(NOT_KNOWN) || colon <= 0) {
      return Optional.empty();
    }
    String number = where.substring(colon + 1);
    return Optional.of(
        new Location(
            Optional.of(function),
            Optional.of(where.substring(0, colon)),
            number.matches("\\d{1,9}")
                ? OptionalInt.of(Integer.parseInt(number))
                : OptionalInt.empty(),
            Optional.of(module.path())));
  }

  /** Of the addresses without a line: the function they lie in, and how far. */
  private void addSymbols(CallSite.Module module, List<Long> offsets) {
    List<CallSite.Address> left =
        offsets.stream()
            .map(offset -> new CallSite.Address(Optional.of(module), offset))
            .filter(address -> !places.containsKey(address))
            .toList();
    if (left.isEmpty()) {
      return;
    }
    NavigableMap<Long, String> symbols = symbols(module, List.of("nm", "-C", "--defined-only"));
    if (symbols.isEmpty()) {
      symbols = symbols(module, List.of("nm", "-C", "-D", "--defined-only"));
    }
    for (CallSite.Address address : left) {
      Map.Entry<Long, String> symbol = symbols.floorEntry(address.offset() - 1);
      if (symbol != null) {
        places.put(
            address,
            List.of(
                new Location(
                    Optional.of(
                        symbol.getValue()
                            + "+0x"
                            + Long.toHexString(address.offset() - symbol.getKey())),
                    Optional.empty(),
                    OptionalInt.empty(),
                    Optional.of(module.path()))));
      }
    }
  }

  private NavigableMap<Long, String> symbols(CallSite.Module module, List<String> words) {
    List<String> command = new ArrayList<>(words);
    command.add(file(module));
    ToolRun answer = ToolRun.of(command, surroundings.directory(), surroundings, PATIENCE);
    NavigableMap<Long, String> symbols = new TreeMap<>();
    if (answer.succeeded()) {
      for (String line : answer.output().lines().toList()) {
        String[] parts = line.split(" ", 3);
        if (parts.length == 3
            && parts[0].matches("[0-9a-f]{1,16}")
            && parts[1].matches("[tTwWi]")) {
          symbols.put(Long.parseUnsignedLong(parts[0], 16), parts[2]);
        }
      }
    }
    return symbols;
  }
}
