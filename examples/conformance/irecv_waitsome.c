#include "scenario.h"

void scenario_irecv_waitsome(MPI_Comm comm, struct hash *h)
{
    enum { SLOTS = 6 };
    struct note note[SLOTS];
    MPI_Request request[SLOTS];

    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    int to_post = notes_to_come(comm);
    for (int slot = 0; slot < SLOTS; slot++, to_post--)
        MPI_Irecv(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[slot]);
    for (;;) {
        int done, slot[SLOTS];
        MPI_Status status[SLOTS];
        jitter();
        MPI_Waitsome(SLOTS, request, &done, slot, status);
        hash_int(h, done);
        if (done == MPI_UNDEFINED)
            break;
        for (int i = 0; i < done; i++) {
            hash_int(h, slot[i]);
            hash_note(h, &status[i], &note[slot[i]]);
        }
        for (int i = 0; i < done && to_post > 0; i++, to_post--)
            MPI_Irecv(note[slot[i]].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[slot[i]]);
    }
}
