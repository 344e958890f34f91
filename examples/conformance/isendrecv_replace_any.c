#include "scenario.h"

#if MPI_VERSION >= 4
/* As with MPI_Sendrecv, the rank that is in the earliest round always has a message to take. */
void scenario_isendrecv_replace_any(MPI_Comm comm, struct hash *h)
{
    enum { ROUNDS = 12 };
    int rank = rank_in(comm), size = size_of(comm);
    for (int round = 0; round < ROUNDS; round++) {
        struct note note = write_note(comm, round);
        MPI_Status status;
        MPI_Request request;
        int dest = (rank + 1 + round % (size - 1)) % size;
        jitter();
        MPI_Isendrecv_replace(note.field, NOTE_INTS, MPI_INT, dest, NOTE_TAG, MPI_ANY_SOURCE, NOTE_TAG, comm,
                              &request);
        MPI_Wait(&request, &status);
        hash_note(h, &status, &note);
    }
}
#endif
