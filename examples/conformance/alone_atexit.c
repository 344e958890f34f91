/*
 * An exit handler that still talks to MPI when MPI is finalized: whether it is, and, with Open MPI, the time. (MPICH
 * 4.0 ends a program that asks for the time then.)
 *
 *     mpirun -n 4 alone_atexit
 */
#include "note.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

static int rank;
#ifdef OPEN_MPI
static double start;
#endif

static void say_goodbye(void)
{
    int initialized, finalized;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (rank != 0)
        return;
    printf("at exit: initialized = %d, finalized = %d\n", initialized, finalized);
#ifdef OPEN_MPI
    printf("at exit: time went on = %d\n", MPI_Wtime() >= start);
#endif
}

int main(int argc, char **argv)
{
    struct hash h = hash_start();
    atexit(say_goodbye);
    MPI_Init(&argc, &argv);
#ifdef OPEN_MPI
    start = MPI_Wtime();
#endif
    rank = rank_in(MPI_COMM_WORLD);
    race_to_zero(MPI_COMM_WORLD, &h);
    report_hash("alone_atexit", &h, false);
    MPI_Finalize();
    return 0;
}
