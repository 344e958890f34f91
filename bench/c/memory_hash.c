/*
 * Linked with a program by --wrap: on entry of each MPI call the hash of all that the program has on its heap, and of all
 * that it has received by MPI_Recv, goes into memory_hash, and the number of calls into memory_calls. At MPI_Finalize all
 * hashes are written to memory-<rank>. Whoever stops a rank can so ask whether its memory is that of the run. Blocks with
 * requests hold addresses and are left out, as are those that open receives may write.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t memory_hash;
long memory_calls;

enum { BLOCKS_MAX = 4096 };
static struct block {
    char *begin;
    size_t bytes;
    int has_requests, is_open;
} blocks[BLOCKS_MAX];
static int block_count;
static uint64_t *history;
static long history_room;

void *__real_malloc(size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void __real_free(void *block);

static struct block *block_of(const void *address)
{
    for (int i = 0; i < block_count; i++)
        if ((const char *)address >= blocks[i].begin && (const char *)address < blocks[i].begin + blocks[i].bytes)
            return &blocks[i];
    return NULL;
}

/* Always cleared: what was there before is not the program's. */
void *__wrap_calloc(size_t count, size_t size)
{
    size_t bytes = (count * size + 7) / 8 * 8;
    char *made = __real_malloc(bytes + 8);
    for (size_t i = 0; made != NULL && i < bytes; i++)
        made[i] = 0;
    if (made != NULL && block_count < BLOCKS_MAX)
        blocks[block_count++] = (struct block){.begin = made, .bytes = bytes};
    return made;
}

void *__wrap_malloc(size_t bytes) { return __wrap_calloc(1, bytes); }

void __wrap_free(void *address)
{
    struct block *block = block_of(address);
    if (block != NULL)
        *block = blocks[--block_count];
    __real_free(address);
}

static uint64_t received = 1; /* what blocking receives put anywhere, as on the stack */

static void note_received(const void *buffer, int count, MPI_Datatype type)
{
    int size;
    MPI_Type_size(type, &size);
    for (int i = 0; i < count * size; i++)
        received = (received ^ ((const unsigned char *)buffer)[i]) * UINT64_C(1099511628211);
}

static void note(void)
{
    uint64_t hash = received;
    for (int i = 0; i < block_count; i++) {
        const uint64_t *words = (const uint64_t *)blocks[i].begin;
        if (blocks[i].has_requests || blocks[i].is_open)
            continue;
        for (size_t word = 0; word < blocks[i].bytes / 8; word++)
            hash = (hash ^ words[word]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    memory_hash = hash;
    if (memory_calls == history_room) {
        history_room = history_room == 0 ? 4096 : 2 * history_room;
        history = __real_realloc(history, (size_t)history_room * sizeof *history);
    }
    history[memory_calls++] = hash;
}

static void holds_request(const void *request)
{
    struct block *block = block_of(request);
    if (block != NULL)
        block->has_requests = 1;
}

static void completed(void)
{
    for (int i = 0; i < block_count; i++)
        blocks[i].is_open = 0;
}

#define WRAPPED(name, parameters, arguments)                                                                           \
    int __real_MPI_##name parameters;                                                                                  \
    int __wrap_MPI_##name parameters                                                                                   \
    {                                                                                                                  \
        note();                                                                                                        \
        return __real_MPI_##name arguments;                                                                            \
    }

WRAPPED(Send, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (b, n, t, to, tag, c))
WRAPPED(Probe, (int from, int tag, MPI_Comm c, MPI_Status *s), (from, tag, c, s))
WRAPPED(Bcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c))
WRAPPED(Reduce, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c),
        (a, b, n, t, op, root, c))
WRAPPED(Gather, (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, int root, MPI_Comm c),
        (a, n, t, b, m, u, root, c))
WRAPPED(Sendrecv,
        (const void *a, int n, MPI_Datatype t, int to, int tag, void *b, int m, MPI_Datatype u, int from, int other,
         MPI_Comm c, MPI_Status *s),
        (a, n, t, to, tag, b, m, u, from, other, c, s))

int __real_MPI_Recv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s);
int __wrap_MPI_Recv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s)
{
    note();
    int code = __real_MPI_Recv(b, n, t, from, tag, c, s);
    note_received(b, n, t);
    return code;
}

int __real_MPI_Isend(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *request);
int __wrap_MPI_Isend(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *request)
{
    holds_request(request);
    note();
    return __real_MPI_Isend(b, n, t, to, tag, c, request);
}

int __real_MPI_Irecv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *request);
int __wrap_MPI_Irecv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *request)
{
    struct block *written = block_of(b);
    holds_request(request);
    if (written != NULL)
        written->is_open = 1;
    note();
    return __real_MPI_Irecv(b, n, t, from, tag, c, request);
}

int __real_MPI_Waitall(int n, MPI_Request *requests, MPI_Status *statuses);
int __wrap_MPI_Waitall(int n, MPI_Request *requests, MPI_Status *statuses)
{
    note();
    int code = __real_MPI_Waitall(n, requests, statuses);
    completed();
    return code;
}

int __real_MPI_Finalize(void);
int __wrap_MPI_Finalize(void)
{
    char name[64];
    int rank;
    note();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "memory-%d", rank);
    FILE *file = fopen(name, "w");
    for (long call = 0; file != NULL && call < memory_calls; call++)
        fprintf(file, "%llu\n", (unsigned long long)history[call]);
    if (file != NULL)
        fclose(file);
    return __real_MPI_Finalize();
}
