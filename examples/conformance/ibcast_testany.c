#include "scenario.h"

/* The broadcast comes from the last rank, which takes its time; the receiver is rank 0. */
void scenario_ibcast_testany(MPI_Comm comm, struct hash *h)
{
    enum { ROUNDS = 4 };
    int last = size_of(comm) - 1;
    for (int round = 0; round < ROUNDS; round++) {
        int value = rank_in(comm) == last ? 100 + round : -1, failed = 0;
        MPI_Request request[2];
        if (rank_in(comm) == last)
            send_notes(comm, 0, 2, 1);
        MPI_Ibcast(&value, 1, MPI_INT, last, comm, &request[0]);
        if (rank_in(comm) != 0) {
            if (rank_in(comm) != last)
                send_notes(comm, 0, 2, 1);
            MPI_Wait(&request[0], MPI_STATUS_IGNORE);
            hash_int(h, value);
            continue;
        }
        struct note note;
        int to_post = 2 * (size_of(comm) - 1) - 1;
        MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request[1]);
        for (;;) {
            int index, done;
            MPI_Status status;
            MPI_Testany(2, request, &index, &done, &status);
            if (!done) {
                failed++;
                continue;
            }
            hash_int(h, failed);
            hash_int(h, index);
            if (index == MPI_UNDEFINED)
                break;
            if (index == 0) {
                hash_int(h, value);
                continue;
            }
            hash_note(h, &status, &note);
            if (to_post-- > 0)
                MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request[1]);
        }
    }
}
