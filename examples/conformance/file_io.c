#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { INTS = 512, PATH = 1024 };

/* Rank 0 makes an empty file below $TMPDIR and tells the others its name. */
static void temporary_file(MPI_Comm comm, char path[PATH])
{
    if (rank_in(comm) == 0) {
        const char *directory = getenv("TMPDIR");
        snprintf(path, PATH, "%s/conformance-XXXXXX", directory && *directory ? directory : "/tmp");
        int descriptor = mkstemp(path);
        if (descriptor < 0) {
            perror(path);
            MPI_Abort(comm, 1);
        }
        close(descriptor);
    }
    MPI_Bcast(path, PATH, MPI_CHAR, 0, comm);
}

/* While the library moves the blocks, by messages of its own, a receive of the program is open. */
void scenario_file_io(MPI_Comm comm, struct hash *h)
{
    char path[PATH];
    MPI_File file;
    MPI_Status status;
    int rank = rank_in(comm), size = size_of(comm), block[INTS];
    struct note open_note = {{0}};
    MPI_Request open_receive;

    temporary_file(comm, path);
    MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Irecv(open_note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &open_receive);
    for (int i = 0; i < INTS; i++)
        block[i] = rank * INTS + i;
    MPI_File_seek(file, rank * (MPI_Offset)sizeof block, MPI_SEEK_SET);
    MPI_File_write_all(file, block, INTS, MPI_INT, &status);
    send_notes(comm, 0, 1, 1);
    if (rank == 0)
        receive_notes(comm, size - 1, h);
    for (int i = 0; i < INTS; i++)
        block[i] = -1;
    MPI_File_seek(file, rank * (MPI_Offset)sizeof block, MPI_SEEK_SET);
    MPI_File_read_all(file, block, INTS, MPI_INT, &status);
    hash_int(h, block[0]);
    hash_int(h, block[INTS - 1]);
    if (rank != 0)
        MPI_Cancel(&open_receive);
    MPI_Wait(&open_receive, &status);
    hash_note(h, &status, &open_note);
    race_to_zero(comm, h);
    MPI_File_close(&file);
    if (rank == 0)
        unlink(path);
}
