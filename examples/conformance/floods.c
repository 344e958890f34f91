#include "scenario.h"

#include <stdlib.h>
#include <string.h>

/*
 * Many messages before anybody receives one: short ones until the transport has no more room for them, all lengths around
 * its changes of protocol, the largest tag there is. Each rank hears from its left neighbour only, so that the contents can
 * be in the hash.
 */

enum { SHORT = 3000, LENGTHS = 14, LONGEST_INTS = 1 << 17, TAG = 3 };

static int length(int i)
{
    return i == 0 ? 0 : (1 << (i + 3)) - i % 3; /* 1 to 2^17 ints, most of them odd lengths */
}

static void hash_some(struct hash *h, const int *data, int count)
{
    for (int i = 0; i < count; i += count > 64 ? count / 7 : 1)
        hash_int(h, data[i]);
}

/* All are on their way before the first is taken; every second is taken first. */
static void short_ones(MPI_Comm comm, int left, int right, struct hash *h)
{
    int *data = malloc(SHORT * sizeof *data), got;
    MPI_Request *requests = malloc(SHORT * sizeof *requests);
    MPI_Status status;
    for (int i = 0; i < SHORT; i++) {
        data[i] = 10 * i + rank_in(comm);
        MPI_Isend(&data[i], 1, MPI_INT, right, TAG + i % 2, comm, &requests[i]);
    }
    for (int i = SHORT - 1; i >= 0; i--) {
        MPI_Recv(&got, 1, MPI_INT, i % 4 == 3 ? MPI_ANY_SOURCE : left, TAG + (i >= SHORT / 2), comm, &status);
        hash_status(h, &status, MPI_INT);
        hash_int(h, got);
    }
    MPI_Waitall(SHORT, requests, MPI_STATUSES_IGNORE);
    free(requests);
    free(data);
}

/* Every length is probed as it lies there, and received by another call in turn, into exactly the room it needs. */
static void all_lengths(MPI_Comm comm, int left, int right, struct hash *h)
{
    int *data[LENGTHS], *room = malloc(LONGEST_INTS * sizeof *room), count, flag;
    MPI_Request requests[LENGTHS], receive;
    MPI_Message message;
    MPI_Status status = {0}; /* MPICH lets a probe leave the mark of a cancelled one */
    for (int i = 0; i < LENGTHS; i++) {
        data[i] = malloc((size_t)(length(i) + 1) * sizeof *data[i]);
        for (int k = 0; k < length(i); k++)
            data[i][k] = k ^ i << 8;
        MPI_Isend(data[i], length(i), MPI_INT, right, TAG + i, comm, &requests[i]);
    }
    for (int i = LENGTHS - 1; i >= 0; i--) {
        MPI_Probe(i % 3 == 0 ? MPI_ANY_SOURCE : left, TAG + i, comm, &status);
        hash_status(h, &status, MPI_INT);
        MPI_Get_count(&status, MPI_INT, &count);
        switch (i % 4) {
        case 0:
            MPI_Recv(room, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, &status);
            break;
        case 1:
            MPI_Irecv(room, count, MPI_INT, MPI_ANY_SOURCE, TAG + i, comm, &receive);
            MPI_Wait(&receive, &status);
            break;
        case 2:
            MPI_Mprobe(MPI_ANY_SOURCE, TAG + i, comm, &message, &status);
            MPI_Imrecv(room, count, MPI_INT, &message, &receive);
            MPI_Wait(&receive, &status);
            break;
        case 3:
            for (flag = 0; !flag;) /* it is there, but MPICH does not always see it at once */
                MPI_Iprobe(left, TAG + i, comm, &flag, &status);
            MPI_Recv_init(room, count, MPI_INT, left, TAG + i, comm, &receive);
            MPI_Start(&receive);
            MPI_Wait(&receive, &status);
            MPI_Request_free(&receive);
        }
        hash_status(h, &status, MPI_INT);
        hash_some(h, room, count);
    }
    MPI_Waitall(LENGTHS, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < LENGTHS; i++)
        free(data[i]);
    free(room);
}

static void largest_tag(MPI_Comm comm, int left, int right, struct hash *h)
{
    int *largest, there, got = -1, own = rank_in(comm);
    MPI_Status status;
    MPI_Request request;
    MPI_Comm_get_attr(comm, MPI_TAG_UB, &largest, &there);
    hash_int(h, there);
    MPI_Isend(&own, 1, MPI_INT, right, *largest, comm, &request);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    hash_int(h, status.MPI_TAG == *largest);
    hash_int(h, got == left);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* More than the attached buffer has room for, again and again: it is free again when the receiver has said so. */
static void buffered(MPI_Comm comm, int left, int right, struct hash *h)
{
    enum { PIECES = 5, PIECE_INTS = 61 };
    int size, data[PIECE_INTS], word = 0;
    MPI_Pack_size(PIECE_INTS, MPI_INT, comm, &size);
    size = PIECES * (size + MPI_BSEND_OVERHEAD);
    char *memory = malloc((size_t)size + 1), *detached;
    MPI_Status status;
    for (int round = 0; round < 6; round++) {
        MPI_Buffer_attach(memory + round % 2, size); /* not always aligned */
        for (int i = 0; i < PIECES; i++) {
            memset(data, 16 * round + i, sizeof data);
            MPI_Bsend(data, PIECE_INTS - i, MPI_INT, right, TAG + i % 2, comm);
        }
        for (int i = PIECES - 1; i >= 0; i--) {
            int turn = i % 2 == 0 ? 0 : 1;
            MPI_Recv(data, PIECE_INTS, MPI_INT, MPI_ANY_SOURCE, TAG + turn, comm, &status);
            hash_status(h, &status, MPI_INT);
            hash_int(h, data[PIECE_INTS - PIECES]);
        }
        if (round == 5) /* it tells of the detached buffer that nothing is in it any more */
            MPI_Sendrecv(&round, 1, MPI_INT, left, TAG + 9, &word, 1, MPI_INT, right, TAG + 9, comm, &status);
        MPI_Buffer_detach(&detached, &(int){0});
        hash_int(h, detached - memory);
    }
    hash_int(h, word);
    free(memory);
}

void scenario_floods(MPI_Comm comm, struct hash *h)
{
    int size = size_of(comm), right = (rank_in(comm) + 1) % size, left = (rank_in(comm) + size - 1) % size;
    short_ones(comm, left, right, h);
    all_lengths(comm, left, right, h);
    MPI_Barrier(comm);
    largest_tag(comm, left, right, h);
    MPI_Barrier(comm);
    buffered(comm, left, right, h);
}
