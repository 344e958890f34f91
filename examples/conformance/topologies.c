#include "scenario.h"

#include <stdlib.h>

/*
 * Topologies at their edges: of no dimension, of fewer ranks than there are, with neighbours twice, only one way or none,
 * copied, cut down to nothing. Each is a communicator in which a message from anybody must find its receive again.
 */

enum { TAG = 7, NEIGHBOURS_MAX = 8 };

static void hash_ints(struct hash *h, const int *ints, int count)
{
    for (int i = 0; i < count; i++)
        hash_int(h, ints[i]);
}

/* A token to every neighbour, taken from anybody: their sum, since the order depends on the schedule. */
static void pass(MPI_Comm comm, int outgoing, const int *to, int incoming, struct hash *h)
{
    MPI_Request sends[NEIGHBOURS_MAX];
    int token = 1 + rank_in(comm), sum = 0;
    for (int i = 0; i < outgoing; i++)
        MPI_Isend(&token, 1, MPI_INT, to[i], TAG, comm, &sends[i]);
    for (int i = 0; i < incoming; i++) {
        int got = 0;
        MPI_Status status;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, TAG, comm, &status);
        sum += got * (status.MPI_SOURCE + 3);
    }
    MPI_Waitall(outgoing, sends, MPI_STATUSES_IGNORE);
    hash_int(h, sum);
}

static void grids(MPI_Comm comm, struct hash *h)
{
    int size = size_of(comm), dims[3] = {0, 1, 0}, periods[3] = {1, 0, 0}, coords[3], kind, count, below, above;
    MPI_Comm grid, copy, row, point, none, fewer;
    MPI_Dims_create(size, 3, dims);
    hash_ints(h, dims, 3);
    MPI_Cart_create(comm, 3, dims, periods, 0, &grid);
    MPI_Comm_dup(grid, &copy); /* has the grid, too */
    MPI_Topo_test(copy, &kind);
    hash_int(h, kind == MPI_CART);
    MPI_Cart_get(copy, 3, dims, periods, coords);
    hash_ints(h, coords, 3);
    MPI_Cart_shift(copy, 0, 1, &below, &above);
    pass(copy, 1, &above, 1, h);
    MPI_Cart_sub(copy, (int[]){0, 0, 1}, &row);
    MPI_Cartdim_get(row, &count);
    hash_int(h, count);
    hash_int(h, rank_in(row));
    pass(row, 1, (int[]){(rank_in(row) + 1) % size_of(row)}, 1, h);
    MPI_Cart_sub(copy, (int[]){0, 0, 0}, &point); /* everybody alone; in MPICH all but one have none */
    if (point != MPI_COMM_NULL) {
        hash_int(h, size_of(point));
        pass(point, 1, (int[]){0}, 1, h);
        MPI_Comm_free(&point);
    }
    MPI_Cart_create(comm, 0, NULL, NULL, 0, &none); /* one rank, no dimension */
    if (none != MPI_COMM_NULL) {
        MPI_Cartdim_get(none, &count);
        hash_int(h, count);
        MPI_Comm_free(&none);
    }
    MPI_Cart_create(comm, 1, (int[]){size - 1}, (int[]){1}, 0, &fewer);
    hash_int(h, fewer == MPI_COMM_NULL);
    if (fewer != MPI_COMM_NULL) {
        MPI_Cart_shift(fewer, 0, 1, &below, &above);
        pass(fewer, 1, &above, 1, h);
        MPI_Comm_free(&fewer);
    }
    MPI_Cart_map(comm, 1, (int[]){size}, (int[]){0}, &count);
    hash_int(h, count);
    MPI_Comm_free(&row);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&grid);
}

/* A star: rank 0 and everybody else. */
static void graphs(MPI_Comm comm, struct hash *h)
{
    int size = size_of(comm), self = rank_in(comm), nodes, edges, count, kind;
    int *index = malloc((size_t)size * sizeof *index), *edge = malloc(2 * (size_t)size * sizeof *edge);
    int *neighbours = malloc((size_t)size * sizeof *neighbours);
    MPI_Comm star, copy;
    for (int i = 0; i < size; i++) {
        index[i] = size - 1 + i;
        edge[size - 1 + i] = 0;
    }
    for (int i = 1; i < size; i++)
        edge[i - 1] = i;
    MPI_Graph_create(comm, size, index, edge, 0, &star);
    MPI_Comm_dup(star, &copy);
    MPI_Comm_free(&star);
    MPI_Topo_test(copy, &kind);
    hash_int(h, kind == MPI_GRAPH);
    MPI_Graphdims_get(copy, &nodes, &edges);
    hash_int(h, nodes);
    hash_int(h, edges);
    MPI_Graph_neighbors_count(copy, self, &count);
    MPI_Graph_neighbors(copy, self, count, neighbours);
    hash_ints(h, neighbours, count);
    if (count <= NEIGHBOURS_MAX)
        pass(copy, count, neighbours, count, h);
    MPI_Graph_map(comm, size, index, edge, &count);
    hash_int(h, count == MPI_UNDEFINED);
    MPI_Comm_free(&copy);
    free(neighbours);
    free(edge);
    free(index);
}

/* Rank 0 names all edges of a ring, each twice; the last rank has no neighbours at all. */
static void distributed_graphs(MPI_Comm comm, struct hash *h)
{
    int size = size_of(comm), self = rank_in(comm), ring = size - 1, in, out, weighted;
    int sources[2 * NEIGHBOURS_MAX], degrees[2 * NEIGHBOURS_MAX], destinations[2 * NEIGHBOURS_MAX];
    int from[NEIGHBOURS_MAX], to[NEIGHBOURS_MAX], weights[NEIGHBOURS_MAX], got[NEIGHBOURS_MAX] = {0}, own = 5 + self, edges = 0;
    MPI_Comm graph, copy;
    for (int i = 0; self == 0 && i < ring && ring <= NEIGHBOURS_MAX; i++)
        for (int twice = 0; twice < 2; twice++, edges++) {
            sources[edges] = i;
            degrees[edges] = 1;
            destinations[edges] = (i + 1) % ring;
        }
    MPI_Dist_graph_create(comm, edges, sources, degrees, destinations, degrees, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_dup(graph, &copy);
    MPI_Comm_free(&graph);
    MPI_Dist_graph_neighbors_count(copy, &in, &out, &weighted);
    hash_int(h, in);
    hash_int(h, out);
    hash_int(h, weighted != 0);
    MPI_Dist_graph_neighbors(copy, in, from, weights, out, to, weights);
    hash_ints(h, from, in);
    pass(copy, out, to, in, h);
    MPI_Neighbor_allgather(&own, 1, MPI_INT, got, 1, MPI_INT, copy);
    hash_ints(h, got, in);
    MPI_Comm_free(&copy);
}

void scenario_topologies(MPI_Comm comm, struct hash *h)
{
    grids(comm, h);
    graphs(comm, h);
    distributed_graphs(comm, h);
}
