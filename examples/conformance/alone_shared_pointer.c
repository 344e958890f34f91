/*
 * Writes at the shared file pointer: the order of the ranks in the file is the order in which they came, a race that no
 * receive shows. The file is made below $TMPDIR and removed at the end.
 *
 *     mpirun -n 4 alone_shared_pointer
 */
#include "note.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WRITES = 10, PATH = 1024 };

static void temporary_file(char path[PATH])
{
    if (rank_in(MPI_COMM_WORLD) == 0) {
        const char *directory = getenv("TMPDIR");
        snprintf(path, PATH, "%s/alone-shared-pointer-XXXXXX", directory && *directory ? directory : "/tmp");
        int descriptor = mkstemp(path);
        if (descriptor < 0) {
            perror(path);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        close(descriptor);
    }
    MPI_Bcast(path, PATH, MPI_CHAR, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    struct hash h = hash_start();
    char path[PATH];
    MPI_File file;
    MPI_Init(&argc, &argv);
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    temporary_file(path);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int i = 0; i < WRITES; i++) {
        jitter();
        MPI_File_write_shared(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    for (int i = 0; i < WRITES * size; i++) {
        int writer = -1;
        MPI_File_read_at(file, i * (MPI_Offset)sizeof writer, &writer, 1, MPI_INT, MPI_STATUS_IGNORE);
        hash_int(&h, writer);
    }
    MPI_File_close(&file);
    if (rank == 0)
        unlink(path);
    report_hash("alone_shared_pointer", &h, false);
    MPI_Finalize();
    return 0;
}
