#include "scenario.h"

#include <stdlib.h>
#include <string.h>

/*
 * Every collective operation, blocking and not, in place and not, with counts of its own for each rank, with nothing to say,
 * and between two groups; several of them under way at once and completed in another order, with messages between. Results are
 * in the hash.
 */

enum { RANKS_MAX = 16, TAG = 8 };

static void hash_ints(struct hash *h, const int *ints, int count)
{
    for (int i = 0; i < count; i++)
        hash_int(h, ints[i]);
}

/* Rank r has r + 1 ints for everybody, one place apart from those of the next. */
static int shares(int size, int *counts, int *places)
{
    int total = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        places[i] = total;
        total += i + 2;
    }
    return total;
}

static void blocking(MPI_Comm comm, struct hash *h)
{
    int size = size_of(comm), self = rank_in(comm), counts[RANKS_MAX], places[RANKS_MAX];
    int total = shares(size, counts, places), root = size - 1;
    int *all = calloc((size_t)total, sizeof *all), own[RANKS_MAX], got[RANKS_MAX];
    for (int i = 0; i < size; i++)
        own[i] = 10 * self + i;
    MPI_Gatherv(own, self + 1, MPI_INT, all, counts, places, MPI_INT, root, comm);
    hash_ints(h, all, self == root ? total : 0);
    MPI_Scatterv(all, counts, places, MPI_INT, got, self + 1, MPI_INT, root, comm);
    hash_ints(h, got, self + 1);
    MPI_Allgatherv(own, self + 1, MPI_INT, all, counts, places, MPI_INT, comm);
    hash_ints(h, all, total);
    memcpy(got, own, sizeof got);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 1, MPI_INT, comm);
    hash_ints(h, got, size);
    memcpy(got, own, sizeof got);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 1, MPI_INT, comm);
    hash_ints(h, got, size);
    MPI_Allreduce(MPI_IN_PLACE, got, size, MPI_INT, MPI_BXOR, comm);
    hash_ints(h, got, size);
    MPI_Reduce(self == root ? MPI_IN_PLACE : own, self == root ? own : NULL, size, MPI_INT, MPI_MAX, root, comm);
    hash_ints(h, own, self == root ? size : 0);
    MPI_Reduce_scatter_block(own, got, 1, MPI_INT, MPI_SUM, comm);
    hash_int(h, got[0]);
    for (int i = 0; i < size; i++)
        counts[i] = i == 0 ? 0 : 1; /* one gets nothing */
    got[0] = -1;
    MPI_Reduce_scatter(own, got, counts, MPI_INT, MPI_MIN, comm);
    hash_int(h, got[0]);
    MPI_Scan(own, got, size, MPI_INT, MPI_SUM, comm);
    hash_ints(h, got, size);
    memset(got, 0, sizeof got);
    MPI_Exscan(own, got, size, MPI_INT, MPI_SUM, comm);
    hash_ints(h, got, size);
    MPI_Reduce_local(own, got, size, MPI_INT, MPI_PROD);
    hash_ints(h, got, size);
    MPI_Bcast(NULL, 0, MPI_INT, root, comm);
    MPI_Gather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, comm);
    free(all);
}

/* Types of its own for each partner, and places in bytes. */
static void of_each_its_own_type(MPI_Comm comm, struct hash *h)
{
    int size = size_of(comm), self = rank_in(comm), counts[RANKS_MAX], places[RANKS_MAX];
    int out[4 * RANKS_MAX], in[4 * RANKS_MAX] = {0};
    MPI_Datatype types[RANKS_MAX], pair;
    MPI_Request request;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < 4 * RANKS_MAX; i++)
        out[i] = 100 * self + i;
    for (int i = 0; i < size; i++) {
        types[i] = (self + i) % 2 ? pair : MPI_INT;
        counts[i] = (self + i) % 2 ? 1 : 2;
        places[i] = 4 * i * (int)sizeof(int);
    }
    MPI_Alltoallw(out, counts, places, types, in, counts, places, types, comm);
    hash_ints(h, in, 4 * size);
    memset(in, 0, sizeof in);
    MPI_Ialltoallw(out, counts, places, types, in, counts, places, types, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    hash_ints(h, in, 4 * size);
    MPI_Type_free(&pair);
}

