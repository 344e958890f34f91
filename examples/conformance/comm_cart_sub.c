#include "scenario.h"

void scenario_comm_cart_sub(MPI_Comm comm, struct hash *h)
{
    MPI_Comm grid, row;
    int dims[2] = {0, 0}, periods[2] = {0, 0}, remain[2] = {0, 1}, keep[2] = {1, 0};
    MPI_Dims_create(size_of(comm), 2, dims);
    MPI_Cart_create(comm, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, remain, &row);
    race_to_zero(row, h);
    MPI_Comm_free(&row);
    MPI_Cart_sub(grid, keep, &row); /* a column now */
    race_to_zero(row, h);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
}
