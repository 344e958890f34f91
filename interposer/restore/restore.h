/*
 * The library of checkpoints. It is loaded behind the recorder, next to the MPI library, and only into a controlled
 * re-execution for a debugger. There it counts messages, keeps those that the plan names and the results of collectives,
 * and forks where the plan says. In a process that was forked it takes the place of the MPI library's transports: what the
 * rank sends goes to a hub, what it receives comes from there. Since the recorder in front of it goes on as before, every
 * receive that arrives here names its source, and polls that fail do not arrive.
 *
 * A reader's way through: life.c begins, checkpoint.c forks, files.c gives files back, names.c keeps what is done to
 * names of files from the user's, hub.c sends and takes messages, channels.c counts them, kept.c has what was kept;
 * point_to_point.inc, completion.c, probe.c, collectives.c and comms.c serve the calls, refusals.c says which processes
 * cannot be restored.
 */
#ifndef REPRISE_RESTORE_H
#define REPRISE_RESTORE_H

#include "heap.h"
#include "rank.h"

#include "observed.h"

#include <sys/stat.h>
#include <time.h>

#pragma GCC visibility push(hidden)

/* The library's own function. Not all that are asked here are in calls.def. */
#define LIB(name)                                                                                                      \
  ({                                                                                                                   \
    static __typeof__(&PMPI_##name) found;                                                                             \
    if (unlikely(found == NULL)) found = (__typeof__(&PMPI_##name))find_in_mpi("PMPI_" #name);                         \
    found;                                                                                                             \
  })

/* ---- life.c ---- */

extern bool marking;  /* a controlled re-execution, or a rank restored from one */
extern bool restored; /* the library's transports are not to be touched any more */
extern const char *marks_directory;
extern int own_rank, world_size;
extern MPI_Group world_group;
extern PER_THREAD int depth; /* not 0: the MPI library calls itself */

static inline bool serves(void) { return marking && depth == 0; }

/* What cannot be served ends the restored rank, and is said by name. */
_Noreturn void refuse(const char *what);
_Noreturn void refuse_damaged(const char *what); /* the rank's file of these is not what was written */
_Noreturn void end_restored(int status);

/* ---- refusals.c ---- */

const char *why_not(void); /* this process cannot be forked and restored; NULL: it can */
void refuse_checkpoints(const char *why); /* from here on */

/* ---- checkpoint.c ---- */

void report_refusal(const char *why); /* no checkpoints of this run */

/* ---- hub.c ---- */

enum { FIRST_DESCRIPTOR = 900 };
int connect_to(const char *directory, const char *name);
bool write_all(int fd, const void *bytes, size_t count);
bool read_all(int fd, void *bytes, size_t count);
bool say_packet(int fd, struct reprise_packet packet, const void *bytes);
void hub_begin(const char *directory);
void hub_say(struct reprise_packet packet, const void *bytes);

/* A message that has arrived and was not received yet. */
struct arrived {
  struct reprise_packet packet;
  struct arrived *next, *before;
  uint8_t bytes[];
};
extern struct arrived *first_arrived;
/* Takes what has arrived, waiting for something so long; forever if negative. */
void hub_pump(int millis);
struct arrived *arrived_find(uint64_t comm, int peer, int tag, uint64_t number);
void arrived_take(struct arrived *message); /* out of the list; to be given back as memory */

/* ---- channels.c ---- */

struct channel {
  struct reprise_channel key; /* number: how many so far */
  struct channel *next;
};
struct channel *channel_sent(uint64_t comm, int peer, int tag);
struct channel *channel_received(uint64_t comm, int peer, int tag);
void channels_visit(void (*visit)(const struct reprise_channel *channel)); /* of receives */

/* ---- kept.c ---- */

void kept_begin(void);
bool call_is_kept(void); /* the plan names the call that the rank is in */
void keep_message(struct reprise_packet packet, const void *bytes);

/* Where a collective puts what it got. */
struct piece {
  void *buffer;
  MPI_Count count;
  MPI_Datatype type;
};
struct result {
  uint64_t number;
  int count, room;
  struct piece few[2], *more;
};
void result_begin(struct result *result);
void result_add(struct result *result, void *buffer, MPI_Count count, MPI_Datatype type);
void result_own(struct result *result); /* the program may free its types before it is complete */
void result_keep(struct result *result, int code);
int result_take(struct result *result);
void result_end(struct result *result);
void bytes_keep(uint64_t number, int code, const void *bytes, size_t count);
int bytes_take(uint64_t number, void **bytes, size_t *count); /* to be given back */
uint64_t next_result(void);
void results_reopen(void);
uint64_t mark_taken(void); /* the number of the one that is being taken */

bool type_copy(MPI_Datatype type, MPI_Datatype *copy); /* the program may free its own */

/* Packed as the library does it. */
void *packed(const void *buffer, MPI_Count count, MPI_Datatype type, size_t *bytes);
void unpack(const void *bytes, size_t count, void *buffer, MPI_Count elements, MPI_Datatype type);

/* ---- comms.c ---- */

struct comm {
  uint64_t id;
  int rank, size, remote_size; /* remote_size: -1 if it has one group only */
  int *members, *remote;       /* in MPI_COMM_WORLD */
  bool ours;                   /* made after the restore; the handle is a spare one */
  int topology;                /* MPI_UNDEFINED, MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
  int *shape;                  /* as comms.c keeps it */
};
void comms_begin(void);
struct comm *comm_of(MPI_Comm handle);
int comm_in_degree(MPI_Comm handle);
static inline int peers_of(const struct comm *comm) { return comm->remote_size >= 0 ? comm->remote_size : comm->size; }
static inline int world_of(const struct comm *comm, int peer) {
  return comm->remote_size >= 0 ? comm->remote[peer] : comm->members[peer];
}
int rank_in(const struct comm *comm, int world);

/* ---- operations.c ---- */

enum operation_kind { IS_RECEIVE, IS_SEND, IS_COLLECTIVE };
struct operation {
  MPI_Request handle;
  enum operation_kind kind;
  bool persistent, active, done, handle_is_ours, type_is_ours, nobody, cancelled;
  void *buffer;
  MPI_Count count;
  MPI_Datatype type;
  MPI_Comm comm;
  int peer, tag; /* as the program gave them */
  uint64_t comm_id;
  int world, got_tag; /* of a receive: whose message */
  uint64_t number;    /* ... and which; UINT64_MAX: any */
  int source;
  uint64_t bytes;
  struct result result;
  struct operation *next, *before; /* receives that are open */
};
extern struct operation *open_operations;
struct operation *operation_new(MPI_Request *request, enum operation_kind kind); /* restored: makes the handle too */
struct operation *operation_of(MPI_Request request);
void operation_end(struct operation *operation); /* forgotten, with its handle */
void operation_keep_type(struct operation *operation, MPI_Datatype type);
void receive_begin(struct operation *operation); /* takes its number, and what has arrived of it */
bool receive_arrived(struct operation *operation);
void receive_of(struct operation *operation, const struct reprise_channel *which);
void deliver(struct operation *operation, struct arrived *message);
void deliver_alone(struct operation *operation, struct arrived *message); /* one that is in no list */
void receive_closed(struct operation *operation);
struct arrived *arrived_for(uint64_t comm, int world, int tag, uint64_t number);

/* Sends, of a restored rank or not. */
void note_sent(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
void set_status(MPI_Status *status, int source, int tag, uint64_t bytes, bool cancelled);
void set_empty_status(MPI_Status *status);
void set_nobody_status(MPI_Status *status);

/* ---- probe.c ---- */

void messages_visit(void (*visit)(const struct reprise_channel *channel)); /* probed and not received */

/* ---- files.c ---- */

const char *files_keep(void); /* before the fork; NULL, or why not */
void files_give_back(const char *directory);
void private_path(int at, const char *path, char *to, size_t room);
int open_private(int at, const char *path, int flags, mode_t mode);
bool copy_path(const char *from, const char *to);
bool is_special(const char *path); /* no user's file */
bool is_later(struct timespec time); /* than the fork */
_Noreturn void refuse_file(const char *path);

/* ---- names.c ---- */

bool is_removed(int at, const char *path); /* by this rank, for itself */
void forget_removed(int at, const char *path);

#pragma GCC visibility pop

#endif
