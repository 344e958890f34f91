#include "scenario.h"

enum { SLOTS = 4 };

void scenario_statuses_ignore(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 1);
        return;
    }
    for (int left = notes_to_come(comm), call = 0; left > 0; left -= SLOTS, call++) {
        struct note note[SLOTS];
        MPI_Request request[SLOTS];
        int done = 0, some, index[SLOTS];
        for (int slot = 0; slot < SLOTS; slot++)
            MPI_Irecv(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request[slot]);
        if (call % 4 == 0)
            MPI_Waitall(SLOTS, request, MPI_STATUSES_IGNORE);
        while (call % 4 == 1 && !done)
            MPI_Testall(SLOTS, request, &done, MPI_STATUSES_IGNORE);
        while (call % 4 >= 2 && done < SLOTS) {
            if (call % 4 == 2)
                MPI_Waitsome(SLOTS, request, &some, index, MPI_STATUSES_IGNORE);
            else
                MPI_Testsome(SLOTS, request, &some, index, MPI_STATUSES_IGNORE);
            for (int i = 0; i < some; i++)
                hash_int(h, index[i]);
            done += some;
        }
        for (int slot = 0; slot < SLOTS; slot++) {
            hash_int(h, note[slot].field[0]);
            hash_int(h, note[slot].field[1]);
        }
    }
}

_Static_assert(NOTES % SLOTS == 0, "every round fills all slots");
