/*
 * mult: the product of two random matrices. The program mult of Netzer, Miller 1992, Table 1: two 100 x 100 matrices
 * on 32 processors sent 1120 messages, longer ones than the other programs, none of which was traced.
 *
 * They do not print how the messages go; this is a way that fits these figures. Rank 0 deals out blocks of rows of
 * both matrices. The blocks of the second travel round a ring of the ranks until they are home again, and every rank
 * multiplies what passes. Rank 0 collects the blocks of the product. Every receive names its source. Nothing races.
 *
 *     mpirun -n 32 mult [rows]
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_A, TAG_B, TAG_C, TAG_RING }; /* TAG_RING + k: the k-th shift */

static int n, rank, size;

static int first_row(int of_rank)
{
    return (int)((long)n * of_rank / size);
}

static int block_elements(int of_rank)
{
    return (first_row(of_rank + 1) - first_row(of_rank)) * n;
}

static double *new_matrix(int rows)
{
    return calloc((size_t)rows * (size_t)n + 1, sizeof(double));
}

/* Small whole numbers, so that sums do not depend on the order of their terms. */
static double *random_matrix(uint32_t seed)
{
    double *matrix = new_matrix(n);
    for (int i = 0; i < n * n; i++) {
        seed = seed * 1664525u + 1013904223u;
        matrix[i] = (double)(seed >> 16) - 32768.0;
    }
    return matrix;
}

/* Gives every rank its block of the matrix, which only rank 0 has. */
static void deal(const double *matrix, double *block, int tag)
{
    if (rank != 0) {
        MPI_Recv(block, block_elements(rank), MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    for (int peer = 1; peer < size; peer++)
        MPI_Send(matrix + first_row(peer) * n, block_elements(peer), MPI_DOUBLE, peer, tag, MPI_COMM_WORLD);
    memcpy(block, matrix, (size_t)block_elements(0) * sizeof *block);
}

static void collect(double *matrix, const double *block)
{
    if (rank != 0) {
        MPI_Send(block, block_elements(rank), MPI_DOUBLE, 0, TAG_C, MPI_COMM_WORLD);
        return;
    }
    for (int peer = 1; peer < size; peer++)
        MPI_Recv(matrix + first_row(peer) * n, block_elements(peer), MPI_DOUBLE, peer, TAG_C, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    memcpy(matrix, block, (size_t)block_elements(0) * sizeof *block);
}

/* c += a b, for so many rows of a and c, and of b the rows from `begin` to `end`. */
static void multiply(const double *a, const double *b, double *c, int rows, int begin, int end)
{
    for (int row = 0; row < rows; row++)
        for (int k = begin; k < end; k++)
            for (int column = 0; column < n; column++)
                c[row * n + column] += a[row * n + k] * b[(k - begin) * n + column];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = argc > 1 ? atoi(argv[1]) : 100;
    int rows = first_row(rank + 1) - first_row(rank), rows_max = n / size + 1;
    double *a = NULL, *b = NULL, *block_a = new_matrix(rows), *block_c = new_matrix(rows);
    double *block_b = new_matrix(rows_max), *incoming = new_matrix(rows_max);
    if (rank == 0) {
        a = random_matrix(1);
        b = random_matrix(2);
    }
    deal(a, block_a, TAG_A);
    deal(b, block_b, TAG_B);

    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int shift = 0; shift < size; shift++) {
        int held = (rank + size - shift) % size, coming = (held + size - 1) % size;
        multiply(block_a, block_b, block_c, rows, first_row(held), first_row(held + 1));
        MPI_Sendrecv(block_b, block_elements(held), MPI_DOUBLE, right, TAG_RING + shift, incoming,
                     block_elements(coming), MPI_DOUBLE, left, TAG_RING + shift, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double *swap = block_b;
        block_b = incoming;
        incoming = swap;
    }

    int correct = 1;
    double *c = rank == 0 ? new_matrix(n) : NULL;
    collect(c, block_c);
    if (rank == 0) {
        double *expected = new_matrix(n), trace = 0.0;
        multiply(a, b, expected, n, 0, n);
        correct = memcmp(c, expected, (size_t)n * (size_t)n * sizeof *c) == 0;
        for (int i = 0; i < n; i++)
            trace += c[i * n + i];
        printf("trace = %.0f, %s\n", trace, correct ? "correct" : "WRONG");
        free(expected);
    }
    free(a);
    free(b);
    free(c);
    free(block_a);
    free(block_b);
    free(block_c);
    free(incoming);
    MPI_Finalize();
    return !correct;
}
