#include "scenario.h"

/* Slots for tag A and tag B: which completes first is a race besides which sender it gets. */
void scenario_irecv_waitany(MPI_Comm comm, struct hash *h)
{
    enum { SLOTS = 4, TAGS = 2 };
    struct note note[SLOTS];
    MPI_Request request[SLOTS];
    int posted[TAGS] = {0};

    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, TAGS);
        return;
    }
    int of_tag = notes_to_come(comm) / TAGS;
    for (int slot = 0; slot < SLOTS; slot++) {
        int tag = slot % TAGS;
        posted[tag]++;
        MPI_Irecv(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG + tag, comm, &request[slot]);
    }
    for (;;) {
        int slot;
        MPI_Status status;
        MPI_Waitany(SLOTS, request, &slot, &status);
        hash_int(h, slot);
        if (slot == MPI_UNDEFINED)
            break;
        hash_note(h, &status, &note[slot]);
        int tag = slot % TAGS;
        if (posted[tag] == of_tag)
            continue; /* leaves a null request in the array */
        posted[tag]++;
        MPI_Irecv(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG + tag, comm, &request[slot]);
    }
}

_Static_assert(NOTES % 2 == 0, "each tag is sent as often as the other");
