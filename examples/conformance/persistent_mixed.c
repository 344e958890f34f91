#include "scenario.h"

#include <stdlib.h>

/* Each round rank 0 sends to every worker and receives as many from any, all persistent; workers answer in kind. */
void scenario_persistent_mixed(MPI_Comm comm, struct hash *h)
{
    enum { ROUNDS = 8 };
    int workers = size_of(comm) - 1;
    if (rank_in(comm) != 0) {
        struct note in, out = write_note(comm, 0);
        MPI_Request pair[2];
        MPI_Recv_init(in.field, NOTE_INTS, MPI_INT, 0, NOTE_TAG, comm, &pair[0]);
        MPI_Send_init(out.field, NOTE_INTS, MPI_INT, 0, NOTE_TAG, comm, &pair[1]);
        for (int round = 0; round < ROUNDS; round++) {
            MPI_Status status[2];
            out.field[1] = round;
            jitter();
            MPI_Startall(2, pair);
            MPI_Waitall(2, pair, status);
            hash_note(h, &status[0], &in);
        }
        MPI_Request_free(&pair[0]);
        MPI_Request_free(&pair[1]);
        return;
    }
    int requests = 2 * workers;
    struct note *note = malloc((size_t)requests * sizeof *note);
    MPI_Request *request = malloc((size_t)requests * sizeof *request);
    MPI_Status *status = malloc((size_t)requests * sizeof *status);
    int *index = malloc((size_t)requests * sizeof *index);
    for (int worker = 1; worker <= workers; worker++) {
        int send = 2 * (worker - 1), receive = send + 1;
        note[send] = write_note(comm, worker);
        MPI_Send_init(note[send].field, NOTE_INTS, MPI_INT, worker, NOTE_TAG, comm, &request[send]);
        MPI_Recv_init(note[receive].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request[receive]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        int done, failed = 0;
        MPI_Startall(requests, request);
        for (;;) {
            MPI_Testsome(requests, request, &done, index, status);
            if (done == MPI_UNDEFINED)
                break;
            if (done == 0) {
                failed++;
                continue;
            }
            hash_int(h, failed);
            for (int i = 0; i < done; i++) {
                hash_int(h, index[i]);
                if (index[i] % 2 == 1)
                    hash_note(h, &status[i], &note[index[i]]);
            }
        }
    }
    for (int i = 0; i < requests; i++)
        MPI_Request_free(&request[i]);
    free(index);
    free(status);
    free(request);
    free(note);
}
