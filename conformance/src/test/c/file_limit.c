/*
 * A race whose recording does not fit: once MPI runs, no file of a rank may become larger than 64 KB. The limit comes
 * after MPI_Init because the libraries' own segments are larger. Ends with status 7, to be told from every other end.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>

enum { TAG = 1, ROUNDS = 1000, BATCH = 100, STATUS = 7 };

static uint64_t receive(int messages, uint64_t hash)
{
    for (int i = 0; i < messages; i++) {
        int number;
        MPI_Status status;
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
        hash = (hash ^ (uint64_t)(number * 8 + status.MPI_SOURCE)) * 1099511628211u;
    }
    return hash;
}

int main(int argc, char **argv)
{
    const struct rlimit limit = {.rlim_cur = 64 << 10, .rlim_max = 64 << 10};
    uint64_t hash = 14695981039346656037u;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        perror("file_limit: setrlimit");
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < BATCH && rank != 0; i++)
            MPI_Send(&i, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
        if (rank == 0)
            hash = receive(BATCH * (size - 1), hash);
        MPI_Barrier(MPI_COMM_WORLD); /* or the slow receiver's queue grows without end */
    }
    if (rank == 0) {
        printf("order = %016llx\n", (unsigned long long)hash);
        fflush(stdout);
    }
    MPI_Finalize();
    return STATUS;
}
