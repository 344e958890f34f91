/*
 * Rank 0 takes a message of every other rank twice, through a function that the compiler puts into both of its callers,
 * which it puts into main.
 */
#include <mpi.h>
#include <stdio.h>

#define INLINED static inline __attribute__((always_inline))

INLINED int take(int tag)
{
    MPI_Status status;
    MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
    return status.MPI_SOURCE;
}

INLINED int intended(int count)
{
    int sources = 0;
    for (int i = 0; i < count; i++)
        sources = 10 * sources + take(1);
    return sources;
}

INLINED int overlooked(int count)
{
    int sources = 0;
    for (int i = 0; i < count; i++)
        sources = 10 * sources + take(2);
    return sources;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        printf("%d\n", intended(size - 1));
        printf("%d\n", overlooked(size - 1));
    } else {
        MPI_Send(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        MPI_Send(NULL, 0, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
