package org.reprise.trace.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which variables a run keeps, and which of them reach a replay. */
class RecordedEnvironmentTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "PYTHON_KEYRING_PASSWORD",
        "FI_TOKEN",
        "OMPI_MCA_secret",
        "UCX_AUTH",
        "PMIX_COOKIE",
        "I_MPI_credentials",
        "MPICH_API_KEY",
        "PYTHON_SESSION",
        "OMP_passwd"
      })
  void secretsAreNotKept(String variable) {
    assertThat(RecordedEnvironment.of(Map.of(variable, "x", "OMP_NUM_THREADS", "2")))
        .containsOnlyKeys("OMP_NUM_THREADS");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PATH",
        "LD_LIBRARY_PATH",
        "LD_PRELOAD",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "PYTHONHOME",
        "OMPI_CC",
        "OMPI_MCA_plm_rsh_agent",
        "OMPI_MCA_mca_base_component_path",
        "OMPI_MCA_mca_base_env_list",
        "HYDRA_LAUNCHER_EXEC",
        "I_MPI_HYDRA_BOOTSTRAP_EXEC",
        "OMP_TOOL_LIBRARIES",
        "FI_PROVIDER_PATH",
        "UCX_MODULE_DIR",
        "MPICH_CC",
        "OMPI_MCA_plm_slurm_args",
        "UCX_STATS_DEST"
      })
  void whatNamesCodeIsOnlyTakenFromOnesOwnRun(String variable) {
    Map<String, String> users = Map.of(variable, "mine");
    assertThat(RecordedEnvironment.restored(users, run(variable, "theirs"), true))
        .containsEntry(variable, "theirs");
    assertThat(RecordedEnvironment.restored(users, run(variable, "theirs"), false))
        .containsEntry(variable, "mine");
    assertThat(RecordedEnvironment.restored(Map.of(), run(variable, "theirs"), false)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BASH_ENV", "ENV", "LD_AUDIT", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS",
        "PERL5OPT", "GIT_SSH_COMMAND", "GCONV_PATH", "OMP_=x", "PYTHON_TOKEN", ""
      })
  void whatNoRunKeepsIsNeverRestored(String variable) {
    for (boolean own : new boolean[] {true, false}) {
      assertThat(RecordedEnvironment.restored(Map.of("A", "b"), run(variable, "theirs"), own))
          .containsOnlyKeys("A");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"OMP_NUM_THREADS", "OMPI_MCA_btl", "FI_PROVIDER", "PYTHONHASHSEED", "UCX_TLS"})
  void settingsAreRestoredFromAnyRun(String variable) {
    assertThat(RecordedEnvironment.restored(Map.of(variable, "1"), run(variable, "2"), false))
        .containsEntry(variable, "2");
    assertThat(RecordedEnvironment.restored(Map.of(variable, "1"), run("A", "2"), false)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/tmp/theirs", "../theirs", "a|b", "$(id)", "`id`", "a\u001b[2J", "~/x"})
  void aSettingOfSomebodyElseThatIsMoreThanAWordIsNotTaken(String value) {
    Map<String, String> users = Map.of("OMPI_MCA_btl", "mine");
    assertThat(RecordedEnvironment.restored(users, run("OMPI_MCA_btl", value), false))
        .containsEntry("OMPI_MCA_btl", "mine");
    assertThat(RecordedEnvironment.restored(users, run("OMPI_MCA_btl", value), true))
        .containsEntry("OMPI_MCA_btl", value);
    assertThat(RecordedEnvironment.restored(users, run("OMPI_MCA_btl", "^openib,tcp"), false))
        .containsEntry("OMPI_MCA_btl", "^openib,tcp");
  }

  @Test
  void aSecretOfTheUserReachesTheReplayFromTheUser() {
    assertThat(RecordedEnvironment.restored(Map.of("FI_TOKEN", "mine"), run("FI_X", "1"), true))
        .containsEntry("FI_TOKEN", "mine");
  }

  private static RunDescription run(String variable, String value) {
    return RunJsonTest.withEnvironment(new TreeMap<>(Map.of(variable, value)));
  }
}
