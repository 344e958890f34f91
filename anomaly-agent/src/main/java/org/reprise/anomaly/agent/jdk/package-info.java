/**
 * Where the JDK forks, runs and joins: its classes are retransformed to tell, and what they tell
 * becomes blocks. Everything that depends on how a JDK is built is here.
 */
@NullMarked
package org.reprise.anomaly.agent.jdk;

import org.jspecify.annotations.NullMarked;
