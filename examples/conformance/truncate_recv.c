#include "scenario.h"

/* One note in three is longer than the receiver's room. What is truncated is received nevertheless, and is gone. */

enum { ROOM = NOTE_INTS - 1 };

void scenario_truncate_recv(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    return_errors(comm);
    for (int left = notes_to_come(comm); left > 0; left--) {
        struct note note;
        MPI_Request request;
        MPI_Status status = {.MPI_ERROR = MPI_SUCCESS};
        int error = MPI_SUCCESS, done = 0;
        switch (left % 3) {
        case 0:
            error = MPI_Recv(note.field, ROOM, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
            break;
        case 1:
            MPI_Irecv(note.field, ROOM, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
            error = MPI_Wait(&request, &status);
            break;
        case 2:
            MPI_Irecv(note.field, ROOM, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
            while (!done && error == MPI_SUCCESS)
                error = MPI_Test(&request, &done, &status);
            break;
        }
        hash_error(h, error);
        hash_int(h, status.MPI_SOURCE);
        hash_int(h, status.MPI_TAG);
        if (error == MPI_SUCCESS)
            hash_note(h, &status, &note);
    }
    die_of_errors(comm);
}
