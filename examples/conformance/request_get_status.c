#include "scenario.h"

void scenario_request_get_status(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    for (int left = notes_to_come(comm); left > 0; left--) {
        struct note note;
        MPI_Request request;
        MPI_Status status;
        int done = 0, failed = -1;
        MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
        while (!done) {
            failed++;
            MPI_Request_get_status(request, &done, &status);
        }
        hash_int(h, failed);
        hash_note(h, &status, &note);
        if (left % 2 == 0) {
            MPI_Request_free(&request);
        } else {
            MPI_Wait(&request, &status);
            hash_note(h, &status, &note);
        }
        hash_int(h, request == MPI_REQUEST_NULL);
    }
}
