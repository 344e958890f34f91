#include "scenario.h"

void scenario_cancel_waitall(MPI_Comm comm, struct hash *h)
{
    enum { ATTEMPTS = 15, SLOTS = 4 };
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    int left = notes_to_come(comm);
    for (int attempt = 0; attempt < ATTEMPTS && left >= SLOTS; attempt++) {
        struct note note[SLOTS];
        MPI_Request request[SLOTS];
        MPI_Status status[SLOTS];
        for (int slot = 0; slot < SLOTS; slot++)
            MPI_Irecv(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[slot]);
        jitter();
        for (int slot = SLOTS - 1; slot >= 0; slot--)
            MPI_Cancel(&request[slot]);
        MPI_Waitall(SLOTS, request, status);
        for (int slot = 0; slot < SLOTS; slot++) {
            int cancelled;
            hash_note(h, &status[slot], &note[slot]);
            MPI_Test_cancelled(&status[slot], &cancelled);
            left -= !cancelled;
        }
    }
    hash_int(h, left);
    receive_notes(comm, left, h);
}
