#include "scenario.h"

#include <stdlib.h>
#include <string.h>

/*
 * The ways in which a send ends besides being waited for: freed while under way, cancelled, buffered and flushed by
 * MPI_Buffer_detach, started again and again in all four modes, sent to nobody, sent to oneself. Contents are in the hash.
 */

enum { INTS = 8, LONG_INTS = 20000, TAG = 6 };

static void receive(MPI_Comm comm, int source, int tag, struct hash *h)
{
    static int room[LONG_INTS];
    MPI_Status status = {0};
    int count;
    MPI_Recv(room, LONG_INTS, MPI_INT, source, tag, comm, &status);
    hash_status(h, &status, MPI_INT);
    MPI_Get_count(&status, MPI_INT, &count);
    for (int i = 0; i < count; i += count > INTS ? 997 : 1)
        hash_int(h, room[i]);
}

static void fill(int *data, int count, int seed)
{
    for (int i = 0; i < count; i++)
        data[i] = seed + i;
}

/* The program forgets its sends at once and says by other messages when their buffers are free again. */
static void freed(MPI_Comm comm, int left, int right, struct hash *h)
{
    static int data[2][LONG_INTS];
    for (int round = 0; round < 3; round++) {
        MPI_Request request;
        int lengths[2] = {INTS, LONG_INTS};
        for (int i = 0; i < 2; i++) {
            fill(data[i], lengths[i], 100 * round + i);
            MPI_Isend(data[i], lengths[i], MPI_INT, right, TAG, comm, &request);
            MPI_Request_free(&request);
            hash_int(h, request == MPI_REQUEST_NULL);
        }
        receive(comm, left, TAG, h);
        receive(comm, MPI_ANY_SOURCE, TAG, h);
        MPI_Barrier(comm);
    }
}

static void buffered(MPI_Comm comm, int left, int right, struct hash *h)
{
    int data[INTS], size = 6 * (INTS * (int)sizeof(int) + MPI_BSEND_OVERHEAD), detached_size;
    char *memory = malloc((size_t)size), *detached;
    MPI_Request requests[2];
    for (int round = 0; round < 2; round++) {
        MPI_Buffer_attach(memory, size);
        MPI_Bsend_init(data, INTS, MPI_INT, right, TAG, comm, &requests[1]);
        fill(data, INTS, 10 + round);
        MPI_Bsend(data, INTS, MPI_INT, right, TAG, comm);
        fill(data, INTS, 20 + round);
        MPI_Ibsend(data, INTS, MPI_INT, right, TAG, comm, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        fill(data, INTS, 30 + round);
        MPI_Start(&requests[1]);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        MPI_Request_free(&requests[1]);
        memset(data, 0, sizeof data);
        for (int i = 0; i < 3; i++)
            receive(comm, i == 1 ? MPI_ANY_SOURCE : left, TAG, h);
        MPI_Buffer_detach(&detached, &detached_size);
        hash_int(h, detached == memory);
        hash_int(h, detached_size == size);
    }
    free(memory);
}

/* Four persistent sends, one of each mode, started together three times and completed in four ways. */
static void persistent(MPI_Comm comm, int left, int right, struct hash *h)
{
    int data[4][INTS], room[4][INTS], size = 2 * (INTS * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
    char *memory = malloc((size_t)size);
    MPI_Request requests[8];
    MPI_Status statuses[8];
    MPI_Buffer_attach(memory, size);
    MPI_Send_init(data[0], INTS, MPI_INT, right, TAG, comm, &requests[4]);
    MPI_Ssend_init(data[1], INTS, MPI_INT, right, TAG + 1, comm, &requests[5]);
    MPI_Bsend_init(data[2], INTS, MPI_INT, right, TAG + 2, comm, &requests[6]);
    MPI_Rsend_init(data[3], INTS, MPI_INT, right, TAG + 3, comm, &requests[7]);
    for (int i = 0; i < 4; i++)
        MPI_Recv_init(room[i], INTS, MPI_INT, i % 2 ? left : MPI_ANY_SOURCE, TAG + i, comm, &requests[i]);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 4; i++)
            fill(data[i], INTS, 1000 * round + 10 * i);
        MPI_Startall(4, requests);
        MPI_Barrier(comm); /* the receives are open: a ready send may begin */
        MPI_Startall(4, requests + 4);
        switch (round) {
        case 0:
            MPI_Waitall(8, requests, statuses);
            break;
        case 1:
            for (int i = 7; i >= 0; i--)
                MPI_Wait(&requests[i], &statuses[i]);
            break;
        case 2: {
            int all = 0;
            while (!all)
                MPI_Testall(8, requests, &all, statuses);
            break;
        }
        case 3:
            MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
        }
        memset(data, 0, sizeof data);
        for (int i = 0; i < 4; i++) {
            if (round < 3)
                hash_status(h, &statuses[i], MPI_INT);
            for (int j = 0; j < INTS; j++)
                hash_int(h, room[i][j]);
        }
    }
    for (int i = 0; i < 8; i++)
        MPI_Request_free(&requests[i]);
    MPI_Buffer_detach(&memory, &size);
    free(memory);
}

