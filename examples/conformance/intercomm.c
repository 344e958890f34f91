#include "scenario.h"

/* Even and odd ranks face each other; the leaders are ranks 0 and 1 of comm. */
static MPI_Comm between_halves(MPI_Comm comm)
{
    enum { TAG = 200 };
    MPI_Comm half, between;
    int side = rank_in(comm) % 2;
    MPI_Comm_split(comm, side, rank_in(comm), &half);
    MPI_Intercomm_create(half, 0, comm, 1 - side, TAG, &between);
    MPI_Comm_free(&half);
    return between;
}

/* Everyone sends to the leader of the other side. */
void scenario_intercomm(MPI_Comm comm, struct hash *h)
{
    MPI_Comm between = between_halves(comm);
    int others;
    MPI_Comm_remote_size(between, &others);
    send_notes(between, 0, NOTES, 2);
    if (rank_in(between) == 0)
        receive_notes(between, others * NOTES, h);
    MPI_Barrier(between);
    MPI_Comm_free(&between);
}
