#include "scenario.h"

/* The barrier completes somewhere between the receives: the other ranks enter it in the middle of their sends. */
void scenario_ibarrier_waitany(MPI_Comm comm, struct hash *h)
{
    enum { ROUNDS = 4, SLOTS = 3, BARRIER = SLOTS };
    for (int round = 0; round < ROUNDS; round++) {
        struct note note[SLOTS];
        MPI_Request request[SLOTS + 1];
        MPI_Ibarrier(comm, &request[BARRIER]);
        if (rank_in(comm) != 0) {
            send_notes(comm, 0, SLOTS, 1);
            MPI_Wait(&request[BARRIER], MPI_STATUS_IGNORE);
            send_notes(comm, 0, SLOTS, 1);
            continue;
        }
        for (int left = 2 * (size_of(comm) - 1); left > 0; left--) {
            for (int slot = 0; slot < SLOTS; slot++)
                MPI_Irecv(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request[slot]);
            for (int open = SLOTS; open > 0;) {
                int index;
                MPI_Status status;
                MPI_Waitany(SLOTS + 1, request, &index, &status);
                hash_int(h, index);
                if (index == BARRIER)
                    continue;
                hash_note(h, &status, &note[index]);
                open--;
            }
        }
        MPI_Wait(&request[BARRIER], MPI_STATUS_IGNORE);
    }
}