/* Whether it still can be cancelled is the library's affair; whoever waits for the message hears what became of it. */
static void cancelled(MPI_Comm comm, int left, int right, struct hash *h)
{
    int data[INTS], room[INTS], mine, theirs;
    MPI_Request sent, received;
    MPI_Status status = {0};
    for (int kind = 0; kind < 4; kind++) {
        fill(data, INTS, 7 + kind);
        (kind % 2 == 0 ? MPI_Issend : MPI_Isend)(data, INTS, MPI_INT, right, TAG, comm, &sent);
        MPI_Cancel(&sent);
        MPI_Barrier(comm);
        MPI_Irecv(room, INTS, MPI_INT, kind < 2 ? left : MPI_ANY_SOURCE, TAG, comm, &received);
        MPI_Wait(&sent, &status);
        MPI_Test_cancelled(&status, &mine);
        hash_int(h, mine);
        MPI_Sendrecv(&mine, 1, MPI_INT, right, TAG + 1, &theirs, 1, MPI_INT, left, TAG + 1, comm, MPI_STATUS_IGNORE);
        if (theirs)
            MPI_Cancel(&received);
        MPI_Wait(&received, &status);
        hash_status(h, &status, MPI_INT);
        if (!theirs)
            hash_int(h, room[INTS - 1]);
        MPI_Barrier(comm);
    }
}

