/*
 * self_loop: a rank that sends to itself and receives from anywhere. A benchmark of the calls alone: no other process
 * has a part in it, so nothing is waited for.
 *
 *     mpirun -n 1 self_loop [rounds]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 5 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long rounds = argc > 1 ? atol(argv[1]) : 100000;

    double start = MPI_Wtime();
    for (long round = 0; round < rounds; round++) {
        long sent = round, received;
        MPI_Request request;
        MPI_Isend(&sent, 1, MPI_LONG, rank, TAG, MPI_COMM_WORLD, &request);
        MPI_Recv(&received, 1, MPI_LONG, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 0)
        printf("elapsed = %.6f\n", MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
