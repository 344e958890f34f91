package org.reprise.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.launch.FakeMpi;
import org.reprise.trace.MpiFamily;

class ElfFileTest {
  @TempDir Path directory;

  @BeforeEach
  void write() throws Exception {
    Files.writeString(directory.resolve("main.c"), "int main(void) { return 0; }\n");
    Files.writeString(directory.resolve("mpi.c"), "int x;\n");
  }

  private Path compile(String... arguments) {
    return FakeMpi.compile(directory, arguments);
  }

  @Test
  void aDynamicProgramNamesItsLibraries() {
    Path library = compile("-shared", "-Wl,-soname,libmpi.so.40", "-o", "libmpi.so", "mpi.c");
    assertThat(library).exists();
    Path program = compile("-o", "main", "main.c", "-Wl,--no-as-needed", "-L.", "-lmpi");
    ElfFile elf = ElfFile.read(program).orElseThrow();
    assertThat(elf.dynamic()).isTrue();
    assertThat(elf.needed()).contains("libmpi.so.40", "libc.so.6");
    assertThat(MpiLibraries.familyOf(program)).contains(MpiFamily.OPEN_MPI);
  }

  @Test
  void aStaticProgramLoadsNothing() {
    ElfFile elf = ElfFile.read(compile("-static", "-o", "main", "main.c")).orElseThrow();
    assertThat(elf.dynamic()).isFalse();
    assertThat(elf.needed()).isEmpty();
  }

  @Test
  void anythingElseIsNoElfFile() throws Exception {
    assertThat(ElfFile.read(directory.resolve("main.c"))).isEmpty();
    assertThat(ElfFile.read(directory.resolve("nothing"))).isEmpty();
    assertThat(ElfFile.read(Files.createFile(directory.resolve("empty")))).isEmpty();
  }

  @Test
  void aDamagedElfFileIsNotBelieved() throws Exception {
    byte[] whole = Files.readAllBytes(compile("-o", "main", "main.c"));
    long seed = 7;
    Random random = new Random(seed);
    Path file = directory.resolve("damaged");
    for (int round = 0; round < 300; round++) {
      byte[] bytes = whole.clone();
      for (int flips = 0; flips < 4; flips++) {
        bytes[random.nextInt(1024)] ^= (byte) (1 << random.nextInt(8));
      }
      Files.deleteIfExists(file);
      Files.write(file, Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length)));
      Optional<ElfFile> read = ElfFile.read(file);
      assertThat(read).as("seed %d, round %d", seed, round).isNotNull();
    }
  }

  @Test
  void librariesTellTheFamily() {
    Map<String, Optional<MpiFamily>> families =
        Map.of(
            "libmpi.so.40", Optional.of(MpiFamily.OPEN_MPI),
            "libmpi_usempif08.so.40", Optional.of(MpiFamily.OPEN_MPI),
            "libmpi.so.20", Optional.of(MpiFamily.OPEN_MPI),
            "libmpi.so.12", Optional.of(MpiFamily.MPICH),
            "libmpich.so.12", Optional.of(MpiFamily.MPICH),
            "libmpichfort.so.12", Optional.of(MpiFamily.MPICH),
            "libmpifort.so.12", Optional.of(MpiFamily.MPICH),
            "libm.so.6", Optional.empty(),
            "libmpirun.so.40", Optional.empty());
    families.forEach(
        (library, family) ->
            assertThat(MpiLibraries.familyOf(List.of("libc.so.6", library)))
                .as(library)
                .isEqualTo(family));
  }
}
