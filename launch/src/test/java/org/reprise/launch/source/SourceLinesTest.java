package org.reprise.launch.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reprise.launch.process.ElfFile;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.process.ToolRun;
import org.reprise.trace.Location;
import org.reprise.trace.events.CallSite;

/** Addresses in programs and libraries become lines of their sources. */
class SourceLinesTest {
  private static final String SOURCE =
      """
      int inner(int x) { return x * 3; }
      int outer(int x) {
        int y = x + 1;
        return y + inner(y);
      }
      int main(void) { return outer(4); }
      """;

  private final Surroundings surroundings = Surroundings.current();
  @TempDir Path directory;

  @BeforeEach
  void writeSource() throws Exception {
    Files.writeString(directory.resolve("program.c"), SOURCE);
  }

  private Path compile(String name, String... options) {
    List<String> command = new ArrayList<>(List.of("gcc", "-O0", "-Wl,--build-id=sha1"));
    command.addAll(List.of(options));
    command.addAll(List.of("-o", name, "program.c"));
    run(command);
    return directory.resolve(name);
  }

  /** The site of the call of {@code inner}: somewhere inside {@code outer}. */
  private CallSite inOuter(Path file) {
    Map<String, Long> symbols = new TreeMap<>();
    run(List.of("nm", file.toString()))
        .lines()
        .map(line -> line.split(" ", 3))
        .filter(parts -> parts.length == 3 && !parts[0].isEmpty())
        .forEach(parts -> symbols.put(parts[2], Long.parseLong(parts[0], 16)));
    long address = symbols.getOrDefault("outer", 0L) + 30;
    return new CallSite(
        List.of(
            new CallSite.Address(
                Optional.of(new CallSite.Module(file.toString(), buildId(file))), address)));
  }

  private static String buildId(Path file) {
    String id = ElfFile.read(file).orElseThrow().buildId();
    assertThat(id).hasSize(40);
    return id;
  }

  private List<String> places(CallSite site) {
    SourceLines lines = SourceLines.of(List.of(site), surroundings);
    assertThat(lines.notes()).isEmpty();
    return texts(lines, site);
  }

  private static List<String> texts(SourceLines lines, CallSite site) {
    return site.frames().stream()
        .flatMap(frame -> lines.places(frame).stream())
        .map(Location::text)
        .toList();
  }

  @Test
  void aPositionIndependentProgramHasLines() {
    assertThat(places(inOuter(compile("program", "-g", "-pie", "-fPIE"))))
        .containsExactly("outer program.c:4");
  }

  @Test
  void aProgramAtAFixedAddressHasLines() {
    assertThat(places(inOuter(compile("program", "-g", "-no-pie"))))
        .containsExactly("outer program.c:4");
  }

  @Test
  void aLibraryHasLines() {
    assertThat(places(inOuter(compile("libprogram.so", "-g", "-shared", "-fPIC"))))
        .containsExactly("outer program.c:4");
  }

  /**
   * Each language's calls of {@code called}, in a function that is put into others. Another one
   * comes first: gcc 12 can describe a range that begins where the file's code begins, in DWARF 4,
   * so that it reads as the end of the list.
   */
  enum Inlined {
    C(
        "gcc",
        "inlined.c",
        """
        void called(int); int first(void) { return 1; }
        static inline __attribute__((always_inline)) void deepest(int x) { called(x); called(-x); }
        static inline __attribute__((always_inline)) void middle(int x) {
          deepest(x + 1);
        }
        void left(int x) {
          middle(x);
        }
        void right(int x) { for (int i = 0; i < x; i++) deepest(i); }
        """,
        List.of(
            "deepest inlined.c:2, middle inlined.c:4, left inlined.c:7",
            "deepest inlined.c:2, middle inlined.c:4, left inlined.c:7",
            "deepest inlined.c:2, right inlined.c:9",
            "deepest inlined.c:2, right inlined.c:9")),
    CXX(
        "g++",
        "inlined.cpp",
        """
        extern "C" void called(int); int first() { return 1; }
        namespace box {
        template <class T> struct Box {
          T value;
          [[gnu::always_inline]] void open() { called(value); called(-value); }
        };
        }
        namespace {
        [[gnu::always_inline]] inline void hidden(int x) { called(x); }
        }
        void left(int x) {
          box::Box<int>{x}.open();
          hidden(x);
        }
        """,
        List.of(
            "box::Box<int>::open() inlined.cpp:5, left(int) inlined.cpp:12",
            "box::Box<int>::open() inlined.cpp:5, left(int) inlined.cpp:12",
            "hidden inlined.cpp:9, left(int) inlined.cpp:13"));

    private final String compiler;
    private final String file;
    private final String source;
    private final List<String> stacks;

