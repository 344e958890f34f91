package org.reprise.trace.run;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.reprise.trace.file.Wire;

/**
 * Which environment variables a run keeps, and which of them a replay gets back.
 *
 * <p>Kept are the variables that change what an MPI program does and hold no secret. A replay of
 * the user's own run gets all of them back, including where programs and libraries are found. A run
 * of somebody else gives back settings only: no variable that can name code to load or a program to
 * start. What is not given back stays as it is in the user's environment.
 */
public final class RecordedEnvironment {
  private static final List<String> PREFIXES =
      List.of(
          "OMPI_", "MPICH_", "MPIR_", "PMIX_", "PRTE_", "UCX_", "FI_", "I_MPI_", "HYDRA_", "MV2_",
          "OMP_", "GOMP_", "KMP_", "PYTHON");
  private static final List<String> NAMES =
      List.of("PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", Wire.ENV_EAGER);

  /** A run is shown, copied and sent to others: what looks like a secret stays out of it. */
  private static final Pattern SECRET =
      Pattern.compile(
          "TOKEN|SECRET|PASSW|PASSPHRASE|PASSCODE|KEY|CREDENTIAL|AUTH|COOKIE|SESSION|PRIVATE"
              + "|SIGNATURE|BEARER|JWT");

  /**
   * Settings that name files, programs or libraries: search paths, compilers of wrappers, remote
   * shells, plug-ins, tools.
   */
  private static final Pattern NAMES_CODE =
      Pattern.compile(
          "^PYTHON(?!HASHSEED$)|^LD_|PATH|PREFIX|ROOT|HOME|DIR|FILE|LIB|MODULE|PLUGIN|COMPONENT"
              + "|TOOL|EXEC|AGENT|LAUNCH|BOOTSTRAP|RSH|SSH|SHELL|XTERM|SCRIPT|COMMAND|CMD|HOOK"
              + "|ARGS|OPTION|DEST|OUTPUT|MAIL"
              + "|DEBUGGER|ENV|PARAM|CONFIG|URI|_CC$|_CXX$|_CPP$|_FC$|_F77$|_F90$|FLAGS|WRAPPER"
              + "|CRS|SNAPSHOT|DLOPEN|_SO$");

  /** A word or a number: no place in the file system, and nothing that a shell would obey. */
  private static final Pattern SETTING = Pattern.compile("[A-Za-z0-9 _.,:;+^%*={}()-]*");

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** The part of an environment that a run keeps. */
  public static SortedMap<String, String> of(Map<String, String> environment) {
    SortedMap<String, String> kept = new TreeMap<>(environment);
    kept.keySet().removeIf(variable -> !isKept(variable));
    return kept;
  }

  /** Whether a run keeps a variable. */
  public static boolean isKept(String variable) {
    return NAME.matcher(variable).matches()
        && (NAMES.contains(variable) || PREFIXES.stream().anyMatch(variable::startsWith))
        && !isSecret(variable);
  }

  private static boolean isSecret(String variable) {
    return SECRET.matcher(upper(variable)).find();
  }

  /**
   * Whether a replay of a run gives a variable the value that it had.
   *
   * @param own whether the run is the user's own
   */
  public static boolean isRestored(String variable, RunDescription run, boolean own) {
    return isKept(variable)
        && (own
            || (!NAMES_CODE.matcher(upper(variable)).find()
                && SETTING.matcher(run.environment().getOrDefault(variable, "")).matches()));
  }

  private static String upper(String variable) {
    return variable.toUpperCase(Locale.ROOT);
  }

  /** The environment of a replay: that of the user, with what is restored from the run. */
  public static Map<String, String> restored(
      Map<String, String> users, RunDescription run, boolean own) {
    Map<String, String> environment = new HashMap<>(users);
    environment.keySet().removeIf(variable -> isRestored(variable, run, own));
    run.environment()
        .forEach(
            (variable, value) -> {
              if (isRestored(variable, run, own)) {
                environment.put(variable, value);
              }
            });
    return environment;
  }

  private RecordedEnvironment() {}
}
