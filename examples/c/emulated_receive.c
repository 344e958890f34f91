/*
 * emulated_receive: a blocking receive built from MPI_Iprobe. Clémençon et al. 1995, Fig. 3, in the benchmark of
 * Fig. 1, as measured in their section 5.2.
 *
 * Two things differ from run to run: which sender is found, and how often the loop turns before it finds one. The
 * second happens with two ranks already.
 *
 *     mpirun -n 4 emulated_receive [n] [bytes per message]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 7 };

static long iprobes;

static void emulated_receive(void *buffer, int bytes, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    int found;
    do {
        MPI_Iprobe(source, tag, comm, &found, status);
        iprobes++;
    } while (!found);
    MPI_Recv(buffer, bytes, MPI_BYTE, status->MPI_SOURCE, tag, comm, status);
}

static void iprobe_benchmark(int n, char *message, int bytes, MPI_Comm comm)
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
                emulated_receive(message, bytes, MPI_ANY_SOURCE, TAG, comm, &status);
            }
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 100;
    int bytes = argc > 2 ? atoi(argv[2]) : (int)sizeof(int);
    char *message = calloc((size_t)bytes + 1, 1);

    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    iprobe_benchmark(n, message, bytes, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    double elapsed = MPI_Wtime() - start;

    int rank;
    long all;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(&iprobes, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("iprobes = %ld\nelapsed = %.6f\n", all, elapsed);
    free(message);
    MPI_Finalize();
    return 0;
}
