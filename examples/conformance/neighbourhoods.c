#include "scenario.h"

#include <stdlib.h>

/*
 * Collective operations in topologies and between groups, with operations and types of the program's own, while messages
 * race in the same communicator. Their results are in the hash.
 */

enum { TAG = 9 };

static void hash_ints(struct hash *h, const int *ints, int count)
{
    for (int i = 0; i < count; i++)
        hash_int(h, ints[i]);
}

/* a then b: x -> bx * (ax + at) + bt; depends on the order, so it tells whether ranks were taken in order. */
static void compose(void *in, void *inout, int *length, MPI_Datatype *type)
{
    int *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *length; i++) {
        int factor = a[2 * i] * b[2 * i] % 10007, term = (a[2 * i + 1] * b[2 * i] + b[2 * i + 1]) % 10007;
        b[2 * i] = factor;
        b[2 * i + 1] = term;
    }
}

static void reduce_by_own_operation(MPI_Comm comm, struct hash *h)
{
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Request request;
    int own[4] = {rank_in(comm) + 2, 3, 5, rank_in(comm)}, all[4], before[4] = {0};
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(compose, 0, &op);
    MPI_Allreduce(own, all, 2, pair, op, comm);
    hash_ints(h, all, 4);
    MPI_Iscan(own, before, 2, pair, op, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    hash_ints(h, before, 4);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
}

static void exchange(MPI_Comm topology, int in, int out, struct hash *h)
{
    int *sent = malloc((size_t)(out + 1) * sizeof *sent), *got = calloc((size_t)(in + 1), sizeof *got);
    MPI_Request request;
    for (int i = 0; i < out; i++)
        sent[i] = 100 * rank_in(topology) + i;
    MPI_Neighbor_allgather(sent, 1, MPI_INT, got, 1, MPI_INT, topology);
    hash_ints(h, got, in);
    MPI_Ineighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, topology, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    hash_ints(h, got, in);
    free(sent);
    free(got);
}

static void topologies(MPI_Comm comm, struct hash *h)
{
    int size = size_of(comm), self = rank_in(comm), right = (self + 1) % size, left = (self + size - 1) % size;
    MPI_Comm grid, graph, distributed;
    int dimensions[2] = {0, 0}, periods[2] = {1, 0}, below, above;
    MPI_Dims_create(size, 2, dimensions);
    MPI_Cart_create(comm, 2, dimensions, periods, 0, &grid);
    MPI_Cart_shift(grid, 1, 1, &below, &above); /* MPI_PROC_NULL at the edges */
    int token = self, from = -1;
    MPI_Sendrecv(&token, 1, MPI_INT, above, TAG, &from, 1, MPI_INT, below, MPI_ANY_TAG, grid, MPI_STATUS_IGNORE);
    hash_int(h, from);
    exchange(grid, 4, 4, h);
    race_to_zero(grid, h);
    MPI_Comm_free(&grid);

    int *index = malloc((size_t)size * sizeof *index), *edges = malloc((size_t)size * sizeof *edges);
    for (int i = 0; i < size; i++) {
        index[i] = i + 1;
        edges[i] = size - 1 - i; /* pairs, and perhaps one that is its own neighbour */
    }
    MPI_Graph_create(comm, size, index, edges, 0, &graph);
    exchange(graph, 1, 1, h);
    MPI_Comm_free(&graph);
    free(index);
    free(edges);

    int sources[2] = {left, left}, destinations[2] = {right, right}, weights[2] = {1, 1};
    MPI_Dist_graph_create_adjacent(comm, 2, sources, weights, 2, destinations, weights, MPI_INFO_NULL, 0, &distributed);
    exchange(distributed, 2, 2, h);
    MPI_Comm_free(&distributed);
}

/* Each side hears from the other one only. */
static void between_groups(MPI_Comm comm, struct hash *h)
{
    MPI_Comm between = between_halves(comm), whole, copy;
    int others, own = rank_in(comm), sum = 0, got = -1;
    MPI_Request request;
    MPI_Comm_remote_size(between, &others);
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, between);
    hash_int(h, sum);
    int root = own % 2 == 0 ? (rank_in(between) == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
    got = own;
    MPI_Bcast(&got, 1, MPI_INT, root, between);
    hash_int(h, got);
    MPI_Comm_idup(between, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    race_across(copy, h);
    MPI_Intercomm_merge(copy, own % 2, &whole);
    hash_int(h, rank_in(whole));
    race_to_zero(whole, h);
    MPI_Comm_free(&whole);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&between);
}

/* Callbacks that the library calls from inside another call, and that ask it something themselves. */
static struct hash *called;

static int on_copy(MPI_Comm comm, int key, void *extra, void *value, void *copied, int *flag)
{
    int size;
    (void)key;
    MPI_Comm_size(comm, &size);
    hash_int(called, size);
    ++*(int *)extra;
    *(void **)copied = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int key, void *value, void *extra)
{
    int rank, note = *(int *)value, echo = 0;
    MPI_Request request;
    (void)key;
    MPI_Comm_rank(comm, &rank);
    MPI_Isend(&note, 1, MPI_INT, 0, TAG, MPI_COMM_SELF, &request);
    MPI_Recv(&echo, 1, MPI_INT, 0, TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    hash_int(called, rank);
    hash_int(called, echo);
    ++*(int *)extra;
    return MPI_SUCCESS;
}

static void attributes(MPI_Comm comm, struct hash *h)
{
    MPI_Comm copy;
    int key, calls = 0, value = 17 + rank_in(comm);
    called = h;
    MPI_Comm_create_keyval(on_copy, on_delete, &key, &calls);
    MPI_Comm_set_attr(comm, key, &value);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &value);
    MPI_Comm_dup(comm, &copy);
    race_to_zero(copy, h);
    MPI_Comm_free(&copy);
    MPI_Comm_delete_attr(comm, key);
    MPI_Comm_delete_attr(MPI_COMM_SELF, key);
    MPI_Comm_free_keyval(&key);
    hash_int(h, calls);
}

static int on_query(void *extra, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, *(int *)extra);
    MPI_Status_set_cancelled(status, *(int *)extra % 2);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = *(int *)extra;
    return MPI_SUCCESS;
}

static int on_free(void *extra)
{
    hash_int(called, *(int *)extra);
    return MPI_SUCCESS;
}

static int on_cancel(void *extra, int complete)
{
    hash_int(called, *(int *)extra);
    hash_int(called, complete);
    return MPI_SUCCESS;
}

static void generalized(struct hash *h)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int extra[2] = {4, 7}, count, cancelled;
    for (int i = 0; i < 2; i++)
        MPI_Grequest_start(on_query, on_free, on_cancel, &extra[i], &requests[i]);
    MPI_Cancel(&requests[1]);
    for (int i = 0; i < 2; i++)
        MPI_Grequest_complete(requests[i]);
    MPI_Waitall(2, requests, statuses);
    for (int i = 0; i < 2; i++) {
        MPI_Get_elements(&statuses[i], MPI_INT, &count);
        MPI_Test_cancelled(&statuses[i], &cancelled);
        hash_int(h, count);
        hash_int(h, cancelled);
        hash_int(h, statuses[i].MPI_TAG);
    }
}

void scenario_neighbourhoods(MPI_Comm comm, struct hash *h)
{
    reduce_by_own_operation(comm, h);
    topologies(comm, h);
    between_groups(comm, h);
    attributes(comm, h);
    generalized(h);
}
