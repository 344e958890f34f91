#include "scenario.h"

enum { SLOTS = 6, FIRST = 1, SECOND = 4 };

/* The array: null, active, inactive receive, null, active, inactive send. */
void scenario_inactive_requests(MPI_Comm comm, struct hash *h)
{
    struct note note[SLOTS];
    MPI_Request request[SLOTS];
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    for (int slot = 0; slot < SLOTS; slot++)
        request[slot] = MPI_REQUEST_NULL;
    MPI_Recv_init(note[2].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[2]);
    MPI_Send_init(note[5].field, NOTE_INTS, MPI_INT, 0, NOTE_TAG, comm, &request[5]);
    for (int left = notes_to_come(comm), call = 0; left > 0; left -= 2, call++) {
        MPI_Status status[SLOTS];
        int done = 0, index[SLOTS];
        MPI_Irecv(note[FIRST].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request[FIRST]);
        MPI_Irecv(note[SECOND].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG + 1, comm, &request[SECOND]);
        switch (call % 6) {
        case 0:
            MPI_Waitall(SLOTS, request, status);
            break;
        case 1:
            while (!done)
                MPI_Testall(SLOTS, request, &done, status);
            break;
        case 2:
            for (int i = 0; i < 2; i++) {
                MPI_Status one;
                MPI_Waitany(SLOTS, request, &index[0], &one);
                hash_int(h, index[0]);
                status[index[0]] = one;
            }
            break;
        case 3:
            for (int i = 0; i < 2; i += done) {
                MPI_Status one;
                MPI_Testany(SLOTS, request, &index[0], &done, &one);
                if (!done)
                    continue;
                hash_int(h, index[0]);
                status[index[0]] = one;
            }
            break;
        default:
            for (int i = 0; i < 2; i += done) {
                MPI_Status some[SLOTS];
                if (call % 6 == 4)
                    MPI_Waitsome(SLOTS, request, &done, index, some);
                else
                    MPI_Testsome(SLOTS, request, &done, index, some);
                for (int k = 0; k < done; k++) {
                    hash_int(h, index[k]);
                    status[index[k]] = some[k];
                }
            }
        }
        hash_note(h, &status[FIRST], &note[FIRST]);
        hash_note(h, &status[SECOND], &note[SECOND]);
    }
    MPI_Request_free(&request[2]);
    MPI_Request_free(&request[5]);
}

_Static_assert(NOTES % 2 == 0, "each tag is sent as often as the other");
