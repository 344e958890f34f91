#include "scenario.h"

void scenario_iallreduce_testsome(MPI_Comm comm, struct hash *h)
{
    enum { ROUNDS = 3, SLOTS = 2, REDUCTION = SLOTS };
    int rank = rank_in(comm), size = size_of(comm);
    for (int round = 0; round < ROUNDS; round++) {
        struct note note[SLOTS];
        MPI_Request request[SLOTS + 1];
        int mine = rank * round, sum, failed = 0;
        int to_come = size - 1, to_post = to_come;
        jitter();
        MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, &request[REDUCTION]);
        for (int slot = 0; slot < SLOTS; slot++) {
            request[slot] = MPI_REQUEST_NULL;
            if (to_post == 0)
                continue;
            MPI_Irecv(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG + round, comm, &request[slot]);
            to_post--;
        }
        for (int distance = 1; distance < size; distance++) {
            struct note out = write_note(comm, round);
            MPI_Send(out.field, note_length(round), MPI_INT, (rank + distance) % size, NOTE_TAG + round, comm);
        }
        for (;;) {
            int done, index[SLOTS + 1];
            MPI_Status status[SLOTS + 1];
            MPI_Testsome(SLOTS + 1, request, &done, index, status);
            if (done == MPI_UNDEFINED)
                break;
            if (done == 0) {
                failed++;
                continue;
            }
            hash_int(h, failed);
            for (int i = 0; i < done; i++) {
                hash_int(h, index[i]);
                if (index[i] == REDUCTION) {
                    hash_int(h, sum);
                    continue;
                }
                hash_note(h, &status[i], &note[index[i]]);
                if (to_post == 0)
                    continue;
                MPI_Irecv(note[index[i]].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG + round, comm,
                          &request[index[i]]);
                to_post--;
            }
        }
    }
}
