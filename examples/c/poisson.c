/*
 * poisson: Poisson's equation on the unit square by successive over-relaxation. The program Poisson of Thoai, Volkert
 * 2003, Table 7.1; the paper says only that it is a parallel solver, how its messages go is ours.
 *
 * Every rank owns a block of rows. The points are coloured like a chess board: a sweep computes the red ones, then the
 * black ones, and before each half the rows at the borders are exchanged with both neighbours. After every few sweeps
 * rank 0 collects the largest change and tells all ranks whether to go on.
 *
 *     mpirun -n 4 poisson [points a side] [sweeps at most] [change to stop at]
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_UP = 1, TAG_DOWN = 2, TAG_CHANGE = 3, TAG_GO_ON = 4 };
enum { SWEEPS_PER_CHECK = 10 };

static const double PI = 3.14159265358979323846;

struct grid {
    int points;      /* inner points a side */
    int rank, size;
    int first, rows; /* of this rank */
    double step;
    double *u;       /* rows + 2 of points + 2 */
};

static double *at(const struct grid *g, int row, int column)
{
    return g->u + (size_t)row * (size_t)(g->points + 2) + column;
}

/* Chosen so that the solution is sin(pi x) sin(pi y). */
static double right_hand_side(double x, double y)
{
    return -2.0 * PI * PI * sin(PI * x) * sin(PI * y);
}

static void exchange_borders(const struct grid *g)
{
    int up = g->rank > 0 ? g->rank - 1 : MPI_PROC_NULL;
    int down = g->rank + 1 < g->size ? g->rank + 1 : MPI_PROC_NULL;
    int width = g->points + 2;
    MPI_Sendrecv(at(g, 1, 0), width, MPI_DOUBLE, up, TAG_UP, at(g, g->rows + 1, 0), width, MPI_DOUBLE, down, TAG_UP,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(at(g, g->rows, 0), width, MPI_DOUBLE, down, TAG_DOWN, at(g, 0, 0), width, MPI_DOUBLE, up, TAG_DOWN,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Relaxes the points of one colour; returns the largest change. */
static double relax(struct grid *g, int colour, double omega)
{
    double largest = 0.0;
    for (int row = 1; row <= g->rows; row++) {
        int line = g->first + row;
        for (int column = 1 + (line + 1 + colour) % 2; column <= g->points; column += 2) {
            double *u = at(g, row, column);
            double around = u[-1] + u[1] + *at(g, row - 1, column) + *at(g, row + 1, column);
            double f = right_hand_side(column * g->step, line * g->step);
            double change = omega * (0.25 * (around - g->step * g->step * f) - *u);
            *u += change;
            largest = fmax(largest, fabs(change));
        }
    }
    return largest;
}

static double largest_of_all(const struct grid *g, double own)
{
    if (g->rank != 0) {
        MPI_Send(&own, 1, MPI_DOUBLE, 0, TAG_CHANGE, MPI_COMM_WORLD);
        MPI_Recv(&own, 1, MPI_DOUBLE, 0, TAG_GO_ON, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return own;
    }
    for (int k = 1; k < g->size; k++) {
        double other;
        MPI_Recv(&other, 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_CHANGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        own = fmax(own, other);
    }
    for (int peer = 1; peer < g->size; peer++)
        MPI_Send(&own, 1, MPI_DOUBLE, peer, TAG_GO_ON, MPI_COMM_WORLD);
    return own;
}

int main(int argc, char **argv)
{
    struct grid g;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &g.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &g.size);
    g.points = argc > 1 ? atoi(argv[1]) : 64;
    int sweeps_max = argc > 2 ? atoi(argv[2]) : 200;
    double enough = argc > 3 ? atof(argv[3]) : 1e-10;
    g.first = (int)((long)g.points * g.rank / g.size);
    g.rows = (int)((long)g.points * (g.rank + 1) / g.size) - g.first;
    g.step = 1.0 / (g.points + 1);
    g.u = calloc((size_t)(g.rows + 2) * (size_t)(g.points + 2), sizeof *g.u);
    double omega = 2.0 / (1.0 + sin(PI * g.step));

    double change = INFINITY;
    int sweeps = 0;
    while (sweeps < sweeps_max && change > enough) {
        double largest = 0.0;
        for (int k = 0; k < SWEEPS_PER_CHECK; k++, sweeps++) {
            largest = 0.0;
            for (int colour = 0; colour < 2; colour++) {
                exchange_borders(&g);
                largest = fmax(largest, relax(&g, colour, omega));
            }
        }
        change = largest_of_all(&g, largest);
    }

    double error = 0.0;
    for (int row = 1; row <= g.rows; row++)
        for (int column = 1; column <= g.points; column++)
            error = fmax(error, fabs(*at(&g, row, column)
                                     - sin(PI * column * g.step) * sin(PI * (g.first + row) * g.step)));
    error = largest_of_all(&g, error);
    if (g.rank == 0)
        printf("sweeps = %d, change = %.17g, error = %.3g\n", sweeps, change, error);
    free(g.u);
    MPI_Finalize();
    return 0;
}
