/*
 * Communicators and datatypes. A communicator is described in the file before the first event that names it: identity,
 * members by their ranks in MPI_COMM_WORLD. Events name it by the number of its description.
 */
#include "events.h"

#include "observed.h"

struct known_comm {
  uint32_t index, persistent; /* and how many persistent collectives were made on it */
};

static struct map comms;
static uint32_t comm_count;
static MPI_Group world_group;

MPI_Comm recent_comm;
uint32_t recent_comm_index;

PER_THREAD MPI_Datatype recent_type;
PER_THREAD uint64_t recent_type_bytes;

/* Only MPI's own types are remembered: the handle of another may be freed and stand for a new one. */
uint64_t type_bytes_slow(MPI_Datatype type) {
  int integers, addresses, types, combiner, size = 0;
  if (type == MPI_DATATYPE_NULL) return 0; /* the library would call the program's error handler for our question */
  if (REAL(Type_size)(type, &size) != MPI_SUCCESS || size <= 0) return 0;
  REAL(Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_NAMED) {
    recent_type = type;
    recent_type_bytes = (uint64_t)size;
  }
  return (uint64_t)size;
}

/* ---- Descriptions ---- */

struct run {
  int first, count, stride;
};

static void put_run(struct reprise_event *record, struct run run) {
  uint32_t *words = &record->words[record->call * 3];
  words[0] = (uint32_t)run.first;
  words[1] = (uint32_t)run.count;
  words[2] = (uint32_t)run.stride;
  if (++record->call < 2) return;
  event_explain(record);
  record->call = 0;
}

/* Members as runs of equal stride: those of most communicators are one run. */
static void put_members(const int *world, int size) {
  struct reprise_event record = {.kind = REPRISE_EV_MEMBERS};
  for (int i = 0; i < size;) {
    struct run run = {.first = world[i], .count = 1, .stride = i + 1 < size ? world[i + 1] - world[i] : 1};
    while (i + run.count < size && world[i + run.count] - world[i + run.count - 1] == run.stride) run.count++;
    put_run(&record, run);
    i += run.count;
  }
  if (record.call > 0) event_explain(&record);
}

static int *members(MPI_Group group, int *size) {
  REAL(Group_size)(group, size);
  size_t bytes = ((size_t)*size + 1) * sizeof(int);
  int *ranks = take_memory(bytes), *world = take_memory(bytes);
  for (int i = 0; i < *size; i++) ranks[i] = i;
  REAL(Group_translate_ranks)(group, *size, ranks, world_group, world);
  give_memory(ranks);
  REAL(Group_free)(&group);
  return world;
}

static bool is_foreign(const int *world, int size) {
  for (int i = 0; i < size; i++)
    if (world[i] < 0) return true;
  return false;
}

static bool may_overtake(MPI_Comm comm) {
  MPI_Info info;
  int set = 0;
  char word[8] = "";
  if (REAL(Comm_get_info)(comm, &info) != MPI_SUCCESS) return false;
  REAL(Info_get)(info, "mpi_assert_allow_overtaking", sizeof word - 1, word, &set);
  REAL(Info_free)(&info);
  return set && strcmp(word, "true") == 0;
}

/* A communicator, under its own identity or another. */
static uint32_t describe(MPI_Comm comm, uint64_t id) {
  int size = 0, remote_size = 0, inter = 0;
  int *local, *remote = NULL;
  MPI_Group group;
  REAL(Comm_test_inter)(comm, &inter);
  REAL(Comm_group)(comm, &group);
  local = members(group, &size);
  if (inter) {
    REAL(Comm_remote_group)(comm, &group);
    remote = members(group, &remote_size);
  }
  if (is_foreign(local, size) || is_foreign(remote, remote_size)) {
    give_memory(local);
    give_memory(remote);
    return FOREIGN;
  }
  struct reprise_event record = {
      .kind = REPRISE_EV_COMM,
      .flags = (uint8_t)((inter ? REPRISE_EVF_INTER : 0) | (may_overtake(comm) ? REPRISE_EVF_OVERTAKING : 0)),
      .comm = {.id_low = (uint32_t)id,
               .id_high = (uint32_t)(id >> 32),
               .size = (uint32_t)size,
               .remote_size = (uint32_t)remote_size}};
  event_explain(&record);
  put_members(local, size);
  put_members(remote, remote_size);
  give_memory(local);
  give_memory(remote);
  return comm_count++;
}

uint32_t comm_index_slow(MPI_Comm comm) {
  struct known_comm *known = map_get(&comms, HANDLE(comm));
  if (known == NULL) {
    uint32_t index = describe(comm, reprise_comm_id(comm));
    if (index == FOREIGN) return FOREIGN;
    known = take_memory(sizeof *known);
    *known = (struct known_comm){.index = index};
    map_put(&comms, HANDLE(comm), known);
  }
  recent_comm = comm;
  return recent_comm_index = known->index;
}

