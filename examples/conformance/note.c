#include "note.h"

int rank_in(MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    return size;
}

MPI_Comm between_halves(MPI_Comm comm)
{
    enum { TAG = 200 };
    MPI_Comm half, between;
    int side = rank_in(comm) % 2;
    MPI_Comm_split(comm, side, rank_in(comm), &half);
    MPI_Intercomm_create(half, 0, comm, 1 - side, TAG, &between);
    MPI_Comm_free(&half);
    return between;
}

static void handle_errors(MPI_Comm comm, MPI_Errhandler handler)
{
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
}

void return_errors(MPI_Comm comm)
{
    handle_errors(comm, MPI_ERRORS_RETURN);
}

void die_of_errors(MPI_Comm comm)
{
    handle_errors(comm, MPI_ERRORS_ARE_FATAL);
}

struct note write_note(MPI_Comm comm, int serial)
{
    return (struct note){{rank_in(comm), serial, 2 * serial, 3 * serial}};
}

int note_length(int serial)
{
    return 2 + serial % (NOTE_INTS - 1);
}

void send_notes(MPI_Comm comm, int dest, int notes, int tags)
{
    for (int i = 0; i < notes; i++) {
        struct note note = write_note(comm, i);
        jitter();
        MPI_Send(note.field, note_length(i), MPI_INT, dest, NOTE_TAG + i % tags, comm);
    }
}

void hash_note(struct hash *h, const MPI_Status *status, const struct note *note)
{
    int cancelled;
    hash_status(h, status, MPI_INT);
    MPI_Test_cancelled(status, &cancelled);
    if (cancelled)
        return;
    hash_int(h, note->field[0]);
    hash_int(h, note->field[1]);
}

int notes_to_come(MPI_Comm comm)
{
    return (size_of(comm) - 1) * NOTES;
}

void receive_notes(MPI_Comm comm, int notes, struct hash *h)
{
    for (int i = 0; i < notes; i++) {
        struct note note;
        MPI_Status status;
        if (i % 2 == 0) {
            MPI_Recv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
        } else {
            MPI_Request request;
            int done = 0, failed = -1;
            MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
            while (!done) {
                failed++;
                MPI_Test(&request, &done, &status);
            }
            hash_int(h, failed);
        }
        hash_note(h, &status, &note);
    }
}

void race_to_zero(MPI_Comm comm, struct hash *h)
{
    hash_int(h, rank_in(comm));
    hash_int(h, size_of(comm));
    if (rank_in(comm) == 0)
        receive_notes(comm, notes_to_come(comm), h);
    else
        send_notes(comm, 0, NOTES, 2);
}

void race_across(MPI_Comm between, struct hash *h)
{
    int others;
    MPI_Comm_remote_size(between, &others);
    send_notes(between, 0, NOTES, 2);
    if (rank_in(between) == 0)
        receive_notes(between, others * NOTES, h);
}
