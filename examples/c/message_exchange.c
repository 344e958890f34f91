/*
 * message_exchange: every rank sends to every other one and takes what comes first. The program Message Exchange of
 * Thoai, Volkert 2003, Table 7.1; their 120000 messages among 4 ranks are 10000 rounds.
 *
 * A rank folds what it receives into a digest and sends the digest on, so that one exchange of two messages early on
 * changes everything after it. Nothing keeps a fast rank from being rounds ahead of a slow one.
 *
 *     mpirun -n 4 message_exchange [rounds]
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 3 };

static uint32_t exchange(int rounds, int rank, int size)
{
    uint32_t digest = (uint32_t)rank;
    MPI_Request *sends = malloc((size_t)size * sizeof *sends);
    for (int round = 0; round < rounds; round++) {
        uint32_t outgoing = digest;
        for (int peer = 0; peer < size; peer++) {
            if (peer == rank)
                sends[peer] = MPI_REQUEST_NULL;
            else
                MPI_Isend(&outgoing, 1, MPI_UINT32_T, peer, TAG, MPI_COMM_WORLD, &sends[peer]);
        }
        for (int k = 1; k < size; k++) {
            uint32_t incoming;
            MPI_Status status;
            MPI_Recv(&incoming, 1, MPI_UINT32_T, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
            digest = digest * 31u + (incoming ^ (uint32_t)status.MPI_SOURCE);
        }
        MPI_Waitall(size, sends, MPI_STATUSES_IGNORE);
    }
    free(sends);
    return digest;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rounds = argc > 1 ? atoi(argv[1]) : 200;

    uint32_t digest = exchange(rounds, rank, size);

    uint32_t *digests = malloc((size_t)size * sizeof *digests);
    MPI_Gather(&digest, 1, MPI_UINT32_T, digests, 1, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("messages = %ld\ndigests =", (long)rounds * size * (size - 1));
        for (int peer = 0; peer < size; peer++)
            printf(" %08x", digests[peer]);
        printf("\n");
    }
    free(digests);
    MPI_Finalize();
    return 0;
}
