#include "scenario.h"

void scenario_improbe_mrecv(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 3);
        return;
    }
    for (int left = notes_to_come(comm); left > 0; left--) {
        struct note note;
        MPI_Message message;
        MPI_Status probed = {0}, received = {0};
        int length;
        int there = 0, failed = -1;
        while (!there) {
            failed++;
            MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &there, &message, &probed);
        }
        hash_int(h, failed);
        hash_status(h, &probed, MPI_INT);
        MPI_Get_count(&probed, MPI_INT, &length);
        MPI_Mrecv(note.field, length, MPI_INT, &message, &received);
        hash_note(h, &received, &note);
        hash_int(h, message == MPI_MESSAGE_NULL);
    }
}
