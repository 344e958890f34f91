/*
 * Receives that are cancelled past everybody who stands between the program and its MPI: by a function that was looked
 * up in the library itself, as bindings of other languages do.
 *
 *     mpirun -n 4 alone_unseen_cancel
 */
#include <dlfcn.h>
#include <stddef.h>

#include "note.h"
#include "report.h"

enum { UNUSED_TAG = 99 };

typedef int cancel_function(MPI_Request *request);

static cancel_function *look_up_cancel(void)
{
    static const char *const names[] = {"libmpi.so.40", "libmpich.so.12", "libmpi.so.12", "libmpi.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
        if (library != NULL)
            return (cancel_function *)dlsym(library, "MPI_Cancel");
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct hash h = hash_start();
    MPI_Init(&argc, &argv);
    cancel_function *cancel = look_up_cancel();
    if (cancel == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    for (int round = 0; round < NOTES; round++) {
        struct note note = write_note(MPI_COMM_WORLD, round);
        MPI_Request request;
        MPI_Status status;
        int cancelled;
        MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, UNUSED_TAG, MPI_COMM_WORLD, &request);
        cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        hash_int(&h, cancelled);
        jitter();
        if (rank != 0) {
            MPI_Send(note.field, note_length(round), MPI_INT, 0, NOTE_TAG, MPI_COMM_WORLD);
            continue;
        }
        for (int i = 1; i < size; i++) {
            MPI_Recv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, MPI_COMM_WORLD, &status);
            hash_note(&h, &status, &note);
        }
    }
    report_hash("alone_unseen_cancel", &h, false);
    MPI_Finalize();
    return 0;
}
