/*
 * testsome_farm: a benchmark of polls. The master keeps one MPI_Irecv from anywhere per worker open and polls all of
 * them with MPI_Testsome; whoever sent a result gets the next task. A task takes a worker some steps of a random
 * generator, by default none: then nothing is measured but messages.
 *
 *     mpirun -n 4 testsome_farm [tasks] [bytes per result] [steps per task]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_TASK = 1, TAG_RESULT, TAG_STOP };

static char *slot_buffer(char *buffers, int slot, int bytes)
{
    return buffers + (size_t)slot * (size_t)bytes;
}

static void master(int workers, int tasks, int bytes)
{
    char *buffers = malloc((size_t)workers * (size_t)bytes + 1);
    MPI_Request *requests = malloc((size_t)workers * sizeof *requests);
    MPI_Status *statuses = malloc((size_t)workers * sizeof *statuses);
    int *indices = malloc((size_t)workers * sizeof *indices);
    int next = 0, posted = 0, results = 0;

    for (int slot = 0; slot < workers; slot++) {
        requests[slot] = MPI_REQUEST_NULL;
        if (posted < tasks) {
            MPI_Irecv(slot_buffer(buffers, slot, bytes), bytes, MPI_BYTE, MPI_ANY_SOURCE, TAG_RESULT, MPI_COMM_WORLD,
                      &requests[slot]);
            posted++;
        }
    }
    for (int worker = 1; worker <= workers; worker++) {
        MPI_Send(&next, 1, MPI_INT, worker, next < tasks ? TAG_TASK : TAG_STOP, MPI_COMM_WORLD);
        next++;
    }
    while (results < tasks) {
        int done;
        MPI_Testsome(workers, requests, &done, indices, statuses);
        for (int i = 0; i < done; i++) {
            int slot = indices[i], worker = statuses[i].MPI_SOURCE;
            results++;
            MPI_Send(&next, 1, MPI_INT, worker, next < tasks ? TAG_TASK : TAG_STOP, MPI_COMM_WORLD);
            next++;
            if (posted < tasks) {
                MPI_Irecv(slot_buffer(buffers, slot, bytes), bytes, MPI_BYTE, MPI_ANY_SOURCE, TAG_RESULT,
                          MPI_COMM_WORLD, &requests[slot]);
                posted++;
            }
        }
    }
    free(indices);
    free(statuses);
    free(requests);
    free(buffers);
}

static void worker(int bytes, long steps)
{
    char *result = calloc((size_t)bytes + 1, 1);
    unsigned long number = 1;
    for (;;) {
        int task;
        MPI_Status status;
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == TAG_STOP)
            break;
        for (long step = 0; step < steps; step++)
            number = number * 6364136223846793005ul + 1442695040888963407ul;
        result[0] = (char)(number >> 56);
        MPI_Send(result, bytes, MPI_BYTE, 0, TAG_RESULT, MPI_COMM_WORLD);
    }
    free(result);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int tasks = argc > 1 ? atoi(argv[1]) : 2000;
    int bytes = argc > 2 ? atoi(argv[2]) : 64;
    long steps = argc > 3 ? atol(argv[3]) : 0;
    if (size < 2) {
        fprintf(stderr, "testsome_farm: a farm needs a worker: at least 2 ranks\n");
        MPI_Finalize();
        return 2;
    }

    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    if (rank == 0)
        master(size - 1, tasks, bytes);
    else
        worker(bytes, steps);
    if (rank == 0)
        printf("elapsed = %.6f\n", MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
