package org.reprise.trace.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reprise.trace.TraceError;
import org.reprise.trace.run.RunDirectory;

class RunArchiveTest {
  private static final Path SENT = Path.of("sent.reprise");

  @TempDir Path directory;
  private RunDirectory run = new RunDirectory(Path.of("unset"));
  private Path into = Path.of("unset");

  @BeforeEach
  void makeRun() throws IOException {
    run = new RunDirectory(Files.createDirectory(directory.resolve("bank-1")));
    into = Files.createDirectory(directory.resolve("into"));
    Files.writeString(run.path().resolve("run.json"), "{}");
    Files.write(run.path().resolve("rank-0.order"), new byte[100_000]);
    Files.writeString(run.path().resolve("rank-0.events"), "events");
    Files.writeString(run.path().resolve("events.json"), "{}");
    Files.writeString(run.path().resolve("stdin"), "typed");
    Files.writeString(run.path().resolve("seal"), "mine");
    Files.writeString(run.path().resolve("kept-graph"), "found out");
    Files.createDirectory(run.path().resolve("replay-1"));
  }

  private PackManifest manifest(boolean withEvents) {
    return new PackManifest(
        "0.1.0",
        "bank-1",
        Optional.of(new PackManifest.Build("/home/ada/bank", "00ff")),
        List.of(new PackManifest.Build("/lib/libm.so.6", "")),
        RunArchive.files(run, withEvents));
  }

  private byte[] packed(PackManifest manifest) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RunArchive.write(run, manifest, Optional.empty(), out, _ -> {});
    return out.toByteArray();
  }

  private PackManifest unpack(byte[] archive) throws IOException {
    try (RunArchive.Reader reader = RunArchive.open(SENT, new ByteArrayInputStream(archive))) {
      reader.extract(into, _ -> {});
      return reader.manifest();
    }
  }

  private List<String> unpacked() throws IOException {
    try (Stream<Path> files = Files.list(into)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aRunComesOutAsItWentInButForWhatIsTheOwnersAlone() throws IOException {
    PackManifest manifest = manifest(true);
    assertThat(unpack(packed(manifest))).isEqualTo(manifest);
    assertThat(unpacked())
        .containsExactly("events.json", "rank-0.events", "rank-0.order", "run.json", "stdin");
    for (String name : unpacked()) {
      assertThat(into.resolve(name)).hasSameBinaryContentAs(run.path().resolve(name));
    }
    assertThat(Files.getPosixFilePermissions(into.resolve("stdin"))).hasSize(2);
  }

  @Test
  void eventsCanStayBehind() throws IOException {
    unpack(packed(manifest(false)));
    assertThat(unpacked()).containsExactly("rank-0.order", "run.json", "stdin");
  }

  private static byte[] zip(String manifest, String... namesAndTexts) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("pack.json"));
      zip.write(manifest.getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
      for (int i = 0; i < namesAndTexts.length; i += 2) {
        zip.putNextEntry(new ZipEntry(namesAndTexts[i]));
        zip.write(namesAndTexts[i + 1].getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
    return out.toByteArray();
  }

  private static String naming(String file, long bytes) {
    return """
        {"format":1,"reprise":"0.1.0","name":"bank-1","libraries":[],
         "files":[{"name":"%s","bytes":%d}]}
        """
        .formatted(file, bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../run.json",
        "/etc/passwd",
        "run.json/x",
        "replay-1",
        "rank-0.order/../../x",
        "rank-01.order",
        "seal",
        "kept-graph",
        ""
      })
  void whatIsNoFileOfARunIsRefused(String name) throws IOException {
    byte[] sent = zip(naming(name, 1), name, "x");
    assertThatThrownBy(() -> unpack(sent)).isInstanceOf(TraceError.class);
    assertThat(unpacked()).isEmpty();
  }

  @Test
  void whatWasNotAnnouncedIsRefused() throws IOException {
    byte[] other = zip(naming("run.json", 2), "../../run.json", "{}");
    assertThatThrownBy(() -> unpack(other)).hasMessageContaining("sent.reprise is damaged");
    byte[] more = zip(naming("run.json", 2), "run.json", "{}", "stdin", "x");
    assertThatThrownBy(() -> unpack(more)).isInstanceOf(TraceError.class);
    byte[] longer = zip(naming("stdin", 2), "stdin", "more than two bytes");
    assertThatThrownBy(() -> unpack(longer)).isInstanceOf(TraceError.class);
    assertThat(Files.size(into.resolve("stdin"))).as("no more than announced").isEqualTo(2);
    byte[] shorter = zip(naming("stdin", 1000), "stdin", "x");
    assertThatThrownBy(() -> unpack(shorter)).isInstanceOf(TraceError.class);
  }

  @Test
  void whatIsNotPackedSaysSo() {
    for (byte[] sent : new byte[][] {{}, "#!/bin/sh\n".getBytes(StandardCharsets.UTF_8)}) {
      assertThatThrownBy(() -> unpack(sent))
          .isInstanceOf(TraceError.class)
          .hasMessageContaining("sent.reprise is not a packed run");
    }
  }

  @Test
  void damageIsNoticedWhateverItIs() throws IOException {
    long seed = Long.getLong("reprise.seed", 20261118);
    System.out.println("damaged archives with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    byte[] whole = packed(manifest(true));
    int refused = 0;
    for (int round = 0; round < 500; round++) {
      byte[] sent = whole.clone();
      if (random.nextBoolean()) {
        sent = Arrays.copyOf(sent, random.nextInt(sent.length));
      } else {
        sent[random.nextInt(sent.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        unpack(sent);
      } catch (TraceError said) {
        refused++;
      }
      for (String name : unpacked()) {
        assertThat(RunArchive.isPacked(name)).isTrue();
        Files.delete(into.resolve(name));
      }
    }
    // What is damaged behind the files, in the zip file's own list of them, is not read.
    assertThat(refused).isGreaterThan(200);
  }
}
