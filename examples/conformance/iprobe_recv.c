#include "scenario.h"

void scenario_iprobe_recv(MPI_Comm comm, struct hash *h)
{
    int failed = 0;
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 3);
        return;
    }
    for (int left = notes_to_come(comm); left > 0;) {
        struct note note;
        MPI_Status probed = {0}, received = {0};
        int there;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &there, &probed);
        if (!there) {
            failed++;
            continue;
        }
        hash_int(h, failed);
        hash_status(h, &probed, MPI_INT);
        MPI_Recv(note.field, NOTE_INTS, MPI_INT, probed.MPI_SOURCE, probed.MPI_TAG, comm, &received);
        hash_note(h, &received, &note);
        left--;
    }
}
