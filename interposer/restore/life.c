/* A process becomes a rank with checkpoints at MPI_Init, if it is told where they are kept. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "restore.h"

PER_THREAD struct self self;
struct reprise_header trace;
struct rank rank;

bool marking, restored;
const char *marks_directory;
int own_rank, world_size;
MPI_Group world_group;
PER_THREAD int depth;

static bool finalized;

static void begin(void) {
  marks_directory = getenv(REPRISE_ENV_MARKS);
  if (marks_directory == NULL || marking) return;
  resolve_all();
  LIB(Comm_rank)(MPI_COMM_WORLD, &own_rank);
  LIB(Comm_size)(MPI_COMM_WORLD, &world_size);
  LIB(Comm_group)(MPI_COMM_WORLD, &world_group);
  trace.rank = (uint32_t)own_rank;
  comms_begin();
  kept_begin();
  marking = true;
}

#define BEGINS(name, parameters, arguments)                                                                            \
  EXPORT int MPI_##name parameters {                                                                                   \
    depth++;                                                                                                           \
    int code = LIB(name) arguments;                                                                                    \
    if (code == MPI_SUCCESS && depth == 1) begin();                                                                    \
    depth--;                                                                                                           \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

BEGINS(Init, (int *argc, char ***argv), (argc, argv))
BEGINS(Init_thread, (int *argc, char ***argv, int required, int *provided), (argc, argv, required, provided))

EXPORT int MPI_Finalize(void) {
  if (!restored) return LIB(Finalize)();
  reprise_stay_inside();
  finalized = true;
  return MPI_SUCCESS;
}
ALSO_AS_PMPI(Finalize);

EXPORT int MPI_Finalized(int *flag) {
  if (!restored || !finalized) return LIB(Finalized)(flag);
  *flag = 1;
  return MPI_SUCCESS;
}
ALSO_AS_PMPI(Finalized);

EXPORT int MPI_Abort(MPI_Comm comm, int error) {
  if (!restored) return LIB(Abort)(comm, error);
  end_restored(error);
}
ALSO_AS_PMPI(Abort);

/* The library's handlers would try to say goodbye to others. */
void end_restored(int status) {
  fflush(NULL);
  hub_say((struct reprise_packet){.kind = REPRISE_PACKET_EXIT, .tag = status}, NULL);
  _exit(status);
}

void refuse_damaged(const char *what) {
  char name[64];
  snprintf(name, sizeof name, "rank-%d.%s", own_rank, what);
  hub_say((struct reprise_packet){.kind = REPRISE_PACKET_REFUSED, .tag = 1, .bytes = strlen(name)}, name);
  _exit(1);
}

void refuse(const char *what) {
  hub_say((struct reprise_packet){.kind = REPRISE_PACKET_REFUSED, .bytes = strlen(what)}, what);
  _exit(1);
}
