#include "scenario.h"

/* Who sent it, only the note tells. */
static void hash_content(struct hash *h, const struct note *note)
{
    hash_int(h, note->field[0]);
    hash_int(h, note->field[1]);
}

void scenario_status_ignore(MPI_Comm comm, struct hash *h)
{
    enum { CALLS = 8 };
    struct note note, out = {{0}};
    MPI_Request request;
    MPI_Message message;
    int done, index;
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 1);
        return;
    }
    for (int left = notes_to_come(comm); left > 0; left--) {
        done = 0;
        switch (left % CALLS) {
        case 0:
            MPI_Recv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, MPI_STATUS_IGNORE);
            break;
        case 1:
            MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            break;
        case 2:
            MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request);
            while (!done)
                MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            break;
        case 3:
            MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request);
            while (!done)
                MPI_Testany(1, &request, &index, &done, MPI_STATUS_IGNORE);
            break;
        case 4:
            MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request);
            while (!done)
                MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
            MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
            break;
        case 5:
            MPI_Probe(MPI_ANY_SOURCE, NOTE_TAG, comm, MPI_STATUS_IGNORE);
            while (!done)
                MPI_Iprobe(MPI_ANY_SOURCE, NOTE_TAG, comm, &done, MPI_STATUS_IGNORE);
            MPI_Recv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, MPI_STATUS_IGNORE);
            break;
        case 6:
            MPI_Mprobe(MPI_ANY_SOURCE, NOTE_TAG, comm, &message, MPI_STATUS_IGNORE);
            MPI_Mrecv(note.field, NOTE_INTS, MPI_INT, &message, MPI_STATUS_IGNORE);
            break;
        case 7:
            MPI_Sendrecv(out.field, NOTE_INTS, MPI_INT, MPI_PROC_NULL, NOTE_TAG, note.field, NOTE_INTS, MPI_INT,
                         MPI_ANY_SOURCE, NOTE_TAG, comm, MPI_STATUS_IGNORE);
            break;
        }
        hash_content(h, &note);
    }
}
