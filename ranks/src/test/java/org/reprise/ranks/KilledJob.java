package org.reprise.ranks;

import static org.reprise.ranks.Programs.recv;
import static org.reprise.ranks.Programs.send;

import java.nio.file.Path;

/** A process that records messages without end, to be killed. */
final class KilledJob {
  public static void main(String[] arguments) {
    EmbeddedJob.run(
        JobRequest.of(3, new Schedule.Free()).tracedIn(Path.of(arguments[0])),
        rank -> {
          while (true) {
            if (rank == 0) {
              recv();
              recv();
              send(1, 0, 1);
              send(2, 0, 1);
            } else {
              send(0, rank, 1);
              recv(0, 0);
            }
          }
        });
  }

  private KilledJob() {}
}
