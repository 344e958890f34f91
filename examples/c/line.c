/*
 * line: which of many line segments intersect. The program line of Netzer, Miller 1992, Table 1: 1000 segments on 32
 * processors sent 31 messages, none of which was traced.
 *
 * Every rank tests its share of the pairs. What they found is added up along a tree, as was usual on a hypercube:
 * each rank but the first sends one message, and every receive names its source. Nothing races.
 *
 *     mpirun -n 32 line [segments]
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 1, SIDE = 1 << 15, LENGTH_MAX = SIDE / 8 };

struct point {
    int64_t x, y;
};

struct segment {
    struct point from, to;
};

/* How many pairs intersect, and a sum over them that two different sets of pairs are unlikely to share. */
struct found {
    uint64_t pairs;
    uint64_t digest;
};

static int64_t next(uint32_t *seed, int64_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (int64_t)(*seed >> 8) % below;
}

/* The same on every rank. */
static struct segment *place_segments(int count)
{
    struct segment *segments = malloc((size_t)count * sizeof *segments);
    uint32_t seed = 1992;
    for (int i = 0; i < count; i++) {
        struct point p = {next(&seed, SIDE), next(&seed, SIDE)};
        segments[i].from = p;
        segments[i].to.x = p.x + next(&seed, 2 * LENGTH_MAX) - LENGTH_MAX;
        segments[i].to.y = p.y + next(&seed, 2 * LENGTH_MAX) - LENGTH_MAX;
    }
    return segments;
}

/* On which side of the line through a and b is c: 1, 0 or -1. */
static int side(struct point a, struct point b, struct point c)
{
    int64_t area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    return (area > 0) - (area < 0);
}

/* They cross if each one's ends are on different sides of the other. Touching does not count. */
static int intersect(const struct segment *s, const struct segment *t)
{
    return side(s->from, s->to, t->from) * side(s->from, s->to, t->to) < 0 &&
           side(t->from, t->to, s->from) * side(t->from, t->to, s->to) < 0;
}

/* The pairs whose first segment is `first`, `first + every`, and so on: a fair share, as pairs get fewer. */
static struct found find(const struct segment *segments, int count, int first, int every)
{
    struct found found = {0, 0};
    for (int i = first; i < count; i += every) {
        for (int j = i + 1; j < count; j++) {
            if (intersect(&segments[i], &segments[j])) {
                found.pairs++;
                found.digest += ((uint64_t)i * 0x9e3779b97f4a7c15u) ^ ((uint64_t)j * 0xbf58476d1ce4e5b9u);
            }
        }
    }
    return found;
}

static struct found add_up(struct found found, int rank, int size)
{
    for (int distance = 1; distance < size; distance *= 2) {
        if (rank & distance) {
            MPI_Send(&found, 2, MPI_UINT64_T, rank - distance, TAG, MPI_COMM_WORLD);
            break;
        }
        if (rank + distance < size) {
            struct found part;
            MPI_Recv(&part, 2, MPI_UINT64_T, rank + distance, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            found.pairs += part.pairs;
            found.digest += part.digest;
        }
    }
    return found;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = argc > 1 ? atoi(argv[1]) : 1000;

    struct segment *segments = place_segments(count);
    struct found found = add_up(find(segments, count, rank, size), rank, size);
    int correct = 1;
    if (rank == 0) {
        struct found expected = find(segments, count, 0, 1);
        correct = found.pairs == expected.pairs && found.digest == expected.digest;
        printf("intersections = %llu, %s\n", (unsigned long long)found.pairs, correct ? "correct" : "WRONG");
    }
    free(segments);
    MPI_Finalize();
    return !correct;
}
