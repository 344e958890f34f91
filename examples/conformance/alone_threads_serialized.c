/*
 * MPI_THREAD_SERIALIZED: two threads a rank, each sends to the same thread of all other ranks and polls for what they
 * send, under one lock. Each thread has its tag, so what it sees does not depend on when it gets the lock.
 *
 *     mpirun -n 4 alone_threads_serialized
 */
#include "note.h"
#include "report.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 2, ROUNDS = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct talker {
    int tag;
    struct hash h;
};

static void send_to_all(int tag, int serial)
{
    struct note note = write_note(MPI_COMM_WORLD, serial);
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    for (int distance = 1; distance < size; distance++)
        MPI_Send(note.field, note_length(serial), MPI_INT, (rank + distance) % size, tag, MPI_COMM_WORLD);
}

/* Returns how many it received: none or one. */
static int poll(struct talker *talker, int *failed)
{
    struct note note;
    MPI_Status status = {0};
    int there;
    MPI_Iprobe(MPI_ANY_SOURCE, talker->tag, MPI_COMM_WORLD, &there, &status);
    if (!there) {
        ++*failed;
        return 0;
    }
    MPI_Recv(note.field, NOTE_INTS, MPI_INT, status.MPI_SOURCE, talker->tag, MPI_COMM_WORLD, &status);
    hash_int(&talker->h, *failed);
    hash_note(&talker->h, &status, &note);
    return 1;
}

static void *talk(void *argument)
{
    struct talker *talker = argument;
    int failed = 0, others;
    pthread_mutex_lock(&lock);
    others = size_of(MPI_COMM_WORLD) - 1;
    pthread_mutex_unlock(&lock);
    for (int to_send = ROUNDS, to_come = ROUNDS * others; to_send > 0 || to_come > 0;) {
        jitter();
        pthread_mutex_lock(&lock);
        if (to_send > 0)
            send_to_all(talker->tag, --to_send);
        to_come -= poll(talker, &failed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct talker talkers[THREADS];
    struct hash h = hash_start();
    pthread_t thread[THREADS];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) {
        fprintf(stderr, "alone_threads_serialized: this MPI provides no MPI_THREAD_SERIALIZED\n");
        MPI_Abort(MPI_COMM_WORLD, 77);
    }
    for (int i = 0; i < THREADS; i++) {
        talkers[i] = (struct talker){.tag = NOTE_TAG + i, .h = hash_start()};
        pthread_create(&thread[i], NULL, talk, &talkers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        hash_int(&h, (int64_t)talkers[i].h.value);
    }
    report_hash("alone_threads_serialized", &h, false);
    MPI_Finalize();
    return 0;
}
