/*
 * halo: a rod that is warm at one end, cut into pieces, and a mistake that shows only late in the run.
 *
 * Each rank holds a piece of the rod and gets the outermost cells of its neighbours in every step. The temperature rises
 * evenly from cell to cell, and averaging leaves it so: the deviation at the end must be 0. After a warm-up the program takes
 * the cells of its neighbours in whatever order they come, and believes that the first one is the left neighbour's. Often
 * it is.
 *
 *     mpirun -n 4 halo [steps]
 */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 6, TAG_CELL = 1 };

static int rank, size, left, right;
static double u[CELLS + 2]; /* 1 to CELLS are ours, 0 and CELLS + 1 the neighbours' */

static double expected(int cell) { return rank * CELLS + cell; }

/* The rod ends at fixed temperatures, so the first and the last rank have one neighbour only. */
static void send_cells(void)
{
    if (left != MPI_PROC_NULL)
        MPI_Send(&u[1], 1, MPI_DOUBLE, left, TAG_CELL, MPI_COMM_WORLD);
    if (right != MPI_PROC_NULL)
        MPI_Send(&u[CELLS], 1, MPI_DOUBLE, right, TAG_CELL, MPI_COMM_WORLD);
}

static void careful_exchange(void)
{
    send_cells();
    MPI_Recv(&u[0], 1, MPI_DOUBLE, left, TAG_CELL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&u[CELLS + 1], 1, MPI_DOUBLE, right, TAG_CELL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void quick_exchange(void)
{
    send_cells();
    if (left != MPI_PROC_NULL)
        MPI_Recv(&u[0], 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_CELL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (right != MPI_PROC_NULL)
        MPI_Recv(&u[CELLS + 1], 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_CELL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double relax(void)
{
    double next[CELLS + 2], worst = 0.0;
    for (int cell = 1; cell <= CELLS; cell++)
        next[cell] = (u[cell - 1] + u[cell + 1]) / 2;
    for (int cell = 1; cell <= CELLS; cell++) {
        u[cell] = next[cell];
        worst = fmax(worst, fabs(u[cell] - expected(cell)));
    }
    return worst;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int cell = 0; cell < CELLS + 2; cell++)
        u[cell] = expected(cell);

    int steps = argc > 1 ? atoi(argv[1]) : 1000;
    double deviation = 0.0;
    for (int step = 0; step < steps; step++) {
        if (step < steps - 100)
            careful_exchange();
        else
            quick_exchange();
        deviation = relax();
    }

    double worst;
    MPI_Reduce(&deviation, &worst, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("deviation = %g\n", worst);
    MPI_Finalize();
    return 0;
}
