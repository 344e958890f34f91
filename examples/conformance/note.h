/*
 * The messages of most scenarios: a note says who wrote it and which of the writer's notes it is. Notes differ in
 * length, so that the count in a status tells something.
 */
#ifndef CONFORMANCE_NOTE_H
#define CONFORMANCE_NOTE_H

#include "hash.h"
#include "jitter.h"

enum { NOTE_INTS = 4, NOTE_TAG = 10, NOTES = 16 /* what one rank sends where the scenario has no other need */ };

struct note {
    int field[NOTE_INTS]; /* writer, serial, and two that are not always sent */
};

struct note write_note(MPI_Comm comm, int serial);
int note_length(int serial);

/* Sends `notes` notes, with jitter, under the tags NOTE_TAG to NOTE_TAG + tags - 1 in turn. */
void send_notes(MPI_Comm comm, int dest, int notes, int tags);

/* What a receive of a note returned: the status and the note itself. */
void hash_note(struct hash *h, const MPI_Status *status, const struct note *note);

/* Receives `notes` notes from anywhere: every other one by MPI_Recv, the rest by MPI_Irecv polled with MPI_Test. */
void receive_notes(MPI_Comm comm, int notes, struct hash *h);

/* Every other rank sends NOTES notes to rank 0, which receives them: a race in a communicator that has two ranks. */
void race_to_zero(MPI_Comm comm, struct hash *h);

/* Everyone of an intercommunicator sends NOTES notes to rank 0 of the other side. */
void race_across(MPI_Comm between, struct hash *h);

/* How many notes rank 0 is sent if every other rank sends NOTES of them. */
int notes_to_come(MPI_Comm comm);

/*
 * From now on errors are returned in the communicator, or fatal in it again; and in those that MPI predefines, since
 * MPICH 4.0 blames a failure found by MPI_Test on them.
 */
void return_errors(MPI_Comm comm);
void die_of_errors(MPI_Comm comm);

int rank_in(MPI_Comm comm);
int size_of(MPI_Comm comm);

/* Even and odd ranks face each other; the leaders are ranks 0 and 1 of comm. */
MPI_Comm between_halves(MPI_Comm comm);

#endif
