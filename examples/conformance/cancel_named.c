#include "scenario.h"

#include <stdbool.h>

enum { TAG_GO = 1, UNUSED_TAG, ATTEMPTS = 30, ASKED = 3 };

/* Sends a note whenever it is asked to: never long before the receive, so that the cancel comes in time or does not. */
static void send_when_asked(MPI_Comm comm)
{
    for (int i = 0; i < ASKED; i++) {
        struct note note = write_note(comm, i);
        MPI_Recv(NULL, 0, MPI_INT, 0, TAG_GO, comm, MPI_STATUS_IGNORE);
        jitter();
        MPI_Send(note.field, note_length(i), MPI_INT, 0, NOTE_TAG, comm);
    }
}

/* One receive that is cancelled; whether it got a note all the same. */
static bool receive_or_cancel(MPI_Comm comm, int source, int polls, struct hash *h)
{
    struct note note;
    MPI_Request request;
    MPI_Status status = {0};
    int there, cancelled, done = 0, failed = -1;
    MPI_Irecv(note.field, NOTE_INTS, MPI_INT, source, NOTE_TAG, comm, &request);
    jitter();
    for (; polls > 0; polls--)
        MPI_Iprobe(source, UNUSED_TAG, comm, &there, MPI_STATUS_IGNORE); /* lets messages arrive */
    MPI_Cancel(&request);
    while (!done) {
        failed++;
        MPI_Test(&request, &done, &status);
    }
    hash_int(h, failed);
    hash_note(h, &status, &note);
    MPI_Test_cancelled(&status, &cancelled);
    return !cancelled;
}

/* Source and tag are named: only whether the receive was cancelled is open, and what the next one gets. */
void scenario_cancel_named(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_when_asked(comm);
        return;
    }
    for (int source = 1; source < size_of(comm); source++) {
        bool asked = false;
        int left = ASKED;
        for (int attempt = 0; left > 0; attempt++) {
            if (!asked)
                MPI_Send(NULL, 0, MPI_INT, source, TAG_GO, comm);
            asked = true;
            if (attempt < ATTEMPTS) {
                if (!receive_or_cancel(comm, source, attempt % 5, h))
                    continue;
            } else {
                struct note note;
                MPI_Recv(note.field, NOTE_INTS, MPI_INT, source, NOTE_TAG, comm, MPI_STATUS_IGNORE);
            }
            left--;
            asked = false;
            hash_int(h, attempt);
        }
    }
}
