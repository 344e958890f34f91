#include "scenario.h"

void scenario_all_to_all(MPI_Comm comm, struct hash *h)
{
    enum { ROUNDS = 4 };
    int rank = rank_in(comm), size = size_of(comm);
    for (int round = 0; round < ROUNDS; round++) {
        for (int distance = 1; distance < size; distance++) {
            struct note note = write_note(comm, round);
            jitter();
            MPI_Send(note.field, note_length(round), MPI_INT, (rank + distance) % size, NOTE_TAG, comm);
        }
    }
    for (int left = ROUNDS * (size - 1); left > 0; left--) {
        struct note note;
        MPI_Status status;
        MPI_Recv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &status);
        hash_note(h, &status, &note);
    }
}
