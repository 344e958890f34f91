#include "scenario.h"

/* Of three ranks or more, the last is in no part; the others are split by parity, in reverse order of rank. */
void scenario_comm_split(MPI_Comm comm, struct hash *h)
{
    MPI_Comm part;
    int rank = rank_in(comm), size = size_of(comm);
    int colour = size > 4 ? rank % 2 : 0;
    if (size > 2 && rank == size - 1)
        colour = MPI_UNDEFINED;
    MPI_Comm_split(comm, colour, -rank, &part);
    hash_int(h, part == MPI_COMM_NULL);
    if (part == MPI_COMM_NULL)
        return;
    race_to_zero(part, h);
    MPI_Comm_free(&part);
}
