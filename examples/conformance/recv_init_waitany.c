#include "scenario.h"

/* A request that completed stays in the array, inactive, until all of its round have: then all start again. */
void scenario_recv_init_waitany(MPI_Comm comm, struct hash *h)
{
    enum { SLOTS = 4 };
    struct note note[SLOTS];
    MPI_Request request[SLOTS];
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    for (int slot = 0; slot < SLOTS; slot++)
        MPI_Recv_init(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG + slot % 2, comm,
                      &request[slot]);
    for (int left = notes_to_come(comm); left > 0; left -= SLOTS) {
        MPI_Startall(SLOTS, request);
        for (;;) {
            int slot;
            MPI_Status status;
            MPI_Waitany(SLOTS, request, &slot, &status);
            hash_int(h, slot);
            if (slot == MPI_UNDEFINED)
                break;
            hash_note(h, &status, &note[slot]);
        }
    }
    for (int slot = 0; slot < SLOTS; slot++)
        MPI_Request_free(&request[slot]);
}

_Static_assert(NOTES % 4 == 0, "every round fills all slots");
