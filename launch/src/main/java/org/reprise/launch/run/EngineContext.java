package org.reprise.launch.run;

import java.util.function.Consumer;
import org.reprise.launch.process.Surroundings;

/**
 * What an engine is given by the command that uses it.
 *
 * @param console where ranks print that are threads of this process; others inherit its output
 * @param told gets sentences for standard error: what is other than when a run was recorded, why a
 *     program cannot go on
 * @param permission whether the command of a recorded run may be executed
 */
public record EngineContext(
    Surroundings surroundings, RankConsole console, Consumer<String> told, Permission permission) {}
