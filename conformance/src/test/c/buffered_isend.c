/*
 * Relies on buffering: every rank polls until its send is done, and only then receives. Where the transport waits for
 * the receiver (a small eager limit), a rank gives up after many polls, and the output tells how often.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

enum { TAG = 1, ROUNDS = 8, INTS = 256, POLLS_MAX = 30000 };

int main(int argc, char **argv)
{
    static int message[INTS], incoming[INTS];
    uint64_t hash = 14695981039346656037u;
    int rank, size, gave_up = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request request;
        MPI_Status status;
        int done = 0;
        MPI_Isend(message, INTS, MPI_INT, (rank + 1 + round % (size - 1)) % size, TAG, MPI_COMM_WORLD, &request);
        for (int polls = 0; !done && polls < POLLS_MAX; polls++)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        gave_up += !done;
        MPI_Recv(incoming, INTS, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
        hash = (hash ^ (uint64_t)status.MPI_SOURCE) * 1099511628211u;
        if (!done)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Reduce(&gave_up, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("order = %016llx, sends that waited for their receiver: %d\n", (unsigned long long)hash, all);
    MPI_Finalize();
    return 0;
}
