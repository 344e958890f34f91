#include "scenario.h"

static void hash_null(struct hash *h, const MPI_Status *status)
{
    hash_int(h, status->MPI_SOURCE == MPI_PROC_NULL);
    hash_int(h, status->MPI_TAG == MPI_ANY_TAG);
    hash_status(h, status, MPI_INT);
}

void scenario_proc_null(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    for (int left = notes_to_come(comm); left > 0; left -= 2) {
        struct note note = {{0}}, more[2];
        MPI_Request request[3];
        MPI_Status status, statuses[3];
        MPI_Message message;
        int there, index;

        MPI_Send(note.field, NOTE_INTS, MPI_INT, MPI_PROC_NULL, NOTE_TAG, comm);
        MPI_Recv(note.field, NOTE_INTS, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, comm, &status);
        hash_null(h, &status);
        MPI_Probe(MPI_PROC_NULL, MPI_ANY_TAG, comm, &status);
        hash_null(h, &status);
        MPI_Iprobe(MPI_PROC_NULL, MPI_ANY_TAG, comm, &there, &status);
        hash_int(h, there);
        hash_null(h, &status);
        MPI_Improbe(MPI_PROC_NULL, MPI_ANY_TAG, comm, &there, &message, &status);
        hash_int(h, there);
        hash_int(h, message == MPI_MESSAGE_NO_PROC);
        MPI_Mrecv(note.field, NOTE_INTS, MPI_INT, &message, &status);
        hash_null(h, &status);

        MPI_Irecv(more[0].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request[0]);
        MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_PROC_NULL, NOTE_TAG, comm, &request[1]);
        MPI_Irecv(more[1].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG + 1, comm, &request[2]);
        MPI_Waitany(3, request, &index, &statuses[0]);
        hash_int(h, index);
        if (index == 1)
            hash_null(h, &statuses[0]);
        else
            hash_note(h, &statuses[0], &more[index / 2]);
        MPI_Waitall(3, request, statuses);
        for (int i = 0; i < 3; i++) {
            if (i == index)
                continue;
            if (i == 1)
                hash_null(h, &statuses[i]);
            else
                hash_note(h, &statuses[i], &more[i / 2]);
        }
    }
}

_Static_assert(NOTES % 2 == 0, "each tag is sent as often as the other");
