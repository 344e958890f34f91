#include "scenario.h"

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

/* The generalized request is completed once half of the notes are there, and found whenever MPI_Waitany likes to. */
void scenario_grequest_waitany(MPI_Comm comm, struct hash *h)
{
    enum { SLOTS = 3, GENERALIZED = SLOTS };
    struct note note[SLOTS];
    MPI_Request request[SLOTS + 1];
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 1);
        return;
    }
    int notes = notes_to_come(comm), to_post = notes;
    for (int slot = 0; slot < SLOTS; slot++, to_post--)
        MPI_Irecv(note[slot].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request[slot]);
    MPI_Grequest_start(query, release, cancel, NULL, &request[GENERALIZED]);
    for (int received = 0, completed = 0;;) {
        int index;
        MPI_Status status;
        if (!completed && received >= notes / 2) {
            completed = 1;
            MPI_Grequest_complete(request[GENERALIZED]);
        }
        MPI_Waitany(SLOTS + 1, request, &index, &status);
        hash_int(h, index);
        if (index == MPI_UNDEFINED)
            break;
        if (index == GENERALIZED) {
            hash_status(h, &status, MPI_INT);
            continue;
        }
        hash_note(h, &status, &note[index]);
        received++;
        if (to_post == 0)
            continue;
        to_post--;
        MPI_Irecv(note[index].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request[index]);
    }
}
