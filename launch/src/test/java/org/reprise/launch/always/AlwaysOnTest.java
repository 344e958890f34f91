package org.reprise.launch.always;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.UserError;
import org.reprise.trace.run.Quota;

/**
 * Shims are run by a real shell; what they start here are scripts that say what they were given.
 */
class AlwaysOnTest {
  @TempDir Path directory;
  private Path bin = Path.of("unset");
  private Path reprise = Path.of("unset");
  private Map<String, String> environment = Map.of();

  @BeforeEach
  void install() throws IOException {
    bin = Files.createDirectory(directory.resolve("bin with space"));
    script(bin.resolve("mpirun"), "echo plain \"$@\"; exit 3");
    script(bin.resolve("mpiexec.hydra"), "echo hydra \"$@\"");
    script(bin.resolve("mpirunner"), "echo none");
    reprise = script(directory.resolve("reprise"), "printf '<%s>' \"$@\"; exit 4");
    environment =
        Map.of("XDG_CONFIG_HOME", directory.resolve("config").toString(), "PATH", path(bin));
  }

  private static String path(Path... first) {
    List<String> entries = new ArrayList<>();
    for (Path entry : first) {
      entries.add(entry.toString());
    }
    // What the shell itself needs; no MPI of this machine may be found there.
    entries.add("/nonexistent");
    return String.join(":", entries);
  }

  private static Path script(Path file, String text) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private AlwaysOn always() {
    return AlwaysOn.of(environment);
  }

  /** What a shell with the shims first on its PATH prints for a command, and its status. */
  private String type(String command) throws Exception {
    ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", command).redirectErrorStream(true);
    shell.environment().clear();
    shell.environment().put("PATH", path(always().shims(), bin));
    Process process = shell.start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return output + " " + process.waitFor();
  }

  @Test
  void aShimRecordsWhatItsLauncherStarts() throws Exception {
    always().turnOn(reprise, Quota.USUAL, environment);
    assertThat(type("mpirun -n 4 './a b' '*' ''"))
        .isEqualTo("<record><--automatic><--><" + bin + "/mpirun><-n><4><./a b><*><> 4");
    assertThat(type("mpiexec.hydra x"))
        .isEqualTo("<record><--automatic><--><" + bin + "/mpiexec.hydra><x> 4");
  }

  @Test
  void onlyLaunchersThatAreThereHaveAShim() {
    always().turnOn(reprise, Quota.USUAL, environment);
    assertThat(always().launchers()).containsExactly("mpiexec.hydra", "mpirun");
  }

  @Test
  void offMeansThatNothingIsRecordedEvenInAShellThatRemembersTheShim() throws Exception {
    always().turnOn(reprise, Quota.USUAL, environment);
    assertThat(always().turnOff()).isTrue();
    assertThat(always().turnOff()).isFalse();
    assertThat(type("mpirun -n 2")).isEqualTo("plain -n 2 3");
  }

  @Test
  void aProgramRunsEvenIfRepriseIsGone() throws Exception {
    always().turnOn(reprise, Quota.USUAL, environment);
    Files.delete(reprise);
    assertThat(type("mpirun -n 2")).isEqualTo("plain -n 2 3");
  }

  @Test
  void aLauncherThatIsGoneIsNotFound() throws Exception {
    always().turnOn(reprise, Quota.USUAL, environment);
    Files.delete(bin.resolve("mpirun"));
    assertThat(type("mpirun -n 2")).isEqualTo("mpirun: command not found 127");
  }

  @Test
  void whatRepriseStartsFindsTheRealLauncher() {
    always().turnOn(reprise, Quota.USUAL, environment);
    String with = always().shims() + ":" + bin + ":" + always().shims() + "/.:";
    assertThat(always().without(Map.of("PATH", with, "A", "b")))
        .isEqualTo(Map.of("PATH", bin + ":", "A", "b"));
    assertThat(always().without(environment)).isSameAs(environment);
  }

  @Test
  void whetherAShellTakesTheShimsIsKnownByItsPath() {
    assertThat(always().isEffective(always().shims() + ":" + bin)).isFalse();
    always().turnOn(reprise, Quota.USUAL, environment);
    assertThat(always().isEffective(always().shims() + ":" + bin)).isTrue();
    assertThat(always().isEffective(bin + ":" + always().shims())).isFalse();
    assertThat(always().isEffective(bin.toString())).isFalse();
  }

  @Test
  void theQuotaIsKept() throws IOException {
    assertThat(always().quota()).isEqualTo(Quota.USUAL);
    always().turnOn(reprise, new Quota(7, 12345), environment);
    assertThat(always().quota()).isEqualTo(new Quota(7, 12345));
    Files.writeString(always().directory().resolve("on"), "runs=many\n");
    assertThat(always().quota()).as("damaged").isEqualTo(Quota.USUAL);
  }

  @Test
  void withoutALauncherThereIsNothingToRecord() {
    Map<String, String> without =
        Map.of("XDG_CONFIG_HOME", directory.resolve("config").toString(), "PATH", "/nonexistent");
    assertThatThrownBy(() -> AlwaysOn.of(without).turnOn(reprise, Quota.USUAL, without))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("nothing to record");
  }

  @Test
  void othersMayNotWriteWhatStandsFirstOnThePath() throws IOException {
    always().turnOn(reprise, Quota.USUAL, environment);
    Files.setPosixFilePermissions(always().shims(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> always().turnOn(reprise, Quota.USUAL, environment))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("yours alone");
  }
}
