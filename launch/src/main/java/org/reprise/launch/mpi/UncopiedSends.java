package org.reprise.launch.mpi;

import java.util.Collection;
import java.util.OptionalLong;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;

/**
 * From which size on sends leave from the program's own buffer in a replay, and are waited for.
 * Every send of that size completed in the recording because of its receive, so a replay may wait
 * for it as the recording did.
 */
public final class UncopiedSends {
  private UncopiedSends() {}

  /**
   * The size in bytes; empty if all sends need a copy. They do in a replay of a run that was cut
   * off: which receive had matched at its end is not always known; and of one with several threads,
   * whose calls are held back.
   */
  public static OptionalLong from(Collection<RankHeader> recorded, int ranks) {
    boolean whole =
        recorded.size() == ranks
            && recorded.stream()
                .allMatch(
                    header ->
                        header.state() == Wire.State.FINALIZED
                            && header.get(HeaderField.RENDEZVOUS_BYTES) > 0
                            && !header.has(Wire.Flag.MANY_THREADS)
                            && !header.has(Wire.Flag.DISK_FULL)
                            && !header.has(Wire.Flag.SPAWNED)
                            && !header.has(Wire.Flag.SECOND_JOB));
    return whole
        ? recorded.stream().mapToLong(header -> header.get(HeaderField.RENDEZVOUS_BYTES)).max()
        : OptionalLong.empty();
  }
}
