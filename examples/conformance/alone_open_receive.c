/*
 * A receive from any source that is still open at MPI_Finalize, as work-sharing libraries leave one: every rank keeps
 * a receive for the others' news open at all times, also after the last.
 *
 *     mpirun -n 4 alone_open_receive
 */
#include "note.h"
#include "report.h"

static struct note news; /* outlives main: the last receive into it never ends */

int main(int argc, char **argv)
{
    struct hash h = hash_start();
    MPI_Request request;
    MPI_Init(&argc, &argv);
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    int to_send = NOTES, to_come = NOTES * (size - 1), failed = 0;

    MPI_Irecv(news.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    while (to_send > 0 || to_come > 0) {
        MPI_Status status;
        int done;
        if (to_send > 0) {
            struct note note = write_note(MPI_COMM_WORLD, --to_send);
            jitter();
            for (int other = 0; other < size; other++)
                if (other != rank)
                    MPI_Send(note.field, note_length(to_send), MPI_INT, other, NOTE_TAG, MPI_COMM_WORLD);
        }
        MPI_Test(&request, &done, &status);
        if (!done) {
            failed++;
            continue;
        }
        hash_int(&h, failed);
        hash_note(&h, &status, &news);
        to_come--;
        MPI_Irecv(news.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    }
    report_hash("alone_open_receive", &h, false);
    MPI_Finalize();
    return 0;
}
