/*
 * jacobi: a system of linear equations by Jacobi iteration. The program Jacobi Iteration of Thoai, Volkert 2003,
 * Table 7.1.
 *
 * Every rank owns a block of rows. After each step it sends its part of the solution to all others and takes theirs
 * in the order in which they come: the source says where a part belongs, so the solution does not depend on that
 * order. The residual does: every few rows a rank reports what they add to it, rank 0 adds up the reports as they
 * come, and rounding does the rest.
 *
 *     mpirun -n 4 jacobi [unknowns] [steps at most] [residual to stop at]
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* A fast rank may send its next part before a slow one has all of this step: two tags keep the steps apart. */
enum { TAG_EVEN = 10, TAG_ODD = 11, TAG_RESIDUAL = 12 };
enum { ROWS_PER_REPORT = 6 };

struct system {
    int unknowns;
    int rank, size;
    double *x, *next;
};

static int first_row(const struct system *s, int rank)
{
    return (int)((long)s->unknowns * rank / s->size);
}

/* Diagonally dominant, so that the iteration converges, by about a half each step. */
static double coefficient(const struct system *s, int row, int column)
{
    if (row == column)
        return 2.0 * s->unknowns;
    return 1.0 + 0.3 * ((row * 7 + column * 13) % 5 - 2) / 2.0;
}

static double right_hand_side(int row)
{
    return 1.0 + row % 17;
}

/* One step on this rank's rows; returns, on rank 0, their part of the squared residual. */
static double step(struct system *s)
{
    int begin = first_row(s, s->rank), end = first_row(s, s->rank + 1);
    double residual = 0.0;
    for (int row = begin; row < end; row++) {
        double off_diagonal = 0.0;
        for (int column = 0; column < s->unknowns; column++)
            if (column != row)
                off_diagonal += coefficient(s, row, column) * s->x[column];
        s->next[row] = (right_hand_side(row) - off_diagonal) / coefficient(s, row, row);
        residual += (s->next[row] - s->x[row]) * (s->next[row] - s->x[row]);
        if (s->rank != 0 && ((row - begin) % ROWS_PER_REPORT == ROWS_PER_REPORT - 1 || row == end - 1)) {
            MPI_Send(&residual, 1, MPI_DOUBLE, 0, TAG_RESIDUAL, MPI_COMM_WORLD);
            residual = 0.0;
        }
    }
    return residual;
}

static void exchange_parts(struct system *s, int tag, MPI_Request *sends)
{
    int mine = first_row(s, s->rank), rows = first_row(s, s->rank + 1) - mine;
    for (int peer = 0; peer < s->size; peer++) {
        sends[peer] = MPI_REQUEST_NULL;
        if (peer != s->rank)
            MPI_Isend(s->next + mine, rows, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, &sends[peer]);
    }
    for (int k = 1; k < s->size; k++) {
        MPI_Status status;
        int count;
        MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &count);
        MPI_Recv(s->next + first_row(s, status.MPI_SOURCE), count, MPI_DOUBLE, status.MPI_SOURCE, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(s->size, sends, MPI_STATUSES_IGNORE);
}

/* How many reports the other ranks send in a step. */
static int reports(const struct system *s)
{
    int sum = 0;
    for (int rank = 1; rank < s->size; rank++)
        sum += (first_row(s, rank + 1) - first_row(s, rank) + ROWS_PER_REPORT - 1) / ROWS_PER_REPORT;
    return sum;
}

/* Rank 0 decides whether to go on: ranks that each added up for themselves could disagree in the last digit. */
static double total_residual(const struct system *s, double own_part)
{
    double total = own_part;
    for (int left = s->rank == 0 ? reports(s) : 0; left > 0; left--) {
        double part;
        MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_RESIDUAL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        total += part;
    }
    MPI_Bcast(&total, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return sqrt(total);
}

int main(int argc, char **argv)
{
    struct system s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.size);
    s.unknowns = argc > 1 ? atoi(argv[1]) : 240;
    int steps_max = argc > 2 ? atoi(argv[2]) : 100;
    double enough = argc > 3 ? atof(argv[3]) : 1e-9;
    s.x = calloc((size_t)s.unknowns, sizeof *s.x);
    s.next = calloc((size_t)s.unknowns, sizeof *s.next);
    MPI_Request *sends = malloc((size_t)s.size * sizeof(MPI_Request));

    double residual = INFINITY;
    int steps = 0;
    double residuals = 0.0;
    while (steps < steps_max && residual > enough) {
        double part = step(&s);
        exchange_parts(&s, steps % 2 ? TAG_ODD : TAG_EVEN, sends);
        double *swap = s.x;
        s.x = s.next;
        s.next = swap;
        residual = total_residual(&s, part);
        residuals += residual;
        steps++;
    }
    if (s.rank == 0)
        printf("steps = %d, residual = %.17g, sum of residuals = %.17g\n", steps, residual, residuals);

    free(sends);
    free(s.x);
    free(s.next);
    MPI_Finalize();
    return 0;
}
