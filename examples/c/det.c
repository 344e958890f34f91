/*
 * det: the determinant of a random matrix. The program det of Netzer, Miller 1992, Table 1: a 100 x 100 matrix on 32
 * processors sent 4713 messages, of which 63 were traced.
 *
 * They do not print how the messages go; this is a way that fits these figures. Every rank owns a block of rows. In
 * step k the ranks below tell the owner of row k the largest element that they have in column k; if it is larger than
 * all of the owner's, the owner exchanges rows with them. It sends the pivot row to all. All of that is received
 * from named sources, with the step for a tag. Only the reports at the end race: two from each rank, which rank 0
 * takes as they come. The determinant does not depend on their order.
 *
 *     mpirun -n 32 det [rows]
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_REPORT, TAG_CANDIDATE, TAG_STEPS }; /* TAG_STEPS + k: rows that travel in step k */
enum { PRODUCT, EXCHANGES, REPORTS };          /* what a rank reports of its own rows */
enum { NOBODY = -1 };

struct candidate {
    double magnitude;
    double row;
};

static int n, rank, size;
static double *rows; /* mine, each of n elements */

static int first_row(int of_rank)
{
    return (int)((long)n * of_rank / size);
}

static int owner(int row)
{
    int of_rank = 0;
    while (first_row(of_rank + 1) <= row)
        of_rank++;
    return of_rank;
}

static double *row_at(int row)
{
    return rows + (size_t)(row - first_row(rank)) * (size_t)n;
}

/* Uniform between -1 and 1, the same on every rank. */
static double element(int row, int column)
{
    uint64_t h = ((uint64_t)row << 32 | (uint64_t)column) + 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    return (double)(int32_t)(h >> 32) / 2147483648.0;
}

static struct candidate best_of_mine(int step)
{
    struct candidate best = {-1.0, NOBODY};
    int begin = first_row(rank) > step ? first_row(rank) : step;
    for (int row = begin; row < first_row(rank + 1); row++) {
        if (fabs(row_at(row)[step]) > best.magnitude) {
            best.magnitude = fabs(row_at(row)[step]);
            best.row = row;
        }
    }
    return best;
}

/* A row on its way: before it stands which row the receiver shall give for it, or NOBODY. */
static void send_row(const double *row, int wanted, int to, int step, double *message)
{
    message[0] = wanted;
    memcpy(message + 1, row, (size_t)n * sizeof *row);
    MPI_Send(message, n + 1, MPI_DOUBLE, to, TAG_STEPS + step, MPI_COMM_WORLD);
}

