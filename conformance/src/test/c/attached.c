/*
 * A program that takes its time until somebody tells it to hurry: messages in any order, counted by whom they are for and
 * from whom they came. What was sent is counted before the call, what was received behind it; so wherever all ranks are
 * stopped at once, nobody has received more of another than that one has sent.
 *
 *     attached FILE    hurries when there is the file, and does not end before
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { RANKS_MAX = 16, ROUNDS = 1000, TAG = 1, PAUSE_MICROS = 50000 };

long sent[RANKS_MAX], received[RANKS_MAX];
int rank, size;

static void pass_around(long word)
{
    MPI_Status status;
    for (int other = 0; other < size; other++)
        if (other != rank) {
            sent[other]++;
            MPI_Send(&word, 1, MPI_LONG, other, TAG, MPI_COMM_WORLD);
        }
    for (int left = size - 1; left > 0; left--) {
        MPI_Recv(&word, 1, MPI_LONG, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
        received[status.MPI_SOURCE]++;
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < ROUNDS; round++) {
        if (rank == 0 && access(argv[1], F_OK) != 0)
            usleep(PAUSE_MICROS);
        pass_around(round);
    }
    while (access(argv[1], F_OK) != 0)
        usleep(PAUSE_MICROS);
    printf("%d: %ld of rank 0\n", rank, received[0]);
    MPI_Finalize();
    return 0;
}