uint32_t comm_of_persistent(MPI_Comm comm) {
  if (comm_index_slow(comm) == FOREIGN) return FOREIGN;
  struct known_comm *known = map_get(&comms, HANDLE(comm));
  return describe(comm, reprise_mix(reprise_comm_id(comm), ++known->persistent));
}

static void forget(MPI_Comm comm) {
  give_memory(map_remove(&comms, HANDLE(comm), NULL));
  if (recent_comm == comm) comm_index_slow(MPI_COMM_WORLD);
}

void event_comms_begin(void) {
  REAL(Comm_group)(MPI_COMM_WORLD, &world_group);
  comm_index_slow(MPI_COMM_WORLD);
}

/* ---- Calls that make them ---- */

/*
 * Nobody returns before everybody has come, of an intercommunicator everybody of both groups: the context of the new
 * communicator has to be free at each member, and that is agreed upon here. In Intercomm_create, too, where only the
 * leaders tell each other who the members are.
 */
static void made(const struct watched *call, int code, MPI_Comm parent) {
  uint32_t comm = code == MPI_SUCCESS ? comm_index(parent) : FOREIGN;
  if (comm == FOREIGN) event_local(call);
  else event_put(call, event_of(call, REPRISE_EV_COLLECTIVE, 0, UNKNOWN, REPRISE_FLOW_EVERYBODY, comm), 0);
}

#define MAKES(name, parent, parameters, arguments)                                                                     \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (!watch()) return REAL(name) arguments;                                                                         \
    struct watched call = BEGUN(CALL_##name);                                                                          \
    int code = REAL(name) arguments;                                                                                   \
    RETURNED(call);                                                                                                    \
    if (code == MPI_SUCCESS && *newcomm != MPI_COMM_NULL) comm_index(*newcomm);                                        \
    made(&call, code, parent);                                                                                         \
    unwatch();                                                                                                         \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

/* Only those who become members take part: what they wait for is each other. */
MAKES(Comm_create_group, (*newcomm == MPI_COMM_NULL ? MPI_COMM_SELF : *newcomm),
      (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm), (comm, group, tag, newcomm))

MAKES(Intercomm_create, *newcomm,
      (MPI_Comm local, int local_leader, MPI_Comm peer, int remote, int tag, MPI_Comm *newcomm),
      (local, local_leader, peer, remote, tag, newcomm))

#define WRAP_CREATES(name, roles, parameters, arguments) MAKES(name, comm, parameters, arguments)

/* Until the request is done, the new communicator may not be asked for anything. */
#define WRAP_CREATES_LATER(name, roles, parameters, arguments)                                                         \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (!watch()) return REAL(name) arguments;                                                                         \
    struct watched call = BEGUN(CALL_##name);                                                                          \
    int code = REAL(name) arguments;                                                                                   \
    RETURNED(call);                                                                                                    \
    uint32_t parent = code == MPI_SUCCESS ? comm_index(comm) : FOREIGN;                                                \
    if (parent != FOREIGN) {                                                                                           \
      pending_put(*request, REPRISE_EV_POST_COLLECTIVE, 0, UNKNOWN);                                                   \
      event_put(&call, event_of(&call, REPRISE_EV_POST_COLLECTIVE, 0, UNKNOWN, REPRISE_FLOW_EVERYBODY, parent), 0);    \
    } else {                                                                                                           \
      event_local(&call);                                                                                              \
    }                                                                                                                  \
    unwatch();                                                                                                         \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

#include "wrappers.inc"

#define ENDS(name)                                                                                                     \
  EXPORT int MPI_##name(MPI_Comm *comm) {                                                                              \
    if (!watch()) return REAL(name)(comm);                                                                             \
    struct watched call = BEGUN(CALL_##name);                                                                          \
    lock();                                                                                                            \
    forget(*comm); /* the handle may be used again for another */                                                      \
    unlock();                                                                                                          \
    int code = REAL(name)(comm);                                                                                       \
    RETURNED(call);                                                                                                    \
    event_local(&call);                                                                                                \
    unwatch();                                                                                                         \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

ENDS(Comm_free)
ENDS(Comm_disconnect)

/* Messages may overtake each other from now on: the communicator is described again, and nothing on it is paired. */
EXPORT int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
  if (!watch()) return REAL(Comm_set_info)(comm, info);
  struct watched call = BEGUN(CALL_Comm_set_info);
  int code = REAL(Comm_set_info)(comm, info);
  RETURNED(call);
  if (code == MPI_SUCCESS && may_overtake(comm)) {
    forget(comm);
    comm_index(comm);
  }
  event_local(&call);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Comm_set_info);
