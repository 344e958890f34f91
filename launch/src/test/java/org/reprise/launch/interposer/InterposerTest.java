package org.reprise.launch.interposer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.launch.FakeMpi;
import org.reprise.launch.interposer.Interposer.Library;
import org.reprise.launch.process.ElfFile;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.UserError;
import org.reprise.trace.file.Wire;

class InterposerTest {
  private static final Map<String, String> SOURCES =
      Map.of(
          "include/reprise_wire.h", "#define X 1\n",
          "src/a.h", "#include \"reprise_wire.h\"\n",
          "src/a.c", "#include <mpi.h>\n#include \"a.h\"\nint reprise(void) { return X; }\n");

  @TempDir Path directory;

  private MpiInstallation mpi(FakeMpi fake) throws Exception {
    return MpiInstallation.ask(
            fake.mpicc("bin/mpicc", FakeMpi.OPEN_MPI_MACROS), fake.surroundings())
        .orElseThrow();
  }

  @Test
  void aLibraryIsBuiltOnceForTheSameSourcesAndMpi() throws Exception {
    FakeMpi fake = new FakeMpi(directory);
    MpiInstallation mpi = mpi(fake);
    Path library = Interposer.libraryFor(Library.RECORDER, mpi, fake.surroundings(), SOURCES);
    FileTime built = Files.getLastModifiedTime(library);
    assertThat(ElfFile.read(library)).isPresent();
    assertThat(ElfFile.read(library).orElseThrow().needed())
        .as("not linked with an MPI")
        .allMatch(name -> !name.contains("mpi"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(library.getParent())))
        .isEqualTo("rwx------");
    assertThat(library.getParent())
        .isDirectoryNotContaining(
            file -> !file.equals(library) && !file.toString().endsWith(".macros"));
    assertThat(Interposer.libraryFor(Library.RECORDER, mpi, fake.surroundings(), SOURCES))
        .isEqualTo(library);
    assertThat(Files.getLastModifiedTime(library)).isEqualTo(built);
    Path header = Path.of(mpi.flags().getFirst().substring(2), "mpi.h");
    Files.setLastModifiedTime(header, FileTime.fromMillis(1));
    assertThat(Interposer.libraryFor(Library.RECORDER, mpi, fake.surroundings(), SOURCES))
        .as("an updated MPI")
        .isNotEqualTo(library);
  }

  @Test
  void anMpiIsAskedForItsMacrosOnceUntilItsHeaderChanges() throws Exception {
    FakeMpi fake = new FakeMpi(directory);
    assertThat(mpi(fake).version()).isEqualTo("Open MPI 4.1.4");
    Path kept;
    try (Stream<Path> files = Files.list(directory.resolve("cache/reprise"))) {
      kept = files.findFirst().orElseThrow();
    }
    Files.writeString(kept, FakeMpi.OPEN_MPI_MACROS.replace("1", "7"));
    Path mpicc = directory.resolve("bin/mpicc");
    assertThat(MpiInstallation.ask(mpicc, fake.surroundings()).orElseThrow().version())
        .as("what was kept")
        .isEqualTo("Open MPI 4.7.4");
    Path header = directory.resolve("include-of-bin-mpicc/mpi.h");
    Files.setLastModifiedTime(header, FileTime.fromMillis(1));
    assertThat(MpiInstallation.ask(mpicc, fake.surroundings()).orElseThrow().version())
        .as("asked again")
        .isEqualTo("Open MPI 4.1.4");
  }

