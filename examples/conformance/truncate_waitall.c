#include "scenario.h"

/* One note in three is longer than the receiver's room. What is truncated is received nevertheless, and is gone. */
void scenario_truncate_waitall(MPI_Comm comm, struct hash *h)
{
    enum { ROOM = NOTE_INTS - 1, SLOTS = 4 };
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    return_errors(comm);
    for (int left = notes_to_come(comm); left > 0; left -= SLOTS) {
        struct note note[SLOTS];
        MPI_Request request[SLOTS];
        MPI_Status status[SLOTS];
        for (int slot = 0; slot < SLOTS; slot++)
            MPI_Irecv(note[slot].field, ROOM, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[slot]);
        int error = MPI_Waitall(SLOTS, request, status);
        hash_error(h, error);
        for (int slot = 0; slot < SLOTS; slot++) {
            int failure = error == MPI_ERR_IN_STATUS ? status[slot].MPI_ERROR : MPI_SUCCESS;
            while (failure == MPI_ERR_PENDING) /* MPI_Waitall may give up before the others are complete */
                failure = MPI_Wait(&request[slot], &status[slot]);
            hash_error(h, failure);
            hash_int(h, status[slot].MPI_SOURCE);
            hash_int(h, status[slot].MPI_TAG);
            if (failure == MPI_SUCCESS)
                hash_note(h, &status[slot], &note[slot]);
        }
    }
    die_of_errors(comm);
}

_Static_assert(NOTES % 4 == 0, "every round fills all slots");