static void to_nobody(MPI_Comm comm, struct hash *h)
{
    int data[INTS], index, flag;
    MPI_Request requests[4];
    MPI_Status status, statuses[4];
    MPI_Message message;
    MPI_Send(data, INTS, MPI_INT, MPI_PROC_NULL, TAG, comm);
    MPI_Ssend(NULL, 0, MPI_INT, MPI_PROC_NULL, TAG, comm);
    MPI_Rsend(data, INTS, MPI_INT, MPI_PROC_NULL, TAG, comm);
    MPI_Isend(data, INTS, MPI_INT, MPI_PROC_NULL, TAG, comm, &requests[0]);
    MPI_Issend(data, INTS, MPI_INT, MPI_PROC_NULL, TAG, comm, &requests[1]);
    MPI_Irecv(data, INTS, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, comm, &requests[2]);
    MPI_Send_init(data, INTS, MPI_INT, MPI_PROC_NULL, TAG, comm, &requests[3]);
    MPI_Start(&requests[3]);
    MPI_Waitall(4, requests, statuses);
    MPI_Request_free(&requests[3]);
    hash_status(h, &statuses[2], MPI_INT);
    MPI_Recv_init(data, INTS, MPI_INT, MPI_PROC_NULL, TAG, comm, &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Waitany(1, requests, &index, &status);
    hash_int(h, index);
    hash_status(h, &status, MPI_INT);
    MPI_Request_free(&requests[0]);
    MPI_Sendrecv(data, 1, MPI_INT, MPI_PROC_NULL, TAG, data, 1, MPI_INT, MPI_PROC_NULL, TAG, comm, &status);
    hash_status(h, &status, MPI_INT);
    MPI_Sendrecv_replace(data, 1, MPI_INT, MPI_PROC_NULL, TAG, MPI_PROC_NULL, MPI_ANY_TAG, comm, &status);
    hash_status(h, &status, MPI_INT);
    MPI_Probe(MPI_PROC_NULL, MPI_ANY_TAG, comm, &status);
    hash_status(h, &status, MPI_INT);
    MPI_Improbe(MPI_PROC_NULL, TAG, comm, &flag, &message, &status);
    hash_int(h, flag);
    hash_int(h, message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(data, 1, MPI_INT, &message, &status);
    hash_status(h, &status, MPI_INT);
    hash_int(h, message == MPI_MESSAGE_NULL);
}

/* A probe has seen the message before its send is cancelled, where the library still cancels it. */
static void probed_and_cancelled(struct hash *h)
{
    int data[INTS], cancelled;
    for (int kind = 0; kind < 4; kind++) {
        MPI_Request request;
        MPI_Status status = {0}; /* MPICH lets a probe leave the mark of a cancelled one */
        fill(data, INTS, 60 + kind);
        switch (kind) {
        case 0:
            MPI_Issend(data, INTS, MPI_INT, 0, TAG, MPI_COMM_SELF, &request);
            break;
        case 1:
            MPI_Isend(data, INTS, MPI_INT, 0, TAG, MPI_COMM_SELF, &request);
            break;
        case 2:
            MPI_Ssend_init(data, INTS, MPI_INT, 0, TAG, MPI_COMM_SELF, &request);
            MPI_Start(&request);
            break;
        case 3:
            MPI_Send_init(data, INTS, MPI_INT, 0, TAG, MPI_COMM_SELF, &request);
            MPI_Start(&request);
        }
        MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_SELF, &status);
        hash_status(h, &status, MPI_INT);
        MPI_Cancel(&request);
        int there;
        MPI_Iprobe(0, TAG, MPI_COMM_SELF, &there, MPI_STATUS_IGNORE);
        hash_int(h, there);
        if (there)
            receive(MPI_COMM_SELF, 0, TAG, h);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        hash_int(h, cancelled);
        if (kind >= 2)
            MPI_Request_free(&request);
    }
}

static void to_oneself(struct hash *h)
{
    int data[INTS], room[INTS], flag = 0;
    MPI_Request requests[2];
    MPI_Message message;
    MPI_Status status = {0};
    fill(data, INTS, 50);
    MPI_Isend(data, INTS, MPI_INT, 0, TAG, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(data, INTS - 1, MPI_INT, 0, TAG + 1, MPI_COMM_SELF, &requests[1]);
    while (!flag)
        MPI_Improbe(MPI_ANY_SOURCE, TAG + 1, MPI_COMM_SELF, &flag, &message, &status);
    MPI_Mrecv(room, INTS, MPI_INT, &message, &status);
    hash_status(h, &status, MPI_INT);
    MPI_Sendrecv(data, 2, MPI_INT, 0, TAG + 2, room, INTS, MPI_INT, MPI_ANY_SOURCE, TAG + 2, MPI_COMM_SELF, &status);
    hash_status(h, &status, MPI_INT);
    MPI_Recv(room, INTS, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_SELF, &status);
    hash_status(h, &status, MPI_INT);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

void scenario_send_ends(MPI_Comm comm, struct hash *h)
{
    int size = size_of(comm), right = (rank_in(comm) + 1) % size, left = (rank_in(comm) + size - 1) % size;
    freed(comm, left, right, h);
    buffered(comm, left, right, h);
    persistent(comm, left, right, h);
    cancelled(comm, left, right, h);
    to_nobody(comm, h);
    to_oneself(h);
    probed_and_cancelled(h);
}
