#include "scenario.h"

#if MPI_VERSION >= 4
/* As with MPI_Sendrecv, the rank that is in the earliest round always has a message to take. */
void scenario_isendrecv_any(MPI_Comm comm, struct hash *h)
{
    enum { ROUNDS = 12 };
    int rank = rank_in(comm), size = size_of(comm);
    for (int round = 0; round < ROUNDS; round++) {
        struct note note;
        int done = 0;
        MPI_Status status;
        MPI_Request request;
        int dest = (rank + 1 + round % (size - 1)) % size;
        jitter();
        struct note mine = write_note(comm, round);
        MPI_Isendrecv(mine.field, note_length(round), MPI_INT, dest, NOTE_TAG, note.field, NOTE_INTS, MPI_INT,
                      MPI_ANY_SOURCE, NOTE_TAG, comm, &request);
        for (int failed = 0; !done; failed++) {
            MPI_Test(&request, &done, &status);
            if (done)
                hash_int(h, failed);
        }
        hash_note(h, &status, &note);
    }
}
#endif
