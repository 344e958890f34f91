#include "scenario.h"

/*
 * A worker sends a note for every credit it is given, and credits are given for failed polls: without the exact
 * number of failures, other notes come, in another order, or none.
 */
enum { TAG_CREDIT = 1, TAG_ODD = NOTE_TAG + 1 };

static void send_for_credit(MPI_Comm comm)
{
    for (int i = 0; i < NOTES; i++) {
        struct note note = write_note(comm, i);
        MPI_Recv(&note.field[2], 1, MPI_INT, 0, TAG_CREDIT, comm, MPI_STATUS_IGNORE);
        jitter();
        MPI_Send(note.field, NOTE_INTS, MPI_INT, 0, NOTE_TAG + i % 2, comm);
    }
}

void scenario_poll_and_act(MPI_Comm comm, struct hash *h)
{
    int workers = size_of(comm) - 1, failed = 0, credits = 0;
    struct note note;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status = {0};
    if (rank_in(comm) != 0) {
        send_for_credit(comm);
        return;
    }
    int tested = notes_to_come(comm) / 2, probed = tested;
    while (tested > 0 || probed > 0) {
        int done = 0;
        if (tested > 0) {
            if (request == MPI_REQUEST_NULL)
                MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request);
            MPI_Test(&request, &done, &status);
            if (done) {
                tested--;
                hash_int(h, failed);
                hash_note(h, &status, &note);
                hash_int(h, note.field[2]);
            } else {
                failed++;
            }
        }
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_ODD, comm, &done, &status);
        if (done) {
            struct note odd;
            MPI_Recv(odd.field, NOTE_INTS, MPI_INT, status.MPI_SOURCE, TAG_ODD, comm, &status);
            probed--;
            hash_int(h, failed);
            hash_note(h, &status, &odd);
            hash_int(h, odd.field[2]);
        } else {
            failed++;
        }
        if (failed % 3 == 0 && credits < workers * NOTES) {
            MPI_Send(&failed, 1, MPI_INT, 1 + credits % workers, TAG_CREDIT, comm);
            credits++;
        }
    }
}

_Static_assert(NOTES % 2 == 0, "as many notes are tested for as are probed for");
