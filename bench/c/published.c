/*
 * The defects of the test programs that came with the MPI checkers Umpire and ISP, by the names known from there and in our own
 * words: published NAME. Without a name it lists them: name, ranks, what is wrong ("none", "deadlock" or "leak") and whether
 * standard sends must wait to show it ("sync").
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

enum { ANY = MPI_ANY_SOURCE, TAG = 5, OTHER = 6 };

static void put(int to, int tag) { MPI_Send(&rank, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }
static void get(int from, int tag) {
  int value;
  MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static MPI_Request begin(int *into, int from) {
  MPI_Request request;
  MPI_Irecv(into, 1, MPI_INT, from, TAG, MPI_COMM_WORLD, &request);
  return request;
}

/* Rank 1 hopes that any source is rank 2's message, and then waits for rank 0's: it works if they come in that order. */
static void any_src_can_deadlock(void) {
  if (rank == 1) get(ANY, TAG), get(0, TAG);
  else usleep(rank == 0 ? 20000 : 0), put(1, TAG);
}

/* The same with requests that are waited for. */
static void any_src_wait_can_deadlock(void) {
  int value[2];
  if (rank != 1) {
    usleep(rank == 0 ? 20000 : 0), put(1, TAG);
    return;
  }
  MPI_Request any = begin(&value[0], ANY);
  MPI_Wait(&any, MPI_STATUS_IGNORE);
  MPI_Request named = begin(&value[1], 0);
  MPI_Wait(&named, MPI_STATUS_IGNORE);
}

/* And with requests that are begun before either is waited for. */
static void any_src_waitall_can_deadlock(void) {
  int value[2];
  if (rank != 1) {
    usleep(rank == 0 ? 20000 : 0), put(1, TAG);
    return;
  }
  MPI_Request both[] = {begin(&value[0], ANY), begin(&value[1], 0)};
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

/* Nobody sends what rank 0 would take from anybody. */
static void any_src_deadlock(void) {
  if (rank == 0) get(ANY, OTHER);
  else put(0, TAG);
}

/* A probe sees anybody's message, and the receive behind it names a source. */
static void probe_any_src_can_deadlock(void) {
  MPI_Status seen;
  if (rank != 1) {
    usleep(rank == 0 ? 20000 : 0), put(1, TAG);
    return;
  }
  MPI_Probe(ANY, TAG, MPI_COMM_WORLD, &seen);
  if (seen.MPI_SOURCE == 2) get(2, TAG), get(0, TAG);
  else get(0, TAG), get(0, TAG);
}

/* Both receive first. */
static void basic_deadlock(void) {
  get(1 - rank, TAG);
  put(1 - rank, TAG);
}

/* Both send first: buffers hide it. */
static void head_to_head_sends(void) {
  put(1 - rank, TAG);
  get(1 - rank, TAG);
}

static void no_error(void) {
  if (rank == 0) for (int i = 1; i < size; i++) get(ANY, TAG);
  else put(0, TAG);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* One broadcasts where the others wait at a barrier. */
static void collective_misorder(void) {
  int value = 1;
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    get(1, TAG);
  } else {
    if (rank == 1) get(0, TAG), put(0, TAG);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

/* A ring in which everybody waits for the one before, through requests. */
static void waitall_deadlock(void) {
  int value;
  MPI_Request request = begin(&value, (rank + size - 1) % size);
  MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  put((rank + 1) % size, TAG);
}

/* Sendrecv with the wrong partner on one rank. */
static void sendrecv_deadlock(void) {
  int value;
  int to = (rank + 1) % size, from = rank == 0 ? 1 : (rank + size - 1) % size;
  MPI_Sendrecv(&rank, 1, MPI_INT, to, TAG, &value, 1, MPI_INT, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The order of two communicators' barriers differs between ranks. */
static void comm_dup_deadlock(void) {
  MPI_Comm one, two;
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_dup(MPI_COMM_WORLD, &two);
  MPI_Barrier(rank == 0 ? one : two);
  MPI_Barrier(rank == 0 ? two : one);
  MPI_Comm_free(&one);
  MPI_Comm_free(&two);
}

/* Rank 0 ends, and rank 1 waits for what it never sends. */
static void finalize_deadlock(void) {
  if (rank == 1) get(0, TAG);
}

/* It works if the master's first two results are of different workers, which only time decides. */
static void complex_can_deadlock(void) {
  if (rank == 0) {
    MPI_Status first;
    int value;
    MPI_Recv(&value, 1, MPI_INT, ANY, TAG, MPI_COMM_WORLD, &first);
    get(first.MPI_SOURCE == 1 ? 2 : 1, TAG);
    get(1, TAG);
    get(2, TAG);
    if (first.MPI_SOURCE == 2) get(ANY, OTHER);
  } else {
    usleep(rank == 2 ? 20000 : 0), put(0, TAG), put(0, TAG);
  }
}

/* A barrier comes too early for a message that a wildcard receive should not get. */
static void crooked_barrier(void) {
  int value;
  MPI_Request request;
  if (rank == 0) {
    MPI_Isend(&rank, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Request any = begin(&value, ANY);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&any, MPI_STATUS_IGNORE);
    get(2, TAG);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    put(1, TAG);
  }
}

/* A request that nobody completes. */
static void lost_request(void) {
  static int value;
  if (rank == 0) begin(&value, ANY);
  else put(0, TAG);
  MPI_Barrier(MPI_COMM_WORLD);
}

static const struct {
  const char *name;
  int ranks;
  const char *defect, *sends;
  void (*run)(void);
} PROGRAMS[] = {
    {"any_src-can-deadlock", 3, "deadlock", "-", any_src_can_deadlock},
    {"any_src-wait-can-deadlock", 3, "deadlock", "-", any_src_wait_can_deadlock},
    {"any_src-waitall-can-deadlock", 3, "deadlock", "-", any_src_waitall_can_deadlock},
    {"any_src-deadlock", 2, "deadlock", "-", any_src_deadlock},
    {"probe-any_src-can-deadlock", 3, "deadlock", "-", probe_any_src_can_deadlock},
    {"basic-deadlock", 2, "deadlock", "-", basic_deadlock},
    {"head-to-head-sends", 2, "deadlock", "sync", head_to_head_sends},
    {"no-error", 4, "none", "-", no_error},
    {"collective-misorder", 3, "deadlock", "-", collective_misorder},
    {"waitall-deadlock", 3, "deadlock", "-", waitall_deadlock},
    {"sendrecv-deadlock", 3, "deadlock", "-", sendrecv_deadlock},
    {"comm-dup-deadlock", 2, "deadlock", "-", comm_dup_deadlock},
    {"finalize-deadlock", 2, "deadlock", "-", finalize_deadlock},
    {"complex-can-deadlock", 3, "deadlock", "-", complex_can_deadlock},
    {"crooked-barrier", 3, "deadlock", "-", crooked_barrier},
    {"lost-request", 3, "leak", "-", lost_request},
};

int main(int argc, char **argv) {
  enum { COUNT = sizeof PROGRAMS / sizeof *PROGRAMS };
  if (argc < 2) {
    for (int i = 0; i < COUNT; i++)
      printf("%s %d %s %s\n", PROGRAMS[i].name, PROGRAMS[i].ranks, PROGRAMS[i].defect, PROGRAMS[i].sends);
    return 0;
  }
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < COUNT; i++)
    if (strcmp(argv[1], PROGRAMS[i].name) == 0) PROGRAMS[i].run();
  MPI_Finalize();
  return 0;
}
