/*
 * bicgstab: a sparse system of linear equations by BiCGSTAB. The application of Clémençon et al. 1995, section 5.3: a
 * random matrix of 16384 rows with a band of 201. Theirs was compiled from High Performance Fortran, by a compiler
 * that puts a few races into blocking receives on purpose, "for increased efficiency": nobody waits for one neighbour
 * while the other's message is there. They print no numbers of messages.
 *
 * Every rank owns a block of rows. Before it multiplies, it needs the parts of the vector that its band reaches: the
 * owners send them unasked, and it takes them as they come. The source says where a part belongs, so nothing that is
 * computed depends on the order. Scalar products are MPI_Allreduce.
 *
 *     mpirun -n 16 bicgstab [rows] [band] [iterations at most]
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 5 };

static int n, half, rank, size;
static int begin, end;   /* my rows */
static double *elements; /* of my rows, the band of each */

static int first_row(int of_rank)
{
    return (int)((long)n * of_rank / size);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Uniform between -1 and 1; on the diagonal more, so that it converges. */
static double element(int row, int column)
{
    uint64_t h = ((uint64_t)row << 32 | (uint64_t)column) + 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    double random = (double)(int32_t)(h >> 32) / 2147483648.0;
    return row == column ? 1.5 * sqrt(2.0 * half + 1.0) + random : random;
}

/* What of the vector `to` needs and `from` owns: the first row, and how many. */
static int part(int from, int to, int *rows)
{
    int first = larger(first_row(from), first_row(to) - half);
    *rows = larger(0, smaller(first_row(from + 1), first_row(to + 1) + half) - first);
    return first;
}

/* The whole length is there of every vector that is multiplied, its own block filled, and around it what this gets. */
static void fetch(double *x, double *buffer, MPI_Request *sends)
{
    int expected = 0, rows;
    for (int peer = 0; peer < size; peer++) {
        sends[peer] = MPI_REQUEST_NULL;
        if (peer == rank)
            continue;
        int first = part(rank, peer, &rows);
        if (rows > 0)
            MPI_Isend(x + first, rows, MPI_DOUBLE, peer, TAG, MPI_COMM_WORLD, &sends[peer]);
        part(peer, rank, &rows);
        expected += rows > 0;
    }
    /* One tag is enough: scalar products between two multiplications keep their messages apart. */
    for (; expected > 0; expected--) {
        MPI_Status status;
        MPI_Recv(buffer, half, MPI_DOUBLE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
        int first = part(status.MPI_SOURCE, rank, &rows);
        memcpy(x + first, buffer, (size_t)rows * sizeof *x);
    }
    MPI_Waitall(size, sends, MPI_STATUSES_IGNORE);
}

/* y = A x, for my rows. */
static void multiply(double *x, double *y, double *buffer, MPI_Request *sends)
{
    fetch(x, buffer, sends);
    for (int row = begin; row < end; row++) {
        const double *band = elements + (size_t)(row - begin) * (size_t)(2 * half + 1);
        double sum = 0.0;
        for (int column = larger(0, row - half); column <= smaller(n - 1, row + half); column++)
            sum += band[column - row + half] * x[column];
        y[row] = sum;
    }
}

static double product(const double *x, const double *y)
{
    double mine = 0.0, sum;
    for (int row = begin; row < end; row++)
        mine += x[row] * y[row];
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* Solves A x = b from x = 0, as van der Vorst 1992 has it; returns the number of iterations. */
static int bicgstab(double *x, double *b, int iterations_max)
{
    double *work = calloc((size_t)n * 6, sizeof *work), *buffer = malloc((size_t)(half + 1) * sizeof *buffer);
    double *r = work, *shadow = r + n, *p = shadow + n, *v = p + n, *s = v + n, *t = s + n;
    MPI_Request *sends = malloc((size_t)size * sizeof(MPI_Request));
    double rho = 1.0, alpha = 1.0, omega = 1.0, goal = 1e-10 * sqrt(product(b, b));
    memcpy(r, b, (size_t)n * sizeof *r);
    memcpy(shadow, b, (size_t)n * sizeof *shadow);
    int iterations = 0;
    while (iterations < iterations_max && sqrt(product(r, r)) > goal) {
        double before = rho;
        rho = product(shadow, r);
        double beta = rho / before * (alpha / omega);
        for (int row = begin; row < end; row++)
            p[row] = r[row] + beta * (p[row] - omega * v[row]);
        multiply(p, v, buffer, sends);
        alpha = rho / product(shadow, v);
        for (int row = begin; row < end; row++)
            s[row] = r[row] - alpha * v[row];
        multiply(s, t, buffer, sends);
        omega = product(t, s) / product(t, t);
        for (int row = begin; row < end; row++) {
            x[row] += alpha * p[row] + omega * s[row];
            r[row] = s[row] - omega * t[row];
        }
        iterations++;
    }
    free(sends);
    free(buffer);
    free(work);
    return iterations;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = argc > 1 ? atoi(argv[1]) : 16384;
    half = (argc > 2 ? atoi(argv[2]) : 201) / 2;
    int iterations_max = argc > 3 ? atoi(argv[3]) : 1000;
    begin = first_row(rank);
    end = first_row(rank + 1);

    /* The right hand side is what makes every unknown 1. */
    elements = calloc((size_t)(end - begin + 1) * (size_t)(2 * half + 1), sizeof *elements);
    double *x = calloc((size_t)n, sizeof *x), *b = calloc((size_t)n, sizeof *b);
    for (int row = begin; row < end; row++) {
        for (int column = larger(0, row - half); column <= smaller(n - 1, row + half); column++) {
            double value = element(row, column);
            elements[(size_t)(row - begin) * (size_t)(2 * half + 1) + (size_t)(column - row + half)] = value;
            b[row] += value;
        }
    }

    int iterations = bicgstab(x, b, iterations_max);
    double error = 0.0, largest;
    for (int row = begin; row < end; row++)
        error = fmax(error, fabs(x[row] - 1.0));
    MPI_Reduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    int correct = rank != 0 || largest < 1e-6;
    if (rank == 0)
        printf("iterations = %d, largest error = %.1e, %s\n", iterations, largest, correct ? "correct" : "WRONG");
    free(x);
    free(b);
    free(elements);
    MPI_Finalize();
    return !correct;
}
