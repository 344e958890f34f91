/*
 * receive_benchmark: every message races. The benchmark of Clémençon et al. 1995, Fig. 1.
 *
 * In each of n rounds every rank takes its turn as the receiver of one message from every other rank, with
 * MPI_ANY_SOURCE. The work between two calls is nil, so the elapsed time is the cost of the calls themselves.
 *
 *     mpirun -n 4 receive_benchmark [n] [bytes per message]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 7 };

static void receive_benchmark(int n, char *message, int bytes, MPI_Comm comm)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < n; i++) {
        for (int receiver = 0; receiver < size; receiver++) {
            if (receiver != rank) {
                MPI_Send(message, bytes, MPI_BYTE, receiver, TAG, comm);
                continue;
            }
            for (int k = 1; k < size; k++) {
                MPI_Status status;
                MPI_Recv(message, bytes, MPI_BYTE, MPI_ANY_SOURCE, TAG, comm, &status);
            }
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 500;
    int bytes = argc > 2 ? atoi(argv[2]) : (int)sizeof(int);
    char *message = calloc((size_t)bytes + 1, 1);

    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    receive_benchmark(n, message, bytes, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    double elapsed = MPI_Wtime() - start;

    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("elapsed = %.6f\n", elapsed);
    free(message);
    MPI_Finalize();
    return 0;
}
