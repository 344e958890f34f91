package org.reprise.trace.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;

class RunStoreTest {
  @TempDir Path directory;
  private RunStore store = new RunStore(Path.of("unset"));
  private int clock;

  @BeforeEach
  void open() {
    store = new RunStore(directory.resolve("home"));
  }

  /** A run of the given program that has ended, one second after the one before. */
  private RunDirectory run(String program) throws Exception {
    RunDirectory run = store.create(program);
    run.describe(RunJsonTest.ended());
    Files.setLastModifiedTime(run.descriptionFile(), FileTime.fromMillis(1000L * ++clock));
    store.setLatest(run);
    return run;
  }

  @Test
  void theHomeIsTheUsersChoiceFirst() {
    Map<String, String> all =
        Map.of("REPRISE_HOME", "/r", "XDG_DATA_HOME", "/x", "HOME", "/home/ada");
    assertThat(RunStore.of(all).home()).isEqualTo(Path.of("/r"));
    assertThat(RunStore.of(Map.of("XDG_DATA_HOME", "/x", "HOME", "/h")).home())
        .isEqualTo(Path.of("/x/reprise"));
    assertThat(RunStore.of(Map.of("XDG_DATA_HOME", "relative", "HOME", "/h")).home())
        .isEqualTo(Path.of("/h/.local/share/reprise"));
  }

  @Test
  void numbersRiseForEachProgram() throws Exception {
    assertThat(run("bank").name()).isEqualTo("bank-1");
    assertThat(run("bank").name()).isEqualTo("bank-2");
    assertThat(run("heat").name()).isEqualTo("heat-1");
    store.remove(store.find(Optional.of("bank-1")));
    assertThat(run("bank").name()).as("bank-2 is still there").isEqualTo("bank-3");
  }

  @Test
  void aProgramsNameMakesAPlainDirectoryName() {
    assertThat(store.create("../a b\n").name()).isEqualTo("_a_b_-1");
    assertThat(store.create("..").name()).isEqualTo("run-1");
    assertThat(store.create("").name()).isEqualTo("run-2");
    assertThat(store.create("p".repeat(255)).name()).isEqualTo("p".repeat(200) + "-1");
  }

