/*
 * Ends without MPI_Finalize, by exit or _exit, while rank 0 has receives from any source open: some unmatched, some
 * matched but never waited for.
 *
 *     mpirun -n 4 alone_exit [exit|_exit]
 */
#include "note.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPEN = 8 };

int main(int argc, char **argv)
{
    static struct note note[OPEN];
    struct hash h = hash_start();
    MPI_Request request[OPEN];
    MPI_Init(&argc, &argv);
    if (rank_in(MPI_COMM_WORLD) != 0) {
        send_notes(MPI_COMM_WORLD, 0, NOTES, 2);
    } else {
        for (int i = 0; i < OPEN; i++)
            MPI_Irecv(note[i].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, MPI_COMM_WORLD, &request[i]);
        for (int left = notes_to_come(MPI_COMM_WORLD) / 4; left > 0; left--) {
            MPI_Status status;
            int index;
            MPI_Waitany(OPEN, request, &index, &status);
            hash_int(&h, index);
            hash_note(&h, &status, &note[index]);
            MPI_Irecv(note[index].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, MPI_COMM_WORLD,
                      &request[index]);
        }
    }
    report_hash("alone_exit", &h, false);
    MPI_Barrier(MPI_COMM_WORLD); /* nobody is gone before the hash is told */
    if (argc > 1 && strcmp(argv[1], "_exit") == 0)
        _exit(0);
    exit(0);
}
