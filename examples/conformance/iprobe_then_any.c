#include "scenario.h"

/* A common mistake: the message received need not be the one that was probed. */
void scenario_iprobe_then_any(MPI_Comm comm, struct hash *h)
{
    int failed = 0;
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 1);
        return;
    }
    for (int left = notes_to_come(comm); left > 0;) {
        struct note note;
        MPI_Status probed = {0}, received = {0};
        int there;
        MPI_Iprobe(MPI_ANY_SOURCE, NOTE_TAG, comm, &there, &probed);
        if (!there) {
            failed++;
            continue;
        }
        hash_int(h, failed);
        hash_status(h, &probed, MPI_INT);
        jitter();
        MPI_Recv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &received);
        hash_note(h, &received, &note);
        left--;
    }
}
