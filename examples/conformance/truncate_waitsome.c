#include "scenario.h"

/* One note in three is longer than the receiver's room. What is truncated is received nevertheless, and is gone. */
void scenario_truncate_waitsome(MPI_Comm comm, struct hash *h)
{
    enum { ROOM = NOTE_INTS - 1, SLOTS = 4 };
    struct note note[SLOTS];
    MPI_Request request[SLOTS];
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    return_errors(comm);
    int to_post = notes_to_come(comm);
    for (int slot = 0; slot < SLOTS; slot++, to_post--)
        MPI_Irecv(note[slot].field, ROOM, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[slot]);
    for (;;) {
        int done, slot[SLOTS];
        MPI_Status status[SLOTS];
        int error = MPI_Waitsome(SLOTS, request, &done, slot, status);
        hash_error(h, error);
        hash_int(h, done);
        if (done == MPI_UNDEFINED)
            break;
        for (int i = 0; i < done; i++) {
            int failure = error == MPI_ERR_IN_STATUS ? status[i].MPI_ERROR : MPI_SUCCESS;
            hash_int(h, slot[i]);
            hash_error(h, failure);
            hash_int(h, status[i].MPI_SOURCE);
            hash_int(h, status[i].MPI_TAG);
            if (failure == MPI_SUCCESS)
                hash_note(h, &status[i], &note[slot[i]]);
        }
        for (int i = 0; i < done && to_post > 0; i++, to_post--)
            MPI_Irecv(note[slot[i]].field, ROOM, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[slot[i]]);
    }
    die_of_errors(comm);
}
