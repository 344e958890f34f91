/*
 * MPI_Comm_spawn: the ranks start two more processes of this program. All parents send to the first child, which
 * receives from any of them; both children send to the first parent, which receives from any child; then all race in
 * the merged communicator.
 *
 *     mpirun -n 2 alone_spawn
 *
 * MPICH 4.0 on UCX cannot start processes; the program then ends with code 77.
 */
#include "note.h"
#include "report.h"

#include <stdio.h>

enum { CHILDREN = 2, TAG_HASH = 1 };

/* Both sides do the same: send to the other side's first rank, receive there from any. */
static void talk(MPI_Comm between, struct hash *h)
{
    int others;
    MPI_Comm all;
    MPI_Comm_remote_size(between, &others);
    send_notes(between, 0, NOTES, 2);
    if (rank_in(between) == 0)
        receive_notes(between, others * NOTES, h);
    MPI_Intercomm_merge(between, 0, &all);
    race_to_zero(all, h);
    MPI_Comm_free(&all);
}

int main(int argc, char **argv)
{
    struct hash h = hash_start();
    MPI_Comm parents, children;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parents);
    if (parents != MPI_COMM_NULL) {
        talk(parents, &h);
        MPI_Send(&h.value, 1, MPI_UINT64_T, 0, TAG_HASH, parents);
        MPI_Comm_disconnect(&parents);
        MPI_Finalize();
        return 0;
    }
    return_errors(MPI_COMM_WORLD);
    int error = MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                               MPI_ERRCODES_IGNORE);
    die_of_errors(MPI_COMM_WORLD);
    if (error != MPI_SUCCESS) {
        fprintf(stderr, "alone_spawn: this MPI cannot start processes\n");
        MPI_Finalize();
        return 77;
    }
    talk(children, &h);
    for (int child = 0; rank_in(MPI_COMM_WORLD) == 0 && child < CHILDREN; child++) {
        uint64_t of_child;
        MPI_Recv(&of_child, 1, MPI_UINT64_T, child, TAG_HASH, children, MPI_STATUS_IGNORE);
        hash_int(&h, (int64_t)of_child);
    }
    report_hash("alone_spawn", &h, false);
    MPI_Comm_disconnect(&children);
    MPI_Finalize();
    return 0;
}
