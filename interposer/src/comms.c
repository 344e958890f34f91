/*
 * Identities of communicators: the same in every run and on every member, without a message. A communicator is named
 * by its parent, how it was made, its number among those of its parent, and the world rank of its first member.
 */
#include "comms.h"
#include "heap.h"
#include "watch.h"

struct comm {
  uint64_t id;
  uint64_t children; /* collective creations on it so far */
  int peers;         /* 0: not asked yet */
  /* Where the rank is watched */
  uint64_t collectives;
  enum call last_collective;
  struct comm_members members;
  struct comm *next;
};
static struct comm *watched_comms;

enum making { MADE_WORLD = 1, MADE_SELF, MADE_OF_PARENT, MADE_OF_GROUP, MADE_INTER, MADE_UNKNOWN };

static struct map comms;
static struct map pairings; /* how often two leaders, or a group, made a communicator with one tag */
static MPI_Group world_group;

MPI_Comm last_comm;
uint64_t last_comm_id;
int last_comm_peers;
MPI_Comm private_comm;

static int *world_ranks(MPI_Group group, int *size) {
  REAL(Group_size)(group, size);
  size_t bytes = ((size_t)*size + 1) * sizeof(int);
  int *ranks = take_memory(bytes), *world = take_memory(bytes);
  for (int i = 0; i < *size; i++) ranks[i] = i;
  REAL(Group_translate_ranks)(group, *size, ranks, world_group, world);
  give_memory(ranks);
  REAL(Group_free)(&group);
  return world;
}

static void look_at_members(struct comm *comm, MPI_Comm handle) {
  MPI_Group group;
  int inter = 0;
  REAL(Comm_test_inter)(handle, &inter);
  REAL(Comm_group)(handle, &group);
  comm->members.local = world_ranks(group, &comm->members.size);
  if (inter) {
    REAL(Comm_remote_group)(handle, &group);
    comm->members.remote = world_ranks(group, &comm->members.remote_size);
  }
}

/* For the watch the communicator outlives its handle: messages on it may still be on their way. */
static void watch_comm(struct comm *comm, MPI_Comm like) {
  look_at_members(comm, like);
  comm->next = watched_comms;
  watched_comms = comm;
}

uint64_t comm_collective(MPI_Comm handle, enum call id) {
  struct comm *comm = map_get(&comms, HANDLE(handle));
  if (comm == NULL) return 0;
  comm->last_collective = id;
  return ++comm->collectives;
}

void comms_visit(void (*visit)(uint64_t id, const struct comm_members *members, uint64_t collectives, uint32_t last)) {
  for (const struct comm *comm = watched_comms; comm != NULL; comm = comm->next)
    visit(comm->id, &comm->members, comm->collectives, comm->collectives == 0 ? 0 : comm->last_collective + 1u);
}

static struct comm *comm_put(MPI_Comm handle, uint64_t id) {
  struct comm *comm = take_memory(sizeof *comm);
  *comm = (struct comm){.id = id};
  map_put(&comms, HANDLE(handle), comm);
  return comm;
}

/* A communicator that the library made where we do not look: known by its handle at least. */
static struct comm *comm_of(MPI_Comm handle) {
  struct comm *comm = map_get(&comms, HANDLE(handle));
  if (comm != NULL) return comm;
  comm = comm_put(handle, reprise_mix(MADE_UNKNOWN, 0));
  comm->peers = INT32_MAX;
  return comm;
}

static uint64_t look_up(MPI_Comm comm) {
  const struct comm *found = comm_of(comm);
  last_comm_id = found->id;
  last_comm_peers = found->peers;
  last_comm = comm;
  return last_comm_id;
}

uint64_t comm_id_slow(MPI_Comm comm) {
  lock();
  uint64_t id = look_up(comm);
  unlock();
  return id;
}

static int first_of(MPI_Group group) {
  int first = 0, size = 0, world = -1;
  REAL(Group_size)(group, &size);
  if (size > 0) REAL(Group_translate_ranks)(group, 1, &first, world_group, &world);
  REAL(Group_free)(&group);
  return world;
}

static int leader(MPI_Comm comm) {
  MPI_Group group;
  REAL(Comm_group)(comm, &group);
  return first_of(group);
}

static int remote_leader(MPI_Comm comm) {
  MPI_Group group;
  REAL(Comm_remote_group)(comm, &group);
  return first_of(group);
}

static uint64_t count_of(uint64_t pairing) {
  uint64_t *count = map_get(&pairings, pairing);
  if (count == NULL) {
    count = take_memory(sizeof *count);
    *count = 0;
    map_put(&pairings, pairing, count);
  }
  return ++*count;
}

/* A number for a creation on this parent, taken at the call: idup has no communicator to ask yet. */
static uint64_t next_child(MPI_Comm parent, enum call how) {
  lock();
  struct comm *comm = comm_of(parent);
  uint64_t child = reprise_mix(reprise_mix(reprise_mix(comm->id, MADE_OF_PARENT), how), ++comm->children);
  unlock();
  return child;
}

/* Like: a communicator that may be asked who its members are, and has the same. */
static void name_comm(MPI_Comm made, uint64_t id, MPI_Comm like) {
  lock();
  struct comm *comm = comm_put(made, id);
  if (rank.watched) watch_comm(comm, like);
  unlock();
}

