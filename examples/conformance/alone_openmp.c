/*
 * Threads of OpenMP that take turns in MPI by a critical section: which one comes next is an outcome of the run, as are
 * the messages that each of them takes.
 *
 *     mpirun -n 4 alone_openmp
 */
#include <omp.h>

#include "note.h"
#include "report.h"

enum { THREADS = 3 };

int main(int argc, char **argv)
{
    struct hash h = hash_start();
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
        MPI_Abort(MPI_COMM_WORLD, 77);
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    int turns = rank == 0 ? NOTES * (size - 1) : NOTES;

#pragma omp parallel for num_threads(THREADS) schedule(static)
    for (int turn = 0; turn < turns * THREADS; turn++) {
        jitter();
#pragma omp critical
        if (rank != 0) {
            struct note note = write_note(MPI_COMM_WORLD, turn);
            MPI_Send(note.field, note_length(turn), MPI_INT, 0, NOTE_TAG, MPI_COMM_WORLD);
        } else {
            struct note note;
            MPI_Status status;
            MPI_Recv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, MPI_COMM_WORLD, &status);
            hash_int(&h, omp_get_thread_num());
            hash_note(&h, &status, &note);
        }
    }
    report_hash("alone_openmp", &h, false);
    MPI_Finalize();
    return 0;
}
