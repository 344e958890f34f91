/*
 * sys: a system of linear equations by Gaussian elimination. The program sys of Netzer, Miller 1992, Table 1: 300
 * random equations on 32 processors sent 9424 messages, of which 332 were traced.
 *
 * They do not print how the messages go; this is a way that fits these figures. Equation k belongs to rank k modulo
 * the number of ranks. In step k its owner chooses the largest coefficient for a pivot, which needs no message, and
 * sends the equation to all; they eliminate that unknown from each of theirs, above and below (Gauss-Jordan), so that
 * at the end each equation has one unknown left. All of that is received from named sources. Then every rank sends
 * each of its unknowns, and the smallest of its pivots, to rank 0, which takes them as they come: these race. Each says
 * where it belongs, so the solution does not depend on their order.
 *
 *     mpirun -n 32 sys [equations]
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_EQUATION, TAG_RESULT };

static int n, rank, size;
static double *equations; /* mine: n coefficients each, and the right hand side */

static double *equation(int k)
{
    return equations + (size_t)(k / size) * (size_t)(n + 1);
}

/* Uniform between -1 and 1, the same on every rank. Column n is the right hand side. */
static double coefficient(int row, int column)
{
    uint64_t h = ((uint64_t)row << 32 | (uint64_t)column) + 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    return (double)(int32_t)(h >> 32) / 2147483648.0;
}

/* Divides my equation by its largest coefficient, whose column goes in front of it into the message. */
static double choose_pivot(double *mine, double *message)
{
    int pivot = 0;
    for (int column = 1; column < n; column++)
        if (fabs(mine[column]) > fabs(mine[pivot]))
            pivot = column;
    double divisor = mine[pivot];
    message[0] = pivot;
    for (int column = 0; column <= n; column++)
        message[column + 1] = mine[column] /= divisor;
    return fabs(divisor);
}

static void eliminate(int step, int pivot, const double *by)
{
    for (int k = rank; k < n; k += size) {
        double *mine = equation(k), factor = mine[pivot];
        if (k == step)
            continue;
        for (int column = 0; column <= n; column++)
            mine[column] -= factor * by[column];
        mine[pivot] = 0.0; /* not nearly: the search for a pivot must not find it again */
    }
}

/* Which unknown is left in each of my equations, and the smallest pivot among them. */
static double solve(int *unknown_of)
{
    double *message = malloc((size_t)(n + 2) * sizeof *message), smallest = INFINITY;
    for (int step = 0; step < n; step++) {
        int owner = step % size;
        if (rank == owner) {
            smallest = fmin(smallest, choose_pivot(equation(step), message));
            unknown_of[step] = (int)message[0];
            for (int peer = 0; peer < size; peer++)
                if (peer != rank)
                    MPI_Send(message, n + 2, MPI_DOUBLE, peer, TAG_EQUATION, MPI_COMM_WORLD);
        } else {
            MPI_Recv(message, n + 2, MPI_DOUBLE, owner, TAG_EQUATION, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        eliminate(step, (int)message[0], message + 1);
    }
    free(message);
    return smallest;
}

/* A result is the number of an unknown and its value, or n and a smallest pivot. */
static void send_results(const int *unknown_of, double smallest)
{
    for (int k = rank; k < n; k += size) {
        double result[2] = {unknown_of[k], equation(k)[n]};
        MPI_Send(result, 2, MPI_DOUBLE, 0, TAG_RESULT, MPI_COMM_WORLD);
    }
    double result[2] = {n, smallest};
    MPI_Send(result, 2, MPI_DOUBLE, 0, TAG_RESULT, MPI_COMM_WORLD);
}

/* Puts all unknowns into x and returns the smallest pivot of all. */
static double collect(double *x, const int *unknown_of, double smallest)
{
    int left = n + size - 1;
    for (int k = 0; k < n; k += size, left--)
        x[unknown_of[k]] = equation(k)[n];
    for (; left > 0; left--) {
        double result[2];
        MPI_Recv(result, 2, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if ((int)result[0] == n)
            smallest = fmin(smallest, result[1]);
        else
            x[(int)result[0]] = result[1];
    }
    return smallest;
}

static double largest_residual(const double *x)
{
    double largest = 0.0;
    for (int row = 0; row < n; row++) {
        double residual = -coefficient(row, n);
        for (int column = 0; column < n; column++)
            residual += coefficient(row, column) * x[column];
        largest = fmax(largest, fabs(residual));
    }
    return largest;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = argc > 1 ? atoi(argv[1]) : 300;
    equations = malloc((size_t)(n / size + 1) * (size_t)(n + 1) * sizeof *equations);
    int *unknown_of = malloc((size_t)n * sizeof *unknown_of);
    for (int k = rank; k < n; k += size)
        for (int column = 0; column <= n; column++)
            equation(k)[column] = coefficient(k, column);

    double smallest = solve(unknown_of);
    int correct = 1;
    if (rank == 0) {
        double *x = calloc((size_t)n, sizeof *x);
        smallest = collect(x, unknown_of, smallest);
        correct = largest_residual(x) < 1e-8;
        printf("x[0] = %.9g, smallest pivot = %.6g, %s\n", x[0], smallest, correct ? "correct" : "WRONG");
        free(x);
    } else {
        send_results(unknown_of, smallest);
    }
    free(unknown_of);
    free(equations);
    MPI_Finalize();
    return !correct;
}
