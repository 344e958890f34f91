/*
 * big_messages: messages of 64 KB, received from anywhere. A benchmark of what recording costs where the copy of the
 * message dominates: it should be nothing. With "written" each message is written before it is sent, as programs do;
 * without, the same bytes are sent again and again, and stay in the caches of both sides.
 *
 *     mpirun -n 2 big_messages [messages per sender] [written]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 6, BYTES = 64 * 1024 };

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int messages = argc > 1 ? atoi(argv[1]) : 5000;
    int written = argc > 2 && strcmp(argv[2], "written") == 0;
    char *message = calloc(BYTES, 1);

    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    if (rank == 0) {
        for (long left = (long)messages * (size - 1); left > 0; left--)
            MPI_Recv(message, BYTES, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("elapsed = %.6f\n", MPI_Wtime() - start);
    } else {
        for (int i = 0; i < messages; i++) {
            if (written)
                memset(message, i, BYTES);
            MPI_Send(message, BYTES, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
        }
    }
    free(message);
    MPI_Finalize();
    return 0;
}
