/*
 * stdin_sum: the input comes from outside. Rank 0 reads numbers from standard input and hands each to the worker that
 * asks first; a worker folds what it gets, and rank 0 adds up the workers' results.
 *
 *     seq 1 200 | mpirun -n 4 stdin_sum
 */
#include <mpi.h>
#include <stdio.h>

enum { TAG_ASK = 1, TAG_NUMBER, TAG_END, TAG_RESULT };

static void hand_out(int workers)
{
    double number, sum = 0.0;
    int handed = 0;
    for (int asking = workers; asking > 0;) {
        MPI_Status status;
        MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &status);
        if (scanf("%lf", &number) == 1) {
            MPI_Send(&number, 1, MPI_DOUBLE, status.MPI_SOURCE, TAG_NUMBER, MPI_COMM_WORLD);
            handed++;
        } else {
            MPI_Send(NULL, 0, MPI_DOUBLE, status.MPI_SOURCE, TAG_END, MPI_COMM_WORLD);
            asking--;
        }
    }
    for (int worker = 1; worker <= workers; worker++) {
        double result;
        MPI_Recv(&result, 1, MPI_DOUBLE, worker, TAG_RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += result;
    }
    printf("numbers = %d, result = %.12g\n", handed, sum);
}

/* The fold forgets: what a number counts for depends on how many this worker took after it. */
static void fold(void)
{
    double number, result = 0.0;
    for (;;) {
        MPI_Status status;
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_ASK, MPI_COMM_WORLD);
        MPI_Recv(&number, 1, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == TAG_END)
            break;
        result = 0.99 * result + number;
    }
    MPI_Send(&result, 1, MPI_DOUBLE, 0, TAG_RESULT, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        hand_out(size - 1);
    else
        fold();
    MPI_Finalize();
    return 0;
}
