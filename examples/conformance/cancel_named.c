#include "scenario.h"

/* The source is named and the tag too: only whether the receive was cancelled is open, and what the next one gets. */
void scenario_cancel_named(MPI_Comm comm, struct hash *h)
{
    enum { ATTEMPTS = 60, UNUSED_TAG = 1 };
    struct note note;
    MPI_Status status;
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 1);
        return;
    }
    for (int source = 1; source < size_of(comm); source++) {
        int left = NOTES;
        for (int attempt = 0; attempt < ATTEMPTS && left > 0; attempt++) {
            MPI_Request request;
            int cancelled, there, done = 0, failed = -1;
            MPI_Irecv(note.field, NOTE_INTS, MPI_INT, source, NOTE_TAG, comm, &request);
            jitter();
            MPI_Iprobe(source, UNUSED_TAG, comm, &there, MPI_STATUS_IGNORE); /* lets messages arrive */
            MPI_Cancel(&request);
            while (!done) {
                failed++;
                MPI_Test(&request, &done, &status);
            }
            hash_int(h, failed);
            hash_note(h, &status, &note);
            MPI_Test_cancelled(&status, &cancelled);
            left -= !cancelled;
        }
        hash_int(h, left);
        for (; left > 0; left--) {
            MPI_Recv(note.field, NOTE_INTS, MPI_INT, source, NOTE_TAG, comm, &status);
            hash_note(h, &status, &note);
        }
    }
}
