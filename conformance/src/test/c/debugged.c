/*
 * A program whose state is one number: every message and every call goes into a hash. What the hash was after each call
 * is written to a file at the end, so that whoever stops a rank can ask whether it is where it was.
 *
 *     debugged DIRECTORY
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

enum { ROUNDS = 12, HISTORY_MAX = 4096, TAG_WORK = 1, TAG_ANSWER = 2, TAG_CELL = 3 };

uint64_t hash = 1, history[HISTORY_MAX];
int calls, rank, size;

static void note(uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 29;
    history[++calls] = hash;
}

/* Rank 0 answers whoever asks first; half of the time it looks before it takes a message. */
static void serve(int round)
{
    for (int left = size - 1; left > 0; left--) {
        int question, found = 0;
        MPI_Status status;
        while (round % 2 == 0 && !found)
            MPI_Iprobe(MPI_ANY_SOURCE, TAG_WORK, MPI_COMM_WORLD, &found, &status);
        MPI_Recv(&question, 1, MPI_INT, MPI_ANY_SOURCE, TAG_WORK, MPI_COMM_WORLD, &status);
        note((uint64_t)question);
        int answer = question * 31 + (int)(hash % 1000);
        MPI_Send(&answer, 1, MPI_INT, status.MPI_SOURCE, TAG_ANSWER, MPI_COMM_WORLD);
        note((uint64_t)answer);
    }
}

static void ask(int round)
{
    int question = rank * 1000 + round, answer;
    MPI_Send(&question, 1, MPI_INT, 0, TAG_WORK, MPI_COMM_WORLD);
    note((uint64_t)question);
    MPI_Recv(&answer, 1, MPI_INT, 0, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note((uint64_t)answer);
}

/* A message too long to be buffered, and a call that completes four requests. */
static void exchange(void)
{
    static uint64_t out[2][8192], in[2][8192];
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Request requests[4];
    out[0][0] = out[1][8191] = hash;
    MPI_Irecv(in[0], 8192, MPI_UINT64_T, before, TAG_CELL, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in[1], 8192, MPI_UINT64_T, next, TAG_CELL, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out[0], 8192, MPI_UINT64_T, next, TAG_CELL, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out[1], 8192, MPI_UINT64_T, before, TAG_CELL, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    note(in[0][0] + in[1][8191]);
}

static void agree(int round)
{
    uint64_t sum = hash % 1000, all;
    MPI_Allreduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    note(all);
    MPI_Bcast(&all, 1, MPI_UINT64_T, round % size, MPI_COMM_WORLD);
    note(all);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    history[0] = hash;
    for (int round = 0; round < ROUNDS; round++) {
        if (rank == 0)
            serve(round);
        else
            ask(round);
        exchange();
        agree(round);
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/history-%d", argv[1], rank);
    FILE *file = fopen(path, "w");
    for (int call = 0; file != NULL && call <= calls; call++)
        fprintf(file, "%llu\n", (unsigned long long)history[call]);
    if (file != NULL)
        fclose(file);
    MPI_Finalize();
    return argc - 2;
}
