#include "scenario.h"

void scenario_cancel_waitall(MPI_Comm comm, struct hash *h)
{
    enum { ATTEMPTS = 40, SLOTS = 4, UNUSED_TAG = 1 };
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    int left = notes_to_come(comm);
    for (int attempt = 0; attempt < ATTEMPTS && left >= SLOTS; attempt++) {
        struct note note[SLOTS];
        MPI_Request request[SLOTS];
        MPI_Status status[SLOTS];
        int there;
        for (int slot = 0; slot < SLOTS; slot++)
            MPI_Irecv(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[slot]);
        jitter();
        MPI_Iprobe(MPI_ANY_SOURCE, UNUSED_TAG, comm, &there, MPI_STATUS_IGNORE); /* lets messages arrive */
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
