/*
 * MPI_THREAD_MULTIPLE: two threads of every rank receive from any source at the same time, while a third one sends.
 * With `own`, the default, each thread has its tag and sees an order of its own; with `shared`, both take from the same
 * messages, and which thread gets which is one more race.
 *
 *     mpirun -n 4 alone_threads_multiple [own|shared]
 */
#include "note.h"
#include "report.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 2, ROUNDS = 8 };

struct receiver {
    int tag;
    struct hash h;
};

static void *receive(void *argument)
{
    struct receiver *receiver = argument;
    for (int left = ROUNDS * (size_of(MPI_COMM_WORLD) - 1); left > 0; left--) {
        struct note note;
        MPI_Status status;
        MPI_Recv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, receiver->tag, MPI_COMM_WORLD, &status);
        hash_note(&receiver->h, &status, &note);
    }
    return NULL;
}

static void send_to_threads(const struct receiver receivers[THREADS])
{
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < THREADS * (size - 1); i++) {
            struct note note = write_note(MPI_COMM_WORLD, THREADS * round + i % THREADS);
            jitter();
            MPI_Send(note.field, note_length(round), MPI_INT, (rank + 1 + i / THREADS) % size,
                     receivers[i % THREADS].tag, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char **argv)
{
    struct receiver receivers[THREADS];
    struct hash h = hash_start();
    pthread_t thread[THREADS];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fprintf(stderr, "alone_threads_multiple: this MPI provides no MPI_THREAD_MULTIPLE\n");
        MPI_Abort(MPI_COMM_WORLD, 77);
    }
    int tags = argc > 1 && strcmp(argv[1], "shared") == 0 ? 1 : THREADS;
    for (int i = 0; i < THREADS; i++) {
        receivers[i] = (struct receiver){.tag = NOTE_TAG + i % tags, .h = hash_start()};
        pthread_create(&thread[i], NULL, receive, &receivers[i]);
    }
    send_to_threads(receivers);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        hash_int(&h, (int64_t)receivers[i].h.value);
    }
    report_hash("alone_threads_multiple", &h, false);
    MPI_Finalize();
    return 0;
}
