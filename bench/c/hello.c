/* hello: the least an MPI program does. What a command adds to it is the command's own start and end. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
