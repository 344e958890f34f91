#include "scenario.h"

void scenario_irecv_testany(MPI_Comm comm, struct hash *h)
{
    enum { SLOTS = 4, TAGS = 2 };
    struct note note[SLOTS];
    MPI_Request request[SLOTS];
    int posted[TAGS] = {0}, failed = 0;

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
        int slot, done;
        MPI_Status status;
        MPI_Testany(SLOTS, request, &slot, &done, &status);
        if (!done) {
            failed++;
            continue;
        }
        hash_int(h, failed);
        hash_int(h, slot);
        if (slot == MPI_UNDEFINED)
            break; /* true without a request: none was active */
        hash_note(h, &status, &note[slot]);
        int tag = slot % TAGS;
        if (posted[tag] == of_tag)
            continue;
        posted[tag]++;
        MPI_Irecv(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG + tag, comm, &request[slot]);
    }
}
