#include "scenario.h"

enum { SLOTS = 4, SENTINEL = 4242 };

/*
 * MPI leaves the field undefined on success; each library is consistent with itself. A program that looks there sees
 * the same in every run.
 */
static void hash_field(struct hash *h, const MPI_Status *status)
{
    hash_int(h, status->MPI_ERROR == SENTINEL);
    hash_int(h, status->MPI_ERROR == MPI_SUCCESS);
}

void scenario_status_error_field(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 1);
        return;
    }
    for (int left = notes_to_come(comm), call = 0; left > 0; left -= SLOTS, call++) {
        struct note note[SLOTS];
        MPI_Request request[SLOTS];
        MPI_Status status[SLOTS];
        int done = 0, some, index[SLOTS];
        for (int slot = 0; slot < SLOTS; slot++) {
            status[slot].MPI_ERROR = SENTINEL;
            MPI_Irecv(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request[slot]);
        }
        switch (call % 4) {
        case 0: /* one at a time */
            MPI_Wait(&request[0], &status[0]);
            while (!done)
                MPI_Test(&request[1], &done, &status[1]);
            MPI_Wait(&request[2], &status[2]);
            done = 0;
            while (!done)
                MPI_Request_get_status(request[3], &done, &status[3]);
            MPI_Request_free(&request[3]);
            break;
        case 1:
            for (int i = 0; i < SLOTS; i++)
                MPI_Waitany(SLOTS, request, &index[0], &status[i]);
            break;
        case 2:
            MPI_Waitall(SLOTS, request, status);
            break;
        case 3:
            while (done < SLOTS) {
                MPI_Waitsome(SLOTS, request, &some, index, status + done);
                done += some;
            }
            break;
        }
        for (int slot = 0; slot < SLOTS; slot++) {
            hash_field(h, &status[slot]);
            hash_status(h, &status[slot], MPI_INT);
        }
    }
}

_Static_assert(NOTES % SLOTS == 0, "every round fills all slots");
