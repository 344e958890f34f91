#include "scenario.h"

#include <stdbool.h>

/* Nobody knows how many messages to expect: a rank is finished when all ranks have seen their own sends arrive. */
void scenario_nbx(MPI_Comm comm, struct hash *h)
{
    enum { ROUNDS = 2, SENDS = 6 };
    int rank = rank_in(comm), size = size_of(comm);
    for (int round = 0; round < ROUNDS; round++) {
        struct note out[SENDS];
        MPI_Request send[SENDS], barrier;
        bool in_barrier = false;
        int failed = 0, finished = 0;
        for (int i = 0; i < SENDS; i++) {
            out[i] = write_note(comm, i);
            jitter();
            MPI_Issend(out[i].field, note_length(i), MPI_INT, (rank + 1 + (i * i + round) % (size - 1)) % size,
                       NOTE_TAG + round, comm, &send[i]);
        }
        while (!finished) {
            MPI_Status status = {0};
            int there, sent;
            MPI_Iprobe(MPI_ANY_SOURCE, NOTE_TAG + round, comm, &there, &status);
            if (there) {
                struct note in;
                MPI_Recv(in.field, NOTE_INTS, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, &status);
                hash_int(h, failed);
                hash_note(h, &status, &in);
            } else {
                failed++;
            }
            if (in_barrier) {
                MPI_Test(&barrier, &finished, MPI_STATUS_IGNORE);
                continue;
            }
            MPI_Testall(SENDS, send, &sent, MPI_STATUSES_IGNORE);
            if (!sent)
                continue;
            hash_int(h, failed);
            MPI_Ibarrier(comm, &barrier);
            in_barrier = true;
        }
        hash_int(h, failed);
    }
}
