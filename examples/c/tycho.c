/*
 * tycho: a cache simulator. The program tycho of Netzer, Miller 1992, Table 1: a trace of 10 MB of addresses on 64
 * processors sent 1791 messages, of which 412 were traced; it gives its work to whoever comes first.
 *
 * They do not print how the messages go; this is a way that fits these figures. Simulated are caches of 8 to 32768 sets
 * and blocks of 16 to 128 bytes, for each number of ways up to eight at once: the depth at which a block lies in its
 * set's least recently used stack says which of them hit. The sets of a cache do not touch each other, so an eighth of
 * a cache's sets is a task. A worker says that it is free, gets a task from rank 0, and sends what it counted, once
 * for instructions and once for data. Only the messages of free workers race: rank 0 takes the others from the
 * worker that it then has in hand. Who simulates what is another thing in each run, the counts are not.
 *
 *     mpirun -n 64 tycho [bytes of trace]
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_FREE, TAG_TASK, TAG_COUNTS }; /* TAG_COUNTS + 2 task + kind */
enum { INSTRUCTION, DATA, KINDS };
enum { WAYS = 8, MISS = WAYS, DEPTHS };
enum { SET_BITS_MIN = 3, SET_BITS_COUNT = 13, BLOCK_BITS_MIN = 4, BLOCK_BITS_COUNT = 4, SLICE_BITS = 3 };
enum { SLICES = 1 << SLICE_BITS, CACHES = SET_BITS_COUNT * BLOCK_BITS_COUNT, TASKS = CACHES * SLICES };
enum { STOP = -1, NONE = -1 };

/* How many references found their block at which depth. */
typedef int64_t counts[KINDS][DEPTHS];

struct trace {
    size_t references;
    uint32_t *reference; /* an address, whose lowest bit is the kind */
};

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/*
 * A program that runs through functions, calls one of them more often the lower its number, and now and then refers to
 * its stack, walks along an array, or follows a pointer. The same on every rank, as if read from the same file.
 */
static struct trace make_trace(size_t bytes)
{
    struct trace trace = {bytes / sizeof(uint32_t), malloc(bytes + 1)};
    uint32_t seed = 64, pc = 0, element = 0;
    for (size_t i = 0; i < trace.references; i++) {
        uint32_t dice = next(&seed), address;
        if (dice % 3 != 0) {
            pc = dice % 32 == 1 ? (next(&seed) % (1 + next(&seed) % 512)) * 1024 : pc + 4;
            trace.reference[i] = (pc & ~3u) | INSTRUCTION;
            continue;
        }
        switch (next(&seed) % 4) {
        case 0:
            address = 0x20000000u + (element += 8) % (1u << 20);
            break;
        case 1:
            address = 0x40000000u + next(&seed) % (1u << 22);
            break;
        default:
            address = 0x70000000u + next(&seed) % 512;
        }
        trace.reference[i] = (address & ~3u) | DATA;
    }
    return trace;
}

/* Moves a block to the top of a stack and returns where it was. */
static int touch(uint32_t *stack, uint32_t block)
{
    int depth = 0;
    uint32_t above = block;
    while (depth < WAYS) {
        uint32_t here = stack[depth];
        stack[depth] = above;
        if (here == block)
            return depth;
        above = here;
        depth++;
    }
    return MISS;
}

static void simulate(const struct trace *trace, int task, counts result)
{
    int cache = task / SLICES;
    uint32_t slice = (uint32_t)(task % SLICES);
    int set_bits = SET_BITS_MIN + cache / BLOCK_BITS_COUNT, block_bits = BLOCK_BITS_MIN + cache % BLOCK_BITS_COUNT;
    uint32_t sets = 1u << set_bits;
    size_t stacks_size = (size_t)(sets >> SLICE_BITS) * WAYS * sizeof(uint32_t);
    uint32_t *stacks = malloc(stacks_size);
    memset(stacks, 0xff, stacks_size); /* no block has that number */
    memset(result, 0, sizeof(counts));
    for (size_t i = 0; i < trace->references; i++) {
        uint32_t block = trace->reference[i] >> block_bits, set = block & (sets - 1);
        if (set % SLICES == slice)
            result[trace->reference[i] & 1][touch(stacks + (size_t)(set >> SLICE_BITS) * WAYS, block)]++;
    }
    free(stacks);
}

