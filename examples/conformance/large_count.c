#include "scenario.h"

#if MPI_VERSION >= 4
void scenario_large_count(MPI_Comm comm, struct hash *h)
{
    enum { CALLS = 6 };
    struct note out = {{0}};
    if (rank_in(comm) != 0) {
        for (int i = 0; i < NOTES; i++) {
            struct note note = write_note(comm, i);
            jitter();
            MPI_Send_c(note.field, note_length(i), MPI_INT, 0, NOTE_TAG, comm);
        }
        return;
    }
    for (int left = notes_to_come(comm); left > 0; left--) {
        struct note note;
        MPI_Status status = {0};
        MPI_Request request;
        MPI_Message message;
        MPI_Count count;
        switch (left % CALLS) {
        case 0:
            MPI_Recv_c(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &status);
            break;
        case 1:
            MPI_Irecv_c(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request);
            MPI_Wait(&request, &status);
            break;
        case 2:
            MPI_Mprobe(MPI_ANY_SOURCE, NOTE_TAG, comm, &message, MPI_STATUS_IGNORE);
            MPI_Mrecv_c(note.field, NOTE_INTS, MPI_INT, &message, &status);
            break;
        case 3:
            MPI_Mprobe(MPI_ANY_SOURCE, NOTE_TAG, comm, &message, MPI_STATUS_IGNORE);
            MPI_Imrecv_c(note.field, NOTE_INTS, MPI_INT, &message, &request);
            MPI_Wait(&request, &status);
            break;
        case 4:
            MPI_Sendrecv_c(out.field, NOTE_INTS, MPI_INT, MPI_PROC_NULL, NOTE_TAG, note.field, NOTE_INTS, MPI_INT,
                           MPI_ANY_SOURCE, NOTE_TAG, comm, &status);
            break;
        case 5:
            MPI_Recv_init_c(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request);
            MPI_Start(&request);
            MPI_Wait(&request, &status);
            MPI_Request_free(&request);
            break;
        }
        MPI_Get_count_c(&status, MPI_INT, &count);
        hash_int(h, count);
        hash_note(h, &status, &note);
    }
}
#endif
