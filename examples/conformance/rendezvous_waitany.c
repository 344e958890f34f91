#include "scenario.h"

#include <stdlib.h>

enum { INTS = 256 * 1024, ROUNDS = 3 };

void scenario_rendezvous_waitany(MPI_Comm comm, struct hash *h)
{
    int others = size_of(comm) - 1;
    int *message = calloc(INTS, sizeof *message);
    MPI_Request *request = malloc((size_t)others * sizeof *request);
    for (int round = 0; round < ROUNDS; round++) {
        if (rank_in(comm) != 0) {
            MPI_Status status;
            jitter();
            MPI_Recv(message, INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &status);
            hash_status(h, &status, MPI_INT);
            continue;
        }
        for (int i = 0; i < others; i++)
            MPI_Isend(message, INTS, MPI_INT, i + 1, NOTE_TAG, comm, &request[i]);
        for (int i = 0; i < others; i++) {
            int index;
            MPI_Waitany(others, request, &index, MPI_STATUS_IGNORE);
            hash_int(h, index);
        }
    }
    free(request);
    free(message);
}
