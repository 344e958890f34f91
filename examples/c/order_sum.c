/*
 * order_sum: the answer depends on the order in which messages arrive.
 *
 * The workers send partial results to rank 0, which adds them up as they come (MPI_ANY_SOURCE). The last worker's
 * results are huge and cancel in pairs, the others' are small. While a huge one stands in the sum, the small ones
 * that arrive are rounded away; how many are lost depends on which message came when. The mathematical answer is
 * always the same; the printed one hardly ever is.
 *
 *     mpirun -n 4 order_sum [partial results per worker]
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_PARTIAL = 1 };

/* A linear congruential generator: the numbers depend on the rank only, never on the time. */
static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Stands for the computation of one partial result: its length varies, its value does not. */
static void compute(uint32_t *state)
{
    volatile double x = 1.0;
    for (uint32_t left = next(state) % 4000; left > 0; left--)
        x = x * 0.5 + 1.0;
}

static double partial_result(int rank, int size, int i)
{
    const double huge = 1e17;
    if (rank == size - 1)
        return i % 2 == 0 ? huge : -huge;
    return (double)rank + (double)(i % 10) / 10.0;
}

static void work(int rank, int size, int results)
{
    uint32_t state = (uint32_t)rank * 2654435761u + 1u;
    for (int i = 0; i < results; i++) {
        compute(&state);
        double partial = partial_result(rank, size, i);
        MPI_Send(&partial, 1, MPI_DOUBLE, 0, TAG_PARTIAL, MPI_COMM_WORLD);
    }
}

static double gather(int size, int results)
{
    double sum = 0.0;
    for (int left = (size - 1) * results; left > 0; left--) {
        double partial;
        MPI_Recv(&partial, 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_PARTIAL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += partial;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int results = argc > 1 ? atoi(argv[1]) : 400;
    results += results % 2; /* huge ones come in pairs */

    if (rank == 0)
        printf("answer = %.1f\n", gather(size, results));
    else
        work(rank, size, results);

    MPI_Finalize();
    return 0;
}