  @Test
  void recordersThatStartTogetherGetDifferentRuns() throws Exception {
    try (ExecutorService recorders = Executors.newFixedThreadPool(8)) {
      List<Future<RunDirectory>> created = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        created.add(recorders.submit(() -> store.create("bank")));
      }
      HashSet<String> names = new HashSet<>();
      for (Future<RunDirectory> run : created) {
        names.add(run.get().name());
      }
      assertThat(names).hasSize(40);
    }
  }

  @Test
  void aRunIsItsOwnersBusiness() throws Exception {
    RunDirectory run = run("bank");
    assertThat(permissions(run.path())).isEqualTo("rwx------");
    assertThat(permissions(store.home())).isEqualTo("rwx------");
    assertThat(permissions(run.descriptionFile())).isEqualTo("rw-------");
  }

  @Test
  void anotherUsersRunIsDeniedAndNotMissing() throws Exception {
    RunDirectory run = run("bank");
    Files.setPosixFilePermissions(run.path(), PosixFilePermissions.fromString("---------"));
    try {
      for (String name : List.of("bank-1", run.path().toString())) {
        assertThat(foundWithoutPrivileges(name))
            .contains("permission denied: " + run.path(), " belongs to ");
      }
    } finally {
      Files.setPosixFilePermissions(run.path(), PosixFilePermissions.fromString("rwx------"));
    }
  }

  /** What is said of a run in a process to which files can be denied, also if we are root. */
  private String foundWithoutPrivileges(String name) throws Exception {
    List<String> words = new ArrayList<>();
    if (Files.isReadable(store.home().resolve("bank-1"))) {
      words.addAll(List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search"));
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path");
    words.addAll(List.of(java, "-cp", classes, FindRun.class.getName()));
    words.addAll(List.of(store.home().toString(), name));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  /** Looks for a run in a process of its own, and prints what came of it. */
  static final class FindRun {
    static void main(String[] words) {
      try {
        System.out.println(new RunStore(Path.of(words[0])).find(Optional.of(words[1])).path());
      } catch (UserError e) {
        System.out.println(e.getMessage());
      }
    }

    private FindRun() {}
  }

  private static String permissions(Path path) throws Exception {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void aRunIsFoundByNamePathPrefixOrAsTheLatest() throws Exception {
    RunDirectory bank = run("bank");
    RunDirectory heat = run("heat");
    assertThat(store.find(Optional.empty())).isEqualTo(heat);
    assertThat(store.find(Optional.of("latest"))).isEqualTo(heat);
    assertThat(store.find(Optional.of("bank-1"))).isEqualTo(bank);
    assertThat(store.find(Optional.of("ba"))).isEqualTo(bank);
    assertThat(store.find(Optional.of(bank.path().toString()))).isEqualTo(bank);
    assertThat(store.list()).containsExactly(bank, heat);
  }

  @Test
  void aFullNameWinsOverAPrefix() throws Exception {
    RunDirectory first = run("bank");
    for (int i = 0; i < 10; i++) {
      run("bank");
    }
    assertThat(store.find(Optional.of("bank-1"))).isEqualTo(first);
  }

  @Test
  void withoutRunsTheFixIsToRecordOne() {
    assertThatThrownBy(() -> store.find(Optional.empty()))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("there are no runs yet")
        .hasMessageContaining("reprise record");
    assertThatThrownBy(() -> store.find(Optional.of("bank-1")))
        .hasMessageContaining("there are no runs yet");
  }

  @Test
  void anUnknownNameShowsTheNearest() throws Exception {
    run("bank");
    run("heat");
    run("advection");
    run("summation");
    assertThatThrownBy(() -> store.find(Optional.of("bnak-1")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("there is no run \"bnak-1\"")
        .hasMessageContaining("the nearest are bank-1");
    assertThatThrownBy(() -> store.find(Optional.of("x\0y"))).isInstanceOf(UserError.class);
    assertThatThrownBy(() -> store.find(Optional.of(""))).isInstanceOf(UserError.class);
    assertThatThrownBy(() -> store.find(Optional.of("/nowhere/bank")))
        .hasMessageContaining("there is no run \"/nowhere/bank\"");
  }

  @Test
  void anAmbiguousBeginningIsNotGuessed() throws Exception {
    run("bank");
    run("bank");
    assertThatThrownBy(() -> store.find(Optional.of("bank")))
        .hasMessageContaining("more than one run begins with \"bank\"")
        .hasMessageContaining("bank-1, bank-2");
  }

  @Test
  void anotherDirectoryIsNotARun() throws Exception {
    run("bank");
    assertThatThrownBy(() -> store.find(Optional.of(directory.toString())))
        .hasMessageContaining("is not a run")
        .hasMessageContaining("a directory without run.json");
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> store.find(Optional.of(file.toString())))
        .hasMessageContaining("not a directory");
  }

  @Test
  void aRunWithoutRanksIsNotTheLatestWhereThereIsAnother() throws Exception {
    RunDirectory bank = run("bank");
    RunDirectory heat = run("heat");
    store.forgetLatest();
    assertThat(store.latest()).as("none has ranks").isEqualTo(heat);
    Files.createFile(bank.orderFile(new Rank(0)));
    assertThat(store.latest()).isEqualTo(bank);
    store.remove(run("wave"));
    assertThat(store.latestIfAny()).contains(bank);
  }

  @Test
  void removingTheLatestMakesTheOneBeforeTheLatest() throws Exception {
    RunDirectory bank = run("bank");
    RunDirectory heat = run("heat");
    store.remove(heat);
    assertThat(heat.path()).doesNotExist();
    assertThat(store.latest()).isEqualTo(bank);
    store.remove(bank);
    assertThat(store.home().resolve("latest")).doesNotExist();
    assertThatThrownBy(() -> store.latest()).hasMessageContaining("there are no runs yet");
  }

  @Test
  void aRunBeingRecordedIsNotRemoved() throws Exception {
    RunDirectory run = store.create("bank");
    run.describe(recordedBy(LiveRecorder.self()));
    assertThatThrownBy(() -> store.remove(run))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("is still being recorded")
        .hasMessageContaining("process " + ProcessHandle.current().pid());
    RunDescription.RecorderProcess self = LiveRecorder.self();
    run.describe(
        recordedBy(
            new RunDescription.RecorderProcess(
                self.pid(), self.host(), self.started().minusSeconds(3600))));
    store.remove(run);
    assertThat(run.path()).as("its process number belongs to somebody else now").doesNotExist();
  }

  private static RunDescription recordedBy(RunDescription.RecorderProcess recorder) {
    RunDescription d = RunJsonTest.description();
    return new RunDescription(
        d.repriseVersion(),
        d.wireVersion(),
        d.name(),
        d.command(),
        d.directory(),
        d.program(),
        d.mpi(),
        d.ranks(),
        d.hosts(),
        d.environment(),
        d.inputs(),
        d.jitterSeed(),
        d.stdinKept(),
        d.stdinBytes(),
        d.callNames(),
        d.started(),
        d.ended(),
        d.ending(),
        d.rankEnds(),
        recorder,
        d.distilledFrom(),
        d.parent(),
        d.change(),
        d.automatic());
  }

  @Test
  void whatRepriseDidNotWriteIsNotRemoved() throws Exception {
    RunDirectory run = run("bank");
    Path thesis = Files.writeString(run.path().resolve("thesis.tex"), "years of work");
    assertThatThrownBy(() -> store.remove(run)).hasMessageContaining("not of a run");
    assertThat(thesis).exists();
    assertThatThrownBy(() -> store.remove(new RunDirectory(directory)))
        .hasMessageContaining("is not a run");
  }

  @Test
  void removingFollowsNoLink() throws Exception {
    RunDirectory run = run("bank");
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Path kept = Files.writeString(outside.resolve("kept"), "x");
    Files.createSymbolicLink(run.path().resolve("rank-0.order"), kept);
    Files.createSymbolicLink(run.path().resolve("replay-1"), outside);
    store.remove(run);
    assertThat(kept).exists();
    assertThat(run.path()).doesNotExist();
  }

  @Test
  void aLatestThatPointsNowhereFallsBackToTheNewest() throws Exception {
    RunDirectory bank = run("bank");
    RunDirectory heat = run("heat");
    PrivateFiles.removeTree(heat.path());
    assertThat(store.latest()).isEqualTo(bank);
  }
}