    Inlined(String compiler, String file, String source, List<String> stacks) {
      this.compiler = compiler;
      this.file = file;
      this.source = source;
      this.stacks = stacks;
    }
  }

  /** In the program and in a library, of which nothing but the debug information knows. */
  @ParameterizedTest
  @CsvSource({"C, 4", "C, 5", "CXX, 4", "CXX, 5"})
  void callersThatAFunctionWasInlinedIntoFollowIt(Inlined program, int dwarf) throws Exception {
    Files.writeString(directory.resolve(program.file), program.source);
    run(
        List.of(
            program.compiler,
            "-O2",
            "-g",
            "-gdwarf-" + dwarf,
            "-fno-optimize-sibling-calls",
            "-fPIC",
            "-shared",
            "-Wl,--build-id=sha1",
            "-o",
            "libinlined.so",
            program.file));
    Path library = directory.resolve("libinlined.so");
    List<CallSite> sites = sitesOf("called", library);
    SourceLines lines = SourceLines.of(sites, surroundings);
    assertThat(sites.stream().map(site -> String.join(", ", texts(lines, site))))
        .containsExactlyInAnyOrderElementsOf(program.stacks);
  }

  /** A program is untrusted: there are lines, or none, or a note that says why. */
  @Test
  void damagedDebugInformationIsNoFailure() throws Exception {
    Files.writeString(directory.resolve(Inlined.CXX.file), Inlined.CXX.source);
    Path library = directory.resolve("libinlined.so");
    run(
        List.of(
            "g++",
            "-O2",
            "-g",
            "-fPIC",
            "-shared",
            "-Wl,--build-id=sha1",
            "-o",
            library.toString(),
            Inlined.CXX.file));
    List<CallSite> sites = sitesOf("called", library);
    byte[] sound = Files.readAllBytes(library);
    int debug = sound.length / 2; // The code and the build id come before.
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      byte[] damaged = sound.clone();
      for (int flips = 0; flips < 50; flips++) {
        damaged[debug + random.nextInt(sound.length - debug)] = (byte) random.nextInt();
      }
      Files.write(library, damaged);
      SourceLines lines = SourceLines.of(sites, surroundings);
      for (CallSite site : sites) {
        assertThat(texts(lines, site)).as("seed %d", seed).isNotEmpty();
      }
    }
  }

  /** Where a function is called: the addresses behind the calls. */
  private List<CallSite> sitesOf(String function, Path file) {
    CallSite.Module module = new CallSite.Module(file.toString(), buildId(file));
    List<String> code = run(List.of("objdump", "-d", file.toString())).lines().toList();
    List<CallSite> sites = new ArrayList<>();
    for (int i = 0; i + 1 < code.size(); i++) {
      if (code.get(i).matches(".*\\b(call|bl)\\b.*<" + function + "\\b.*")) {
        long behind = Long.parseLong(code.get(i + 1).strip().split(":", 2)[0], 16);
        sites.add(new CallSite(List.of(new CallSite.Address(Optional.of(module), behind))));
      }
    }
    return sites;
  }

  private String run(List<String> command) {
    ToolRun ran = ToolRun.of(command, directory, surroundings, Duration.ofMinutes(1));
    assertThat(ran.succeeded()).as(ran.output()).isTrue();
    return ran.output();
  }

  @Test
  void withoutDebugInformationThereAreSymbolAndOffset() {
    assertThat(places(inOuter(compile("program")))).containsExactly("outer+0x1e in program");
  }

  /** The symbol table names its file, but no line: that would be the same for all of its calls. */
  @Test
  void aFunctionOfOneFileHasItsOffsetTooWithoutDebugInformation() throws Exception {
    Files.writeString(
        directory.resolve("program.c"), SOURCE.replace("int outer", "static int outer"));
    assertThat(places(inOuter(compile("program")))).containsExactly("outer+0x1e in program");
  }

  @Test
  void aProgramThatWasBuiltAgainIsNotLookedInto() throws Exception {
    Path program = compile("program", "-g");
    CallSite site = inOuter(program);
    Files.writeString(directory.resolve("program.c"), "/* other */\n" + SOURCE + "int more;\n");
    compile("program", "-g");
    SourceLines lines = SourceLines.of(List.of(site), surroundings);
    assertThat(lines.notes())
        .containsExactly("no source lines for " + program + ": it was built again since");
    assertThat(texts(lines, site)).singleElement().asString().matches("0x.* in program");
    Files.delete(program);
    assertThat(SourceLines.of(List.of(site), surroundings).notes())
        .containsExactly("no source lines for " + program + ": it is gone");
  }

  @Test
  void aJavaFrameIsALineAlready() {
    CallSite site = new CallSite(List.of(new CallSite.Line("Main.main", "Main.java", 7)));
    assertThat(places(site)).containsExactly("Main.main Main.java:7");
  }
}