static void receive_row(int from, int step, double *message)
{
    MPI_Recv(message, n + 1, MPI_DOUBLE, from, TAG_STEPS + step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The owner's part of a step; leaves the pivot row in the message, and returns whether rows were exchanged. */
static int choose_pivot(int step, double *message)
{
    struct candidate best = best_of_mine(step);
    for (int peer = rank + 1; peer < size; peer++) {
        struct candidate other;
        MPI_Recv(&other, 2, MPI_DOUBLE, peer, TAG_CANDIDATE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (other.magnitude > best.magnitude)
            best = other;
    }
    int pivot = (int)best.row, holder = owner(pivot);
    double *own = row_at(step);
    if (holder != rank) {
        send_row(own, pivot, holder, step, message);
        receive_row(holder, step, message);
        memcpy(own, message + 1, (size_t)n * sizeof *own);
    } else {
        for (int column = 0; column < n && pivot != step; column++) {
            double swap = own[column];
            own[column] = row_at(pivot)[column];
            row_at(pivot)[column] = swap;
        }
    }
    for (int peer = 0; peer < size; peer++)
        if (peer != rank)
            send_row(own, NOBODY, peer, step, message);
    memcpy(message + 1, own, (size_t)n * sizeof *own);
    return pivot != step;
}

/* Everybody else's part of it. */
static void take_pivot(int step, double *message, double *spare)
{
    int from = owner(step);
    if (rank > from) {
        struct candidate mine = best_of_mine(step);
        MPI_Send(&mine, 2, MPI_DOUBLE, from, TAG_CANDIDATE, MPI_COMM_WORLD);
    }
    receive_row(from, step, message);
    if (message[0] == NOBODY)
        return;
    double *given = row_at((int)message[0]);
    send_row(given, NOBODY, from, step, spare);
    memcpy(given, message + 1, (size_t)n * sizeof *given);
    receive_row(from, step, message);
}

static void eliminate(int step, const double *pivot)
{
    int begin = first_row(rank) > step ? first_row(rank) : step + 1;
    for (int row = begin; row < first_row(rank + 1); row++) {
        double factor = row_at(row)[step] / pivot[step];
        for (int column = step; column < n; column++)
            row_at(row)[column] -= factor * pivot[column];
    }
}

/* Rank 0 takes the reports as they come, and multiplies them in the order of the ranks. */
static double collect(const double *mine)
{
    double(*reports)[REPORTS] = malloc((size_t)size * sizeof *reports);
    memcpy(reports[0], mine, sizeof reports[0]);
    for (int left = REPORTS * (size - 1); left > 0; left--) {
        double report[2];
        MPI_Status status;
        MPI_Recv(report, 2, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_REPORT, MPI_COMM_WORLD, &status);
        reports[status.MPI_SOURCE][(int)report[0]] = report[1];
    }
    double determinant = 1.0;
    for (int peer = 0; peer < size; peer++)
        determinant *= reports[peer][PRODUCT] * (fmod(reports[peer][EXCHANGES], 2.0) == 0.0 ? 1.0 : -1.0);
    free(reports);
    return determinant;
}

/* The same on one rank, by another way: without exchanging rows, each pivot being the largest of its row. */
static double determinant_alone(void)
{
    double *a = malloc((size_t)n * (size_t)n * sizeof *a);
    double determinant = 1.0;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++)
            a[row * n + column] = element(row, column);
    for (int step = 0; step < n; step++) {
        int pivot = step;
        for (int column = step; column < n; column++)
            if (fabs(a[step * n + column]) > fabs(a[step * n + pivot]))
                pivot = column;
        for (int row = step; row < n && pivot != step; row++) {
            double swap = a[row * n + step];
            a[row * n + step] = a[row * n + pivot];
            a[row * n + pivot] = swap;
        }
        determinant *= pivot == step ? a[step * n + step] : -a[step * n + step];
        for (int row = step + 1; row < n; row++) {
            double factor = a[row * n + step] / a[step * n + step];
            for (int column = step; column < n; column++)
                a[row * n + column] -= factor * a[step * n + column];
        }
    }
    free(a);
    return determinant;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = argc > 1 ? atoi(argv[1]) : 100;
    int mine = first_row(rank + 1) - first_row(rank);
    rows = malloc((size_t)(mine + 1) * (size_t)n * sizeof *rows);
    double *message = malloc((size_t)(n + 1) * sizeof *message), *spare = malloc((size_t)(n + 1) * sizeof *spare);
    for (int row = first_row(rank); row < first_row(rank + 1); row++)
        for (int column = 0; column < n; column++)
            row_at(row)[column] = element(row, column);

    double reports[REPORTS] = {[PRODUCT] = 1.0, [EXCHANGES] = 0.0};
    for (int step = 0; step + 1 < n; step++) {
        if (owner(step) == rank)
            reports[EXCHANGES] += choose_pivot(step, message);
        else
            take_pivot(step, message, spare);
        eliminate(step, message + 1);
    }
    for (int row = first_row(rank); row < first_row(rank + 1); row++)
        reports[PRODUCT] *= row_at(row)[row];

    int correct = 1;
    if (rank == 0) {
        double determinant = collect(reports), expected = determinant_alone();
        correct = fabs(determinant - expected) <= 1e-9 * fabs(expected);
        printf("determinant = %.12g, %s\n", determinant, correct ? "correct" : "WRONG");
    } else {
        for (int what = 0; what < REPORTS; what++) {
            double report[2] = {what, reports[what]};
            MPI_Send(report, 2, MPI_DOUBLE, 0, TAG_REPORT, MPI_COMM_WORLD);
        }
    }
    free(message);
    free(spare);
    free(rows);
    MPI_Finalize();
    return !correct;
}
