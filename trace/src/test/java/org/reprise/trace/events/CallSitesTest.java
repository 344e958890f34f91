package org.reprise.trace.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;

class CallSitesTest {
  private static final CallSite.Module PROGRAM = new CallSite.Module("/home/a/program", "00ff7f");
  private static final CallSite NATIVE =
      new CallSite(
          List.of(
              new CallSite.Address(Optional.of(PROGRAM), 0x1234),
              new CallSite.Address(Optional.empty(), 0x7f00_0000_1234L)));
  private static final CallSite JAVA =
      new CallSite(List.of(new CallSite.Line("Main.main", "Main.java", 17)));

  @TempDir Path directory;

  private Path write(CallSite... sites) {
    Path file = directory.resolve("rank-0.sites");
    RankHeader header = RankHeader.create(Wire.FileKind.SITES, Wire.Mode.RECORD, new Rank(0), 1);
    try (CallSitesWriter writer = new CallSitesWriter(file, header)) {
      for (CallSite site : sites) {
        writer.number(site);
      }
    }
    return file;
  }

  @Test
  void sitesAreReadBackByNumber() {
    CallSites sites = CallSites.read(write(NATIVE, JAVA, NATIVE));
    assertThat(sites.all()).as("each once").containsExactly(NATIVE, JAVA);
    assertThat(sites.site(1)).contains(NATIVE);
    assertThat(sites.site(2)).contains(JAVA);
    assertThat(sites.site(0)).isEmpty();
    assertThat(sites.site(3)).isEmpty();
  }

  @Test
  void aRunWithoutSitesHasNone() {
    assertThat(CallSites.read(directory.resolve("rank-9.sites")).all()).isEmpty();
  }

  @Test
  void everyFlippedBitIsAnErrorOrAnotherTable() throws Exception {
    byte[] whole = Files.readAllBytes(write(NATIVE, JAVA));
    for (int bit = Wire.HEADER_BYTES * 8; bit < whole.length * 8; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      Path file = Files.write(directory.resolve("damaged.sites"), damaged);
      try {
        CallSites.read(file);
      } catch (TraceError e) {
        assertThat(e.getMessage()).contains("damaged.sites");
      }
    }
  }

  @Test
  void aModuleThatWasNeverNamedIsRefused() throws Exception {
    byte[] bytes = Files.readAllBytes(write(NATIVE));
    // The first frame's module follows the head of the stack, behind the module's own record.
    int stack = Wire.HEADER_BYTES + 1 + 1 + PROGRAM.path().length() + 1 + 3;
    bytes[stack + 1] = 9;
    Path file = Files.write(directory.resolve("other.sites"), bytes);
    assertThatThrownBy(() -> CallSites.read(file))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("module 9 of 1");
  }
}
