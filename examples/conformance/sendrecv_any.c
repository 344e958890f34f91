#include "scenario.h"

/*
 * In every round each rank is sent one message and takes one, not always that of this round. The rank that is in the
 * earliest round always has a message to take, so none waits for ever.
 */
void scenario_sendrecv_any(MPI_Comm comm, struct hash *h)
{
    enum { ROUNDS = 12 };
    int rank = rank_in(comm), size = size_of(comm);
    for (int round = 0; round < ROUNDS; round++) {
        struct note note;
        MPI_Status status;
        int dest = (rank + 1 + round % (size - 1)) % size;
        jitter();
        struct note mine = write_note(comm, round);
        MPI_Sendrecv(mine.field, note_length(round), MPI_INT, dest, NOTE_TAG, note.field, NOTE_INTS, MPI_INT,
                     MPI_ANY_SOURCE, NOTE_TAG, comm, &status);
        hash_note(h, &status, &note);
    }
}
