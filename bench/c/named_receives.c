/*
 * named_receives: no choice is left to MPI, so there is nothing to record.
 *
 *     mpirun -n 2 named_receives [messages]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 3 };

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long messages = argc > 1 ? atol(argv[1]) : 100000;
    int message = 0;

    double start = MPI_Wtime();
    for (long i = 0; i < messages; i++)
        MPI_Sendrecv_replace(&message, 1, MPI_INT, (rank + 1) % size, TAG, (rank + size - 1) % size, TAG,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("elapsed = %.6f\n", MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