void comms_begin(void) {
  REAL(Comm_group)(MPI_COMM_WORLD, &world_group);
  name_comm(MPI_COMM_WORLD, reprise_mix(MADE_WORLD, 0), MPI_COMM_WORLD);
  name_comm(MPI_COMM_SELF, reprise_mix(MADE_SELF, trace.rank), MPI_COMM_SELF);
  comm_id_slow(MPI_COMM_WORLD);
}

static void name_child(uint64_t child, MPI_Comm made) {
  if (made != MPI_COMM_NULL) name_comm(made, reprise_mix(child, (uint64_t)leader(made)), made);
}

static void forget(MPI_Comm comm) {
  lock();
  struct comm *gone = map_remove(&comms, HANDLE(comm), NULL);
  if (!rank.watched) give_memory(gone);
  if (last_comm == comm) look_up(MPI_COMM_WORLD);
  unlock();
}

/*
 * Made before the program runs: a copy of MPI_COMM_SELF takes the program's attributes and its error handler along, and
 * neither is to hear of what a replay does.
 */
void private_comm_begin(void) {
  REAL(Comm_dup)(MPI_COMM_SELF, &private_comm);
  REAL(Comm_set_errhandler)(private_comm, MPI_ERRORS_RETURN);
}

static int ask_peers(MPI_Comm comm) {
  int inter = 0, peers = 0;
  REAL(Comm_test_inter)(comm, &inter);
  if (inter) REAL(Comm_remote_size)(comm, &peers);
  else REAL(Comm_size)(comm, &peers);
  return peers;
}

/* The library is not asked about a handle that nobody made: its answer would go to the program's error handler. */
int comm_peers_slow(MPI_Comm handle) {
  lock();
  struct comm *comm = map_get(&comms, HANDLE(handle));
  if (comm != NULL && comm->peers == 0) comm->peers = ask_peers(handle);
  int peers = comm == NULL ? INT32_MAX : comm->peers;
  if (handle == last_comm) last_comm_peers = peers;
  unlock();
  return peers;
}

#define WRAP_CREATES(name, roles, parameters, arguments)                                                               \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (!enter(CALL_##name)) return REAL(name) arguments;                                                              \
    uint64_t child = next_child(comm, CALL_##name);                                                                    \
    if (unlikely(rank.watched)) watch_collective(CALL_##name, -1, comm, NULL);                                         \
    int code = REAL(name) arguments;                                                                                   \
    if (code == MPI_SUCCESS) name_child(child, *newcomm);                                                              \
    leave();                                                                                                           \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

/* The handle is there at once and may be used once the request is done; its members are those of the parent. */
#define WRAP_CREATES_LATER(name, roles, parameters, arguments)                                                         \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (!enter(CALL_##name)) return REAL(name) arguments;                                                              \
    uint64_t child = next_child(comm, CALL_##name);                                                                    \
    int code = REAL(name) arguments;                                                                                   \
    if (unlikely(rank.watched)) watch_collective(CALL_##name, -1, comm, request);                                      \
    if (code == MPI_SUCCESS) name_comm(*newcomm, reprise_mix(child, (uint64_t)leader(comm)), comm);                    \
    leave();                                                                                                           \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

#include "wrappers.inc"

/* Only the group's members call it, so the parent's count says nothing: group and tag do. */
EXPORT int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made) {
  if (!enter(CALL_Comm_create_group)) return REAL(Comm_create_group)(comm, group, tag, made);
  int code = REAL(Comm_create_group)(comm, group, tag, made);
  if (code == MPI_SUCCESS && *made != MPI_COMM_NULL) {
    uint64_t members = reprise_mix(reprise_mix(comm_id(comm), MADE_OF_GROUP), (uint64_t)tag);
    int size = 0;
    REAL(Group_size)(group, &size);
    for (int i = 0, world; i < size; i++) {
      REAL(Group_translate_ranks)(group, 1, &i, world_group, &world);
      members = reprise_mix(members, (uint64_t)world);
    }
    name_comm(*made, reprise_mix(members, count_of(members)), *made);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Comm_create_group);

EXPORT int MPI_Intercomm_create(MPI_Comm local, int local_leader, MPI_Comm peer, int remote, int tag, MPI_Comm *made) {
  if (!enter(CALL_Intercomm_create)) return REAL(Intercomm_create)(local, local_leader, peer, remote, tag, made);
  int code = REAL(Intercomm_create)(local, local_leader, peer, remote, tag, made);
  if (code == MPI_SUCCESS) {
    uint64_t here = (uint64_t)leader(*made), there = (uint64_t)remote_leader(*made);
    uint64_t low = here < there ? here : there, high = here < there ? there : here;
    uint64_t pairing = reprise_mix(reprise_mix(reprise_mix(MADE_INTER, low), high), (uint64_t)tag);
    name_comm(*made, reprise_mix(pairing, count_of(pairing)), *made);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Intercomm_create);

#define ENDS(name)                                                                                                     \
  EXPORT int MPI_##name(MPI_Comm *comm) {                                                                              \
    if (!enter(CALL_##name)) return REAL(name)(comm);                                                                  \
    forget(*comm); /* the handle may be used again for another */                                                      \
    int code = REAL(name)(comm);                                                                                       \
    leave();                                                                                                           \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

ENDS(Comm_free)
ENDS(Comm_disconnect)

/* The library of events asks afterwards whether messages may overtake each other now. */
EXPORT int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
  if (!enter(CALL_Comm_set_info)) return REAL(Comm_set_info)(comm, info);
  int code = REAL(Comm_set_info)(comm, info);
  leave();
  return code;
}
ALSO_AS_PMPI(Comm_set_info);
