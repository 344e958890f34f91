#include "scenario.h"

#include <stdlib.h>
#include <string.h>

/*
 * What a message is made of when it does not lie in one piece behind its buffer's address: absolute addresses from
 * MPI_BOTTOM, elements before the address, elements that overlap in the type, nothing at all. Each goes round the ring by
 * every kind of send; the contents are in the hash.
 */

enum { TAG = 4, INTS = 64 };

struct layout {
    void *address;
    int count;
    MPI_Datatype type;
    int ints; /* that are sent */
};

static void hash_ints(struct hash *h, const int *ints, int count)
{
    for (int i = 0; i < count; i++)
        hash_int(h, ints[i]);
}

/* Every send of `out` arrives as a row of ints; the buffer is overwritten as soon as the send is complete. */
static void send_round(MPI_Comm comm, struct layout out, int *memory, struct hash *h)
{
    int size = size_of(comm), right = (rank_in(comm) + 1) % size, left = (rank_in(comm) + size - 1) % size;
    int room[INTS];
    MPI_Status status;
    MPI_Request sends[3], receive;
    for (int kind = 0; kind < 6; kind++) {
        for (int i = 0; i < INTS; i++)
            memory[i] = 1000 * rank_in(comm) + 100 * kind + i;
        memset(room, 0, sizeof room);
        MPI_Irecv(room, INTS, MPI_INT, MPI_ANY_SOURCE, TAG, comm, &receive);
        switch (kind) {
        case 0:
            MPI_Send(out.address, out.count, out.type, right, TAG, comm);
            break;
        case 1:
            MPI_Isend(out.address, out.count, out.type, right, TAG, comm, &sends[0]);
            MPI_Wait(&sends[0], MPI_STATUS_IGNORE);
            break;
        case 2:
            MPI_Ssend(out.address, out.count, out.type, right, TAG, comm);
            break;
        case 3:
            MPI_Send_init(out.address, out.count, out.type, right, TAG, comm, &sends[0]);
            MPI_Start(&sends[0]);
            MPI_Wait(&sends[0], MPI_STATUS_IGNORE);
            MPI_Request_free(&sends[0]);
            break;
        case 4:
            MPI_Sendrecv(out.address, out.count, out.type, right, TAG, NULL, 0, MPI_INT, MPI_PROC_NULL, TAG, comm,
                         MPI_STATUS_IGNORE);
            break;
        case 5: { /* the type is gone when the message leaves */
            MPI_Datatype own;
            MPI_Type_dup(out.type, &own);
            MPI_Isend(out.address, out.count, own, right, TAG, comm, &sends[0]);
            MPI_Type_free(&own);
            MPI_Waitall(1, sends, MPI_STATUSES_IGNORE);
        }
        }
        memset(memory, 0xff, INTS * sizeof *memory);
        MPI_Wait(&receive, &status);
        hash_int(h, status.MPI_SOURCE == left);
        hash_status(h, &status, MPI_INT);
        hash_ints(h, room, out.ints);
    }
}

/* What was sent from a place comes back to the same place. */
static void replace_round(MPI_Comm comm, struct layout place, int *memory, struct hash *h)
{
    int size = size_of(comm), right = (rank_in(comm) + 1) % size, left = (rank_in(comm) + size - 1) % size;
    MPI_Status status;
    for (int i = 0; i < INTS; i++)
        memory[i] = 1000 * rank_in(comm) + i;
    MPI_Sendrecv_replace(place.address, place.count, place.type, right, TAG, left, TAG, comm, &status);
    hash_status(h, &status, MPI_INT);
    hash_ints(h, memory, INTS);
}

static MPI_Datatype committed(MPI_Datatype type)
{
    MPI_Type_commit(&type);
    return type;
}

void scenario_odd_buffers(MPI_Comm comm, struct hash *h)
{
    int *memory = calloc(INTS, sizeof *memory), lengths[3] = {2, 3, 1}, swapped[2] = {1, 0};
    MPI_Aint at[3];
    MPI_Datatype ints[3] = {MPI_INT, MPI_INT, MPI_INT}, type, half;
    MPI_Get_address(memory, &at[0]);
    MPI_Get_address(memory + 8, &at[1]);
    MPI_Get_address(memory + 20, &at[2]);

    struct layout layouts[10];
    int made = 0;
    MPI_Type_create_struct(3, lengths, at, ints, &type); /* absolute, in three pieces */
    layouts[made++] = (struct layout){MPI_BOTTOM, 1, committed(type), 6};
    MPI_Type_create_struct(1, &(int){5}, &at[1], ints, &type); /* absolute, in one piece */
    layouts[made++] = (struct layout){MPI_BOTTOM, 1, committed(type), 5};
    MPI_Type_create_struct(3, lengths, at, ints, &half);
    MPI_Type_create_resized(half, 0, 24 * sizeof(int), &type); /* absolute, twice */
    MPI_Type_free(&half);
    layouts[made++] = (struct layout){MPI_BOTTOM, 2, committed(type), 12};
    MPI_Type_create_hindexed(2, (int[]){2, 1}, (MPI_Aint[]){-8, 4}, MPI_INT, &type); /* begins before its address */
    layouts[made++] = (struct layout){memory + 10, 2, committed(type), 6};
    MPI_Type_indexed(2, (int[]){1, 1}, swapped, MPI_INT, &type); /* without gaps, in another order */
    layouts[made++] = (struct layout){memory, 3, committed(type), 6};
    MPI_Type_contiguous(3, MPI_INT, &half);
    MPI_Type_create_resized(half, -4, 20, &type); /* gaps between its elements only */
    MPI_Type_free(&half);
    layouts[made++] = (struct layout){memory + 2, 4, committed(type), 12};
    MPI_Type_vector(4, 1, -2, MPI_INT, &type); /* backwards */
    layouts[made++] = (struct layout){memory + 20, 1, committed(type), 4};
    MPI_Type_contiguous(0, MPI_INT, &type); /* nothing, from nowhere */
    layouts[made++] = (struct layout){NULL, 3, committed(type), 0};
    MPI_Type_contiguous(7, MPI_INT, &type);
    layouts[made++] = (struct layout){NULL, 0, committed(type), 0};
    MPI_Type_contiguous(7, MPI_INT, &type); /* of its own, in one piece */
    layouts[made++] = (struct layout){memory + 1, 2, committed(type), 14};

    for (int i = 0; i < made; i++) {
        send_round(comm, layouts[i], memory, h);
        replace_round(comm, layouts[i], memory, h);
        MPI_Type_free(&layouts[i].type);
    }
    free(memory);
}
