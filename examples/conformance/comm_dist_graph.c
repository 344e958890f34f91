#include "scenario.h"

/* A directed ring. */
void scenario_comm_dist_graph(MPI_Comm comm, struct hash *h)
{
    MPI_Comm ring;
    int rank = rank_in(comm), size = size_of(comm), weight = 1, from_previous = -1;
    int previous = (rank + size - 1) % size, next = (rank + 1) % size;
    MPI_Dist_graph_create_adjacent(comm, 1, &previous, &weight, 1, &next, &weight, MPI_INFO_NULL, 0, &ring);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, &from_previous, 1, MPI_INT, ring);
    hash_int(h, from_previous);
    race_to_zero(ring, h);
    MPI_Comm_free(&ring);
}
