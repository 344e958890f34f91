package org.reprise.anomaly.agent.instrument;

/** Where the agent tells what it could not instrument; the verdict names it if it was executed. */
public interface Warnings {
  void methodLeftAlone(String className, String method, String why);
}
