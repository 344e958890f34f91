package org.reprise.launch.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.reprise.trace.MpiFamily;

/** Names of MPI libraries, and the family each belongs to. */
public final class MpiLibraries {
  /**
   * libmpi.so.40, and libmpi_mpifh.so.40 of a Fortran program, which may not name libmpi itself.
   */
  private static final Pattern OPEN_MPI = Pattern.compile("libmpi(_\\w+)?\\.so\\.(20|4[0-9])");

  /** libmpi.so.12 is the name MPICH, Intel MPI and MVAPICH agreed on; libmpich is Debian's. */
  private static final Pattern MPICH =
      Pattern.compile("libmpich\\w*\\.so\\.[0-9]+|libmpi(cxx|fort)?\\.so\\.12");

  public static Optional<MpiFamily> familyOf(Path executable) {
    return ElfFile.read(executable).flatMap(elf -> familyOf(elf.needed()));
  }

  static Optional<MpiFamily> familyOf(List<String> libraries) {
    for (String library : libraries) {
      if (OPEN_MPI.matcher(library).matches()) {
        return Optional.of(MpiFamily.OPEN_MPI);
      }
      if (MPICH.matcher(library).matches()) {
        return Optional.of(MpiFamily.MPICH);
      }
    }
    return Optional.empty();
  }

  private MpiLibraries() {}
}