static void worker(const struct trace *trace)
{
    int done = NONE;
    counts result;
    for (;;) {
        int task;
        MPI_Send(&done, 1, MPI_INT, 0, TAG_FREE, MPI_COMM_WORLD);
        for (int kind = 0; kind < KINDS && done != NONE; kind++)
            MPI_Send(result[kind], DEPTHS, MPI_INT64_T, 0, TAG_COUNTS + KINDS * done + kind, MPI_COMM_WORLD);
        MPI_Recv(&task, 1, MPI_INT, 0, TAG_TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task == STOP)
            return;
        simulate(trace, task, result);
        done = task;
    }
}

static void add(counts sum, const counts part)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int depth = 0; depth < DEPTHS; depth++)
            sum[kind][depth] += part[kind][depth];
}

static void master(int size, counts *caches)
{
    int task = 0;
    for (int workers = size - 1; workers > 0;) {
        int done;
        MPI_Status status;
        MPI_Recv(&done, 1, MPI_INT, MPI_ANY_SOURCE, TAG_FREE, MPI_COMM_WORLD, &status);
        if (done != NONE) {
            counts part;
            for (int kind = 0; kind < KINDS; kind++)
                MPI_Recv(part[kind], DEPTHS, MPI_INT64_T, status.MPI_SOURCE, TAG_COUNTS + KINDS * done + kind,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            add(caches[done / SLICES], part);
        }
        int answer = task < TASKS ? task++ : STOP;
        MPI_Send(&answer, 1, MPI_INT, status.MPI_SOURCE, TAG_TASK, MPI_COMM_WORLD);
        workers -= answer == STOP;
    }
}

/* Every cache saw every reference, and one of them is simulated again. */
static int check(const struct trace *trace, const counts *caches)
{
    const int again = CACHES / 2;
    counts expected = {{0}};
    for (int slice = 0; slice < SLICES; slice++) {
        counts part;
        simulate(trace, again * SLICES + slice, part);
        add(expected, part);
    }
    for (int cache = 0; cache < CACHES; cache++) {
        int64_t sum = 0;
        for (int kind = 0; kind < KINDS; kind++)
            for (int depth = 0; depth < DEPTHS; depth++)
                sum += caches[cache][kind][depth];
        if (sum != (int64_t)trace->references)
            return 0;
    }
    return memcmp(caches[again], expected, sizeof expected) == 0;
}

/* Over all caches with so many ways. */
static double miss_ratio(const struct trace *trace, const counts *caches, int ways)
{
    int64_t misses = 0;
    for (int cache = 0; cache < CACHES; cache++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int depth = ways; depth < DEPTHS; depth++)
                misses += caches[cache][kind][depth];
    return (double)misses / (double)trace->references / CACHES;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2) {
        fprintf(stderr, "tycho: a master and at least one worker are needed: 2 ranks or more\n");
        MPI_Finalize();
        return 2;
    }
    struct trace trace = make_trace(argc > 1 ? strtoul(argv[1], NULL, 10) : 10u << 20);

    int correct = 1;
    if (rank == 0) {
        counts *caches = calloc(CACHES, sizeof *caches);
        master(size, caches);
        correct = check(&trace, caches);
        printf("mean miss ratio = %.6f with 1 way, %.6f with %d, %s\n", miss_ratio(&trace, caches, 1),
               miss_ratio(&trace, caches, WAYS), WAYS, correct ? "correct" : "WRONG");
        free(caches);
    } else {
        worker(&trace);
    }
    free(trace.reference);
    MPI_Finalize();
    return !correct;
}
