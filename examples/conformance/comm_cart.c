#include "scenario.h"

void scenario_comm_cart(MPI_Comm comm, struct hash *h)
{
    MPI_Comm grid;
    int dims[2] = {0, 0}, periods[2] = {1, 0}, from, to;
    MPI_Dims_create(size_of(comm), 2, dims);
    MPI_Cart_create(comm, 2, dims, periods, 1, &grid);
    MPI_Cart_shift(grid, 1, 1, &from, &to); /* MPI_PROC_NULL at the border */
    for (int i = 0; i < 4; i++) {
        struct note out = write_note(grid, i), in;
        MPI_Status status;
        MPI_Sendrecv(out.field, NOTE_INTS, MPI_INT, to, NOTE_TAG, in.field, NOTE_INTS, MPI_INT, from, NOTE_TAG, grid,
                     &status);
        hash_status(h, &status, MPI_INT);
    }
    race_to_zero(grid, h);
    MPI_Comm_free(&grid);
}
