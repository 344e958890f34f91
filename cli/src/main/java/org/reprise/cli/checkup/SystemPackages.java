package org.reprise.cli.checkup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How the packages of this system are got. */
public final class SystemPackages {
  /** The one command that installs these, by the names Debian has for them. */
  public static String install(String... debianPackages) {
    String packages = String.join(" ", debianPackages);
    if (!Files.isExecutable(Path.of("/usr/bin/apt-get"))) {
      return "install what your system calls " + packages;
    }
    return (isRoot() ? "" : "sudo ") + "apt-get install -y " + packages;
  }

  public static boolean isRoot() {
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException e) {
      return false;
    }
  }

  private SystemPackages() {}
}