  @Test
  void aLibraryThatSomebodyElseMayHavePutThereIsBuiltAgain() throws Exception {
    FakeMpi fake = new FakeMpi(directory);
    MpiInstallation mpi = mpi(fake);
    Path library = Interposer.libraryFor(Library.RECORDER, mpi, fake.surroundings(), SOURCES);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(library)))
        .isEqualTo("rwx------");
    Files.writeString(library, "evil");
    Files.setPosixFilePermissions(library, PosixFilePermissions.fromString("rwxrwxrwx"));
    Interposer.libraryFor(Library.RECORDER, mpi, fake.surroundings(), SOURCES);
    assertThat(ElfFile.read(library)).as("writable by others").isPresent();
    Path evil = Files.writeString(directory.resolve("evil.so"), "evil");
    Files.delete(library);
    Files.createSymbolicLink(library, evil);
    Interposer.libraryFor(Library.RECORDER, mpi, fake.surroundings(), SOURCES);
    assertThat(Files.isSymbolicLink(library)).isFalse();
    assertThat(ElfFile.read(library)).as("a link").isPresent();
  }

  @Test
  void aCacheThatIsNotPrivateIsRefused() throws Exception {
    FakeMpi fake = new FakeMpi(directory);
    MpiInstallation mpi = mpi(fake);
    Path cache = directory.resolve("cache/reprise");
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(
            () -> Interposer.libraryFor(Library.RECORDER, mpi, fake.surroundings(), SOURCES))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the cache of compiled interposers is not private")
        .hasMessageContaining("other users may write to " + cache);
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwx------"));
    Path moved = Files.move(cache, directory.resolve("elsewhere"));
    Files.createSymbolicLink(cache, moved);
    assertThatThrownBy(
            () -> Interposer.libraryFor(Library.RECORDER, mpi, fake.surroundings(), SOURCES))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(cache + " is a symbolic link");
  }

  @Test
  void theCompilersMessageIsShown() throws Exception {
    FakeMpi fake = new FakeMpi(directory);
    MpiInstallation mpi = mpi(fake);
    assertThatThrownBy(
            () ->
                Interposer.libraryFor(
                    Library.RECORDER,
                    mpi,
                    fake.surroundings(),
                    Map.of("src/a.c", "int x = nonsense;\n")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the interposer does not compile for Open MPI 4.1.4")
        .hasMessageContaining("nonsense");
    assertThat(directory.resolve("cache/reprise"))
        .isDirectoryNotContaining(file -> !file.toString().endsWith(".macros"));
  }

  @Test
  void aPathTheLoaderCannotTakeIsRefused() throws Exception {
    Path odd = Files.createDirectory(directory.resolve("a b"));
    FakeMpi fake = new FakeMpi(odd);
    MpiInstallation mpi =
        new MpiInstallation(MpiFamily.OPEN_MPI, "Open MPI", odd, List.of("gcc"), List.of(), "");
    assertThatThrownBy(
            () -> Interposer.libraryFor(Library.RECORDER, mpi, fake.surroundings(), SOURCES))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("XDG_CACHE_HOME");
  }

  @Test
  void theTableOfCallsIsThere() {
    CallTable table = CallTable.ofInterposer();
    assertThat(table.names())
        .startsWith("Init")
        .contains("Recv", "Waitany")
        .doesNotHaveDuplicates();
    assertThat(table.calls()).hasSizeLessThanOrEqualTo(Wire.CALLS_MAX);
    assertThat(table.calls()).filteredOn(CallTable.Call::isRefused).isNotEmpty();
  }

  @Test
  void linesBetweenCallsDoNotCount() {
    CallTable table =
        CallTable.parse(
            """
            /* CALL(name, class, roles, parameters, arguments) */
            CALL(Init, LIFE, NO_ROLE, (int *c), (c))
            #if MPI_VERSION >= 4
            CALL(Recv_c, RECORDED_4, RECEIVES, (), ())
            #endif
              CALL(Poll, REFUSED_4, COMPLETES | POLLS, (), ())
            """);
    assertThat(table.names()).containsExactly("Init", "Recv_c", "Poll");
    assertThat(table.calls().get(2).isRefused()).isTrue();
    assertThat(table.has("MPI_Poll", CallTable.Role.POLLS)).isTrue();
    assertThat(table.has("Poll", CallTable.Role.SENDS)).isFalse();
    assertThat(table.has("MPI_Init", CallTable.Role.POLLS)).isFalse();
  }

  @Test
  void rolesAreThoseOfTheCallsNames() {
    CallTable table = CallTable.ofInterposer();
    assertThat(with(table, CallTable.Role.POSTS))
        .as("a post begins with an I")
        .isNotEmpty()
        .allMatch(name -> name.matches("I(s|b|r|m)?(send|recv).*|Isendrecv.*|Is?send.*"));
    assertThat(with(table, CallTable.Role.POLLS))
        .contains("Test", "Testsome", "Iprobe", "Request_get_status")
        .doesNotContain("Wait", "Probe");
    assertThat(with(table, CallTable.Role.SENDS))
        .contains("Send", "Isend", "Sendrecv_replace")
        .doesNotContain("Recv", "Send_init");
  }

  private static List<String> with(CallTable table, CallTable.Role role) {
    return table.calls().stream()
        .filter(call -> call.roles().contains(role))
        .map(CallTable.Call::name)
        .toList();
  }
}
