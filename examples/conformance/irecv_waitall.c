#include "scenario.h"

void scenario_irecv_waitall(MPI_Comm comm, struct hash *h)
{
    enum { SLOTS = 8 };
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    for (int left = notes_to_come(comm); left > 0; left -= SLOTS) {
        struct note note[SLOTS];
        MPI_Request request[SLOTS];
        MPI_Status status[SLOTS];
        for (int slot = 0; slot < SLOTS; slot++)
            MPI_Irecv(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[slot]);
        MPI_Waitall(SLOTS, request, status);
        for (int slot = 0; slot < SLOTS; slot++)
            hash_note(h, &status[slot], &note[slot]);
    }
}

_Static_assert(NOTES % 8 == 0, "every round fills all slots");
