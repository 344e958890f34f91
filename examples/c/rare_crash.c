/*
 * rare_crash: crashes if a message comes earlier than its author thought.
 *
 * Every worker sends rank 0 one estimate, and rank 0 keeps the best. Worker 1 has the least to do, so its estimate
 * comes first, and rank 0 takes the first one as the one to beat. That is what happens in nearly every run. In the
 * others another worker is faster, there is nothing to compare with yet, and rank 0 follows a null pointer.
 *
 *     mpirun -n 4 rare_crash
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_ESTIMATE = 1 };

struct estimate {
    double error;
    int worker;
};

/* Stands for the computation of an estimate: the higher the rank, the longer it takes. */
static struct estimate compute(int rank)
{
    volatile double x = 1.0;
    for (long left = rank * 20000L; left > 0; left--)
        x = x * 0.5 + 1.0;
    return (struct estimate){.error = 1.0 / rank, .worker = rank};
}

static void collect(int size)
{
    struct estimate *best = NULL;
    for (int left = size - 1; left > 0; left--) {
        struct estimate *next = malloc(sizeof *next);
        MPI_Recv(next, sizeof *next, MPI_BYTE, MPI_ANY_SOURCE, TAG_ESTIMATE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (next->worker == 1 || next->error < best->error)
            best = next;
    }
    printf("best estimate: worker %d\n", best->worker);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        collect(size);
    } else {
        struct estimate mine = compute(rank);
        MPI_Send(&mine, sizeof mine, MPI_BYTE, 0, TAG_ESTIMATE, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
