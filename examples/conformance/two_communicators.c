#include "scenario.h"

void scenario_two_communicators(MPI_Comm comm, struct hash *h)
{
    MPI_Comm other;
    MPI_Comm_dup(comm, &other);
    if (rank_in(comm) != 0) {
        for (int i = 0; i < NOTES; i++) {
            struct note note = write_note(comm, i);
            jitter();
            MPI_Send(note.field, note_length(i), MPI_INT, 0, NOTE_TAG, i % 2 ? other : comm);
        }
    } else {
        MPI_Comm on[2] = {comm, other};
        int to_post[2] = {notes_to_come(comm) / 2, notes_to_come(comm) / 2};
        struct note note[2];
        MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        for (;;) {
            for (int i = 0; i < 2; i++)
                if (request[i] == MPI_REQUEST_NULL && to_post[i]-- > 0)
                    MPI_Irecv(note[i].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, on[i], &request[i]);
            int index;
            MPI_Status status;
            MPI_Waitany(2, request, &index, &status);
            hash_int(h, index);
            if (index == MPI_UNDEFINED)
                break;
            hash_note(h, &status, &note[index]);
        }
    }
    MPI_Comm_free(&other);
}

_Static_assert(NOTES % 2 == 0, "each communicator carries as many");
