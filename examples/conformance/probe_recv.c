#include "scenario.h"

void scenario_probe_recv(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 3);
        return;
    }
    for (int left = notes_to_come(comm); left > 0; left--) {
        struct note note;
        MPI_Status probed = {0}, received = {0};
        int length;
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &probed);
        hash_status(h, &probed, MPI_INT);
        MPI_Get_count(&probed, MPI_INT, &length);
        jitter();
        MPI_Recv(note.field, length, MPI_INT, probed.MPI_SOURCE, probed.MPI_TAG, comm, &received);
        hash_note(h, &received, &note);
    }
}