/* All under way at once; completed by every call that can, while a token goes round. */
static void not_blocking(MPI_Comm comm, struct hash *h)
{
    enum { KINDS = 12 };
    int size = size_of(comm), self = rank_in(comm), token = 7 + self, got = -1, left = KINDS;
    int out[RANKS_MAX], in[KINDS][RANKS_MAX] = {{0}}, ones[RANKS_MAX], places[RANKS_MAX];
    MPI_Request requests[KINDS], send;
    MPI_Status status;
    for (int round = 0; round < 3; round++, left = KINDS) {
        int n = 0;
        for (int i = 0; i < size; i++) {
            out[i] = 1000 * round + 10 * self + i;
            ones[i] = 1;
            places[i] = size - 1 - i;
        }
        memset(in, 0, sizeof in);
        in[1][0] = self == 0 ? 99 : 0;
        MPI_Ibarrier(comm, &requests[n++]);
        MPI_Ibcast(in[1], 1, MPI_INT, 0, comm, &requests[n++]);
        MPI_Igather(out, 1, MPI_INT, in[2], 1, MPI_INT, size - 1, comm, &requests[n++]);
        MPI_Iscatter(out, 1, MPI_INT, in[3], 1, MPI_INT, 0, comm, &requests[n++]);
        MPI_Iallgather(out, 1, MPI_INT, in[4], 1, MPI_INT, comm, &requests[n++]);
        MPI_Ialltoall(out, 1, MPI_INT, in[5], 1, MPI_INT, comm, &requests[n++]);
        MPI_Ialltoallv(out, ones, places, MPI_INT, in[6], ones, places, MPI_INT, comm, &requests[n++]);
        MPI_Ireduce(out, in[7], size, MPI_INT, MPI_SUM, 0, comm, &requests[n++]);
        MPI_Iallreduce(out, in[8], size, MPI_INT, MPI_MAX, comm, &requests[n++]);
        MPI_Ireduce_scatter_block(out, in[9], 1, MPI_INT, MPI_SUM, comm, &requests[n++]);
        MPI_Iscan(out, in[10], size, MPI_INT, MPI_SUM, comm, &requests[n++]);
        MPI_Iexscan(out, in[11], size, MPI_INT, MPI_SUM, comm, &requests[n++]);
        MPI_Isend(&token, 1, MPI_INT, (self + 1) % size, TAG, comm, &send);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, TAG, comm, &status);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        hash_int(h, got);
        while (left > 0) {
            int index, flag, done, indices[KINDS];
            switch (round) {
            case 0:
                MPI_Waitany(KINDS, requests, &index, MPI_STATUS_IGNORE);
                left--;
                break;
            case 1:
                MPI_Testsome(KINDS, requests, &done, indices, MPI_STATUSES_IGNORE);
                left -= done;
                break;
            case 2:
                MPI_Testall(KINDS, requests, &flag, MPI_STATUSES_IGNORE);
                left = flag ? 0 : left;
            }
        }
        for (int i = 0; i < KINDS; i++)
            hash_ints(h, in[i], i == 11 && self == 0 ? 0 : size); /* nobody is before rank 0 */
    }
}

static void between_groups(MPI_Comm comm, struct hash *h)
{
    MPI_Comm between = between_halves(comm);
    int others, own = rank_in(comm), self = rank_in(between), in[RANKS_MAX] = {0}, out[RANKS_MAX], counts[RANKS_MAX],
                places[RANKS_MAX];
    MPI_Request request;
    MPI_Comm_remote_size(between, &others);
    for (int i = 0; i < RANKS_MAX; i++)
        out[i] = 10 * own + i;
    for (int side = 0; side < 2; side++) {
        int root = own % 2 == side ? (self == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
        MPI_Gather(out, 1, MPI_INT, in, 1, MPI_INT, root, between);
        hash_ints(h, in, root == MPI_ROOT ? others : 0);
        MPI_Scatter(out, 1, MPI_INT, in, 1, MPI_INT, root, between);
        hash_int(h, in[0]);
        MPI_Reduce(out, in, 2, MPI_INT, MPI_SUM, root, between);
        hash_ints(h, in, root == MPI_ROOT ? 2 : 0);
    }
    MPI_Barrier(between);
    for (int i = 0; i < others; i++) {
        counts[i] = 1;
        places[i] = i;
    }
    MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, between);
    hash_ints(h, in, others);
    MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, between);
    hash_ints(h, in, others);
    MPI_Iallgather(out, 1, MPI_INT, in, 1, MPI_INT, between, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    hash_ints(h, in, others);
    MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, between, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    hash_ints(h, in, others);
    MPI_Comm_free(&between);
}

/* An operation of the program's own that sends a message while the library reduces, as instrumented ones do. */
static int told;

static void tell_and_add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    int *a = in, *b = inout, note = 1, echo = 0;
    MPI_Aint lower, extent;
    MPI_Type_get_extent(*type, &lower, &extent);
    MPI_Sendrecv(&note, 1, MPI_INT, 0, TAG, &echo, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    told += echo;
    for (int i = 0; i < *length * (int)(extent / (MPI_Aint)sizeof(int)); i++)
        b[i] = (a[i] + b[i]) % 9973;
}

static void own_operation(MPI_Comm comm, struct hash *h)
{
    enum { LONG = 4000 };
    int *out = malloc(2 * LONG * sizeof *out), *in = calloc(2 * LONG, sizeof *in);
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(tell_and_add, 1, &op);
    told = 0;
    for (int i = 0; i < 2 * LONG; i++)
        out[i] = i % 97 + rank_in(comm);
    MPI_Allreduce(out, in, LONG, pair, op, comm);
    for (int i = 0; i < 2 * LONG; i += 501)
        hash_int(h, in[i]);
    hash_int(h, told > 0 || size_of(comm) == 1);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
    free(out);
    free(in);
}

void scenario_collectives(MPI_Comm comm, struct hash *h)
{
    blocking(comm, h);
    of_each_its_own_type(comm, h);
    not_blocking(comm, h);
    between_groups(comm, h);
    own_operation(comm, h);
}
