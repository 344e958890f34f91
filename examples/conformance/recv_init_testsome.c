#include "scenario.h"

void scenario_recv_init_testsome(MPI_Comm comm, struct hash *h)
{
    enum { SLOTS = 4 };
    struct note note[SLOTS];
    MPI_Request request[SLOTS];
    int failed = 0;
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    for (int slot = 0; slot < SLOTS; slot++)
        MPI_Recv_init(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[slot]);
    MPI_Startall(SLOTS, request);
    int to_start = notes_to_come(comm) - SLOTS;
    for (;;) {
        int done, slot[SLOTS];
        MPI_Status status[SLOTS];
        MPI_Testsome(SLOTS, request, &done, slot, status);
        if (done == 0) {
            failed++;
            continue;
        }
        hash_int(h, failed);
        hash_int(h, done);
        if (done == MPI_UNDEFINED)
            break; /* all inactive */
        for (int i = 0; i < done; i++) {
            hash_int(h, slot[i]);
            hash_note(h, &status[i], &note[slot[i]]);
        }
        for (int i = 0; i < done && to_start > 0; i++, to_start--)
            MPI_Start(&request[slot[i]]);
    }
    for (int slot = 0; slot < SLOTS; slot++)
        MPI_Request_free(&request[slot]);
}
