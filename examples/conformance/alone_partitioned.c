/*
 * MPI 4: a message in partitions. The sender makes them ready in its own time, the receiver asks with MPI_Parrived
 * which are there.
 *
 *     mpirun -n 2 alone_partitioned
 */
#include "note.h"
#include "report.h"

#include <stdio.h>

#if MPI_VERSION >= 4
enum { PARTITIONS = 8, INTS = 64, ROUNDS = 4 };

static void send_partitions(int dest)
{
    static int message[PARTITIONS][INTS];
    MPI_Request request;
    MPI_Psend_init(message, PARTITIONS, INTS, MPI_INT, dest, NOTE_TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Start(&request);
        for (int i = 0; i < PARTITIONS; i++) {
            int partition = (i * 3 + round) % PARTITIONS;
            jitter();
            MPI_Pready(partition, request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

static void receive_partitions(int source, struct hash *h)
{
    static int message[PARTITIONS][INTS];
    MPI_Request request;
    MPI_Precv_init(message, PARTITIONS, INTS, MPI_INT, source, NOTE_TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < ROUNDS; round++) {
        int seen[PARTITIONS] = {0}, failed = 0;
        MPI_Start(&request);
        for (int left = PARTITIONS, turn = 0; left > 0; turn++) {
            int partition = turn % PARTITIONS, there;
            if (seen[partition])
                continue;
            MPI_Parrived(request, partition, &there);
            if (!there) {
                failed++;
                continue;
            }
            hash_int(h, failed);
            hash_int(h, partition);
            seen[partition] = 1;
            left--;
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

/* Odd ranks send to the even rank before them; a last even rank has no partner. */
int main(int argc, char **argv)
{
    struct hash h = hash_start();
    MPI_Init(&argc, &argv);
    int rank = rank_in(MPI_COMM_WORLD), partner = rank ^ 1;
    if (partner < size_of(MPI_COMM_WORLD)) {
        if (rank % 2 == 1)
            send_partitions(partner);
        else
            receive_partitions(partner, &h);
    }
    report_hash("alone_partitioned", &h, false);
    MPI_Finalize();
    return 0;
}
#else
int main(void)
{
    fprintf(stderr, "alone_partitioned: this MPI is older than MPI 4\n");
    return 77;
}
#endif
