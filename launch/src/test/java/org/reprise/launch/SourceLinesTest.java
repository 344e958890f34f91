package org.reprise.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.CallSite;

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
    ToolRun compiled = ToolRun.of(command, directory, surroundings, Duration.ofMinutes(1));
    assertThat(compiled.succeeded()).as(compiled.output()).isTrue();
    return directory.resolve(name);
  }

  /** The site of the call of {@code inner}: somewhere inside {@code outer}. */
  private CallSite inOuter(Path file) {
    Map<String, Long> symbols = new TreeMap<>();
    ToolRun.of(List.of("nm", file.toString()), directory, surroundings, Duration.ofMinutes(1))
        .output()
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

  private Place place(CallSite site) {
    SourceLines lines = SourceLines.of(List.of(site), surroundings);
    assertThat(lines.notes()).isEmpty();
    return lines.place(site);
  }

  @Test
  void aPositionIndependentProgramHasLines() {
    assertThat(place(inOuter(compile("program", "-g", "-pie", "-fPIE"))).text())
        .isEqualTo("outer program.c:4");
  }

  @Test
  void aProgramAtAFixedAddressHasLines() {
    assertThat(place(inOuter(compile("program", "-g", "-no-pie"))).text())
        .isEqualTo("outer program.c:4");
  }

  @Test
  void aLibraryHasLines() {
    assertThat(place(inOuter(compile("libprogram.so", "-g", "-shared", "-fPIC"))).text())
        .isEqualTo("outer program.c:4");
  }

  @Test
  void withoutDebugInformationThereAreSymbolAndOffset() {
    assertThat(place(inOuter(compile("program"))).text()).isEqualTo("outer+0x1e in program");
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
    assertThat(lines.place(site).text()).startsWith("0x").endsWith(" in program");
    Files.delete(program);
    assertThat(SourceLines.of(List.of(site), surroundings).notes())
        .containsExactly("no source lines for " + program + ": it is gone");
  }

  @Test
  void aJavaFrameIsALineAlready() {
    CallSite site = new CallSite(List.of(new CallSite.Line("Main.main", "Main.java", 7)));
    assertThat(place(site).text()).isEqualTo("Main.main Main.java:7");
    assertThat(place(new CallSite(List.of())).text()).isEqualTo("unknown");
  }
}
