package org.reprise.launch.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.file.Wire;

/**
 * A command that takes the interposer into its ranks: its words and its whole environment.
 *
 * <p>The environment reaches the ranks on this machine with every launcher. Open MPI's forgets it
 * for other machines, so there the variables are named with {@code -x}, which holds for one of the
 * contexts that {@code :} separates only. The library itself is then given there and not in the
 * environment: an interrupted mpirun that had it loaded was seen to hang in its own end.
 */
public record PreparedCommand(List<String> words, Map<String, String> environment) {
  private static final String PRELOAD = "LD_PRELOAD";
  private static final String ENV_LIST = "mca_base_env_list";

  public PreparedCommand {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  /**
   * Prepares a command.
   *
   * @param libraries to be loaded into the ranks, in this order
   * @param variables what the interposer is told, by the names in {@link Wire}
   * @param options further words for the launcher, if the command starts it
   */
  public static PreparedCommand of(
      LaunchCommand command,
      Surroundings surroundings,
      Optional<MpiFamily> launcherFamily,
      List<Path> libraries,
      Map<String, String> variables,
      List<String> options) {
    String ours = libraries.stream().map(Path::toString).collect(Collectors.joining(":"));
    Map<String, String> environment = new HashMap<>(surroundings.environment());
    environment.keySet().removeAll(TOLD);
    environment.putAll(variables);
    String preload = behind(surroundings.environment().getOrDefault(PRELOAD, ""), ours);
    List<String> words = new ArrayList<>();
    boolean exports =
        launcherFamily.equals(Optional.of(MpiFamily.OPEN_MPI))
            && command.startsLauncher()
            && !namesEnvironmentList(command, surroundings);
    boolean usersOwn = command.words().stream().anyMatch(word -> word.startsWith(PRELOAD + "="));
    boolean inEnvironment = !exports || usersOwn;
    if (inEnvironment) {
      environment.put(PRELOAD, preload);
    }
    for (int i = 0; i < command.words().size(); i++) {
      String word = command.words().get(i);
      words.add(withLibraries(word, ours));
      boolean isLauncher = command.launcherIndex().orElse(-1) == i;
      boolean behindLauncher = i > command.launcherIndex().orElse(Integer.MAX_VALUE);
      boolean contextBegins = isLauncher || (behindLauncher && word.equals(":"));
      if (contextBegins && exports) {
        words.add("-x");
        words.add(inEnvironment ? PRELOAD : PRELOAD + "=" + preload);
        Stream.concat(variables.keySet().stream(), kept(environment))
            .sorted()
            .forEach(
                name -> {
                  words.add("-x");
                  words.add(name);
                });
      }
      if (isLauncher && command.startsLauncher()) {
        words.addAll(options);
      }
    }
    return new PreparedCommand(words, environment);
  }

  /** Settings of the run that are no message to this one job, and that its ranks elsewhere need. */
  private static Stream<String> kept(Map<String, String> environment) {
    return Stream.of(Wire.ENV_EAGER).filter(environment::containsKey);
  }

  private static final List<String> TOLD =
      List.of(
          Wire.ENV_MODE,
          Wire.ENV_RUN,
          Wire.ENV_PLAN,
          Wire.ENV_JITTER,
          Wire.ENV_INPUTS,
          Wire.ENV_EVENTS,
          Wire.ENV_LIVE,
          Wire.ENV_POLLS,
          Wire.ENV_HOLD);

  /** Behind the user's own libraries: AddressSanitizer insists on being the first. */
  private static String behind(String users, String ours) {
    return users.isBlank() ? ours : users + ":" + ours;
  }

  /** A user's own {@code -x LD_PRELOAD=...} or {@code env LD_PRELOAD=...} would push us out. */
  private static String withLibraries(String word, String ours) {
    return word.startsWith(PRELOAD + "=")
        ? PRELOAD + "=" + behind(word.substring(PRELOAD.length() + 1), ours)
        : word;
  }

  /** Open MPI refuses to start when both -x and its list of variables are given. */
  private static boolean namesEnvironmentList(LaunchCommand command, Surroundings surroundings) {
    return command.words().contains(ENV_LIST)
        || surroundings.environment().containsKey("OMPI_MCA_" + ENV_LIST);
  }
}
