#include "scenario.h"

#include <stdlib.h>

enum { INTS = 256 * 1024, MESSAGES = 3 };

/* The sender sees when the receiver takes the message, by the number of polls that failed. */
static void send_big(MPI_Comm comm, struct hash *h)
{
    int *message = calloc(INTS, sizeof *message);
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Request request;
        int done = 0, failed = -1;
        message[0] = rank_in(comm);
        message[INTS - 1] = i;
        jitter();
        MPI_Isend(message, INTS, MPI_INT, 0, NOTE_TAG, comm, &request);
        while (!done) {
            failed++;
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        }
        hash_int(h, failed);
    }
    free(message);
}

void scenario_rendezvous_test(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_big(comm, h);
        return;
    }
    int *message = calloc(INTS, sizeof *message);
    for (int left = (size_of(comm) - 1) * MESSAGES; left > 0; left--) {
        MPI_Status status;
        jitter();
        MPI_Recv(message, INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &status);
        hash_status(h, &status, MPI_INT);
        hash_int(h, message[0]);
        hash_int(h, message[INTS - 1]);
    }
    free(message);
}
