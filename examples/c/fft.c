/*
 * fft: fast Fourier transforms of a square of numbers, there and back. The program FFT of Thoai, Volkert 2003, Table
 * 7.1. Of n ranks theirs sends (n - 1) * 90008 messages; how they go the paper does not say, so the way is ours.
 *
 * Every rank owns a block of rows. A transform in two dimensions is one along the rows, a transposition, and one along
 * the rows again; in the transposition every rank sends a block to every other one, all at once, and receives theirs.
 * What comes back after a transform and its inverse is compared with what was sent.
 *
 *     mpirun -n 4 fft [rows] [transforms]
 */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 5 };

static const double PI = 3.14159265358979323846;

struct square {
    int n; /* a power of two, and a multiple of the number of ranks */
    int rank, size, rows;
    double complex *own, *sent, *received;
    MPI_Request *requests;
};

/* In place, over n numbers; sign is -1 for the transform and 1 for its inverse, which is divided by n. */
static void transform(double complex *x, int n, int sign)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex swap = x[i];
            x[i] = x[j];
            x[j] = swap;
        }
    }
    for (int length = 2; length <= n; length *= 2) {
        double complex root = cexp(sign * 2.0 * PI * I / length);
        for (int begin = 0; begin < n; begin += length) {
            double complex w = 1.0;
            for (int k = begin; k < begin + length / 2; k++, w *= root) {
                double complex odd = w * x[k + length / 2];
                x[k + length / 2] = x[k] - odd;
                x[k] += odd;
            }
        }
    }
    for (int i = 0; sign > 0 && i < n; i++)
        x[i] /= n;
}

static void transpose(struct square *s)
{
    int block = s->rows * s->rows;
    for (int peer = 0; peer < s->size; peer++) {
        s->requests[peer] = s->requests[s->size + peer] = MPI_REQUEST_NULL;
        if (peer != s->rank)
            MPI_Irecv(s->received + peer * block, block, MPI_C_DOUBLE_COMPLEX, peer, TAG, MPI_COMM_WORLD,
                      &s->requests[peer]);
    }
    for (int peer = 0; peer < s->size; peer++) {
        double complex *out = (peer == s->rank ? s->received : s->sent) + peer * block;
        for (int row = 0; row < s->rows; row++)
            for (int column = 0; column < s->rows; column++)
                out[column * s->rows + row] = s->own[row * s->n + peer * s->rows + column];
        if (peer != s->rank)
            MPI_Isend(out, block, MPI_C_DOUBLE_COMPLEX, peer, TAG, MPI_COMM_WORLD, &s->requests[s->size + peer]);
    }
    MPI_Waitall(2 * s->size, s->requests, MPI_STATUSES_IGNORE);
    for (int peer = 0; peer < s->size; peer++)
        for (int row = 0; row < s->rows; row++)
            for (int column = 0; column < s->rows; column++)
                s->own[row * s->n + peer * s->rows + column] = s->received[peer * block + row * s->rows + column];
}

static void along_rows(struct square *s, int sign)
{
    for (int row = 0; row < s->rows; row++)
        transform(s->own + row * s->n, s->n, sign);
}

static double complex value(const struct square *s, int row, int column)
{
    int line = s->rank * s->rows + row;
    return (line * 7 + column * 13) % 17 - 8.0 + I * ((line * 3 + column * 5) % 11 - 5.0);
}

int main(int argc, char **argv)
{
    struct square s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.size);
    s.n = argc > 1 ? atoi(argv[1]) : 64;
    int transforms = argc > 2 ? atoi(argv[2]) : 100;
    if (s.n < 2 || (s.n & (s.n - 1)) != 0 || s.n % s.size != 0) {
        if (s.rank == 0)
            fprintf(stderr, "fft: %d rows are not a power of two that %d ranks can share\n", s.n, s.size);
        MPI_Finalize();
        return 2;
    }
    s.rows = s.n / s.size;
    size_t own = (size_t)s.rows * (size_t)s.n;
    s.own = malloc(own * sizeof *s.own);
    s.sent = malloc(own * sizeof *s.sent);
    s.received = malloc(own * sizeof *s.received);
    s.requests = malloc(2 * (size_t)s.size * sizeof *s.requests);
    for (int row = 0; row < s.rows; row++)
        for (int column = 0; column < s.n; column++)
            s.own[row * s.n + column] = value(&s, row, column);

    for (int k = 0; k < transforms; k++) {
        int sign = k % 2 == 0 ? -1 : 1;
        along_rows(&s, sign);
        transpose(&s);
        along_rows(&s, sign);
    }

    /* An even number of transforms is there and back, and so many transpositions. */
    double error = 0.0, largest = 0.0;
    for (int row = 0; transforms % 2 == 0 && row < s.rows; row++)
        for (int column = 0; column < s.n; column++)
            error = fmax(error, cabs(s.own[row * s.n + column] - value(&s, row, column)));
    MPI_Reduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (s.rank == 0)
        printf("transforms = %d, error = %.3g: %s\n", transforms, largest, largest < 1e-9 ? "right" : "WRONG");
    free(s.own);
    free(s.sent);
    free(s.received);
    free(s.requests);
    MPI_Finalize();
    return largest < 1e-9 ? 0 : 1;
}
