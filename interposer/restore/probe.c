/* Probes: what has arrived, and messages that were taken by a probe and not received yet. */
#include "restore.h"

/* A message that a Mprobe took. */
struct probed {
  struct reprise_channel which;
  MPI_Comm comm;
  struct arrived *arrived; /* of a restored rank; NULL if it was taken before the fork */
};
static struct map messages; /* by handle */

static MPI_Message new_handle(struct probed *message) {
#ifdef OPEN_MPI
  return (MPI_Message)message;
#else
  static uint32_t last;
  (void)message;
  return (MPI_Message)(0x6c000000u | (++last & 0x3ffffffu));
#endif
}

void messages_visit(void (*visit)(const struct reprise_channel *channel)) {
  for (size_t i = 0; i < messages.size; i++)
    if (messages.values[i] != NULL) visit(&((struct probed *)messages.values[i])->which);
}

/* The next message of a channel that fits, if it has arrived. */
static struct arrived *next_arrived(const struct comm *comm, int source, int tag) {
  int world = source == MPI_ANY_SOURCE ? -1 : world_of(comm, source);
  return arrived_for(comm->id, world, tag, UINT64_MAX);
}

static void describe(const struct comm *comm, const struct arrived *message, MPI_Status *status) {
  set_status(status, rank_in(comm, message->packet.peer), message->packet.tag, message->packet.bytes, false);
}

static void take(const struct comm *comm, MPI_Comm handle, struct arrived *found, MPI_Message *message) {
  struct probed *probed = take_memory(sizeof *probed);
  arrived_take(found);
  channel_received(comm->id, found->packet.peer, found->packet.tag)->key.number++;
  *probed = (struct probed){.which = {comm->id, found->packet.peer, found->packet.tag, found->packet.number},
                            .comm = handle, .arrived = found};
  *message = new_handle(probed);
  map_put(&messages, HANDLE(*message), probed);
}

static struct arrived *await_arrival(const struct comm *comm, int source, int tag) {
  struct arrived *found;
  reprise_stay_inside();
  while ((found = next_arrived(comm, source, tag)) == NULL) hub_pump(-1);
  return found;
}

EXPORT int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  if (!serves() || !restored) return LIB(Probe)(source, tag, comm, status);
  if (source == MPI_PROC_NULL) set_nobody_status(status);
  else describe(comm_of(comm), await_arrival(comm_of(comm), source, tag), status);
  return MPI_SUCCESS;
}
ALSO_AS_PMPI(Probe);

EXPORT int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  if (!serves() || !restored) return LIB(Iprobe)(source, tag, comm, flag, status);
  *flag = 1;
  if (source == MPI_PROC_NULL) {
    set_nobody_status(status);
    return MPI_SUCCESS;
  }
  const struct comm *of = comm_of(comm);
  struct arrived *found = next_arrived(of, source, tag);
  if (found == NULL) {
    hub_pump(1);
    found = next_arrived(of, source, tag);
  }
  *flag = found != NULL;
  if (found != NULL) describe(of, found, status);
  return MPI_SUCCESS;
}
ALSO_AS_PMPI(Iprobe);

/* The library has taken a message: which, is known by its place in the channel. */
static void note_probed(MPI_Comm handle, MPI_Message message, const MPI_Status *status) {
  if (status->MPI_SOURCE == MPI_PROC_NULL || message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC) return;
  const struct comm *comm = comm_of(handle);
  struct probed *probed = take_memory(sizeof *probed);
  int world = world_of(comm, status->MPI_SOURCE);
  uint64_t number = channel_received(comm->id, world, status->MPI_TAG)->key.number++;
  *probed = (struct probed){.which = {comm->id, world, status->MPI_TAG, number}, .comm = handle};
  map_put(&messages, HANDLE(message), probed);
}

EXPORT int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
  if (!serves()) return LIB(Mprobe)(source, tag, comm, message, status);
  depth = 1;
  int code = MPI_SUCCESS;
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  if (!restored) {
    code = LIB(Mprobe)(source, tag, comm, message, status);
    if (code == MPI_SUCCESS) note_probed(comm, *message, status);
  } else if (source == MPI_PROC_NULL) {
    *message = MPI_MESSAGE_NO_PROC;
    set_nobody_status(status);
  } else {
    struct arrived *found = await_arrival(comm_of(comm), source, tag);
    describe(comm_of(comm), found, status);
    take(comm_of(comm), comm, found, message);
  }
  depth = 0;
  return code;
}
ALSO_AS_PMPI(Mprobe);

EXPORT int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status) {
  if (!serves()) return LIB(Improbe)(source, tag, comm, flag, message, status);
  depth = 1;
  int code = MPI_SUCCESS;
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  if (!restored) {
    code = LIB(Improbe)(source, tag, comm, flag, message, status);
    if (code == MPI_SUCCESS && *flag) note_probed(comm, *message, status);
  } else if (source == MPI_PROC_NULL) {
    *flag = 1;
    *message = MPI_MESSAGE_NO_PROC;
    set_nobody_status(status);
  } else {
    hub_pump(1);
    struct arrived *found = next_arrived(comm_of(comm), source, tag);
    *flag = found != NULL;
    *message = MPI_MESSAGE_NULL;
    if (found != NULL) {
      describe(comm_of(comm), found, status);
      take(comm_of(comm), comm, found, message);
    }
  }
  depth = 0;
  return code;
}
ALSO_AS_PMPI(Improbe);

/* ---- Receiving them ---- */

/* A receive of the very message; what a probe before the fork took comes from the hub. */
static void receive_probed(struct operation *receive, MPI_Message *message) {
  struct probed *probed = map_remove(&messages, HANDLE(*message), NULL);
  *message = MPI_MESSAGE_NULL;
  if (probed == NULL) {
    receive->nobody = receive->active = receive->done = true;
    return;
  }
  receive->active = true;
  receive->comm = probed->comm;
  receive->comm_id = probed->which.comm;
  receive->world = probed->which.peer;
  receive->got_tag = receive->tag = probed->which.tag;
  receive->number = probed->which.number;
  struct arrived *found = probed->arrived;
  give_memory(probed);
  if (found == NULL) {
    while ((found = arrived_find(receive->comm_id, receive->world, receive->got_tag, receive->number)) == NULL)
      hub_pump(-1);
    arrived_take(found);
  }
  deliver_alone(receive, found);
}

static int mrecv(void *buffer, MPI_Count count, MPI_Datatype type, MPI_Message *message, MPI_Status *status) {
  struct operation receive = {.kind = IS_RECEIVE, .buffer = buffer, .count = count, .type = type};
  reprise_stay_inside();
  receive_probed(&receive, message);
  if (receive.nobody) set_nobody_status(status);
  else set_status(status, receive.source, receive.got_tag, receive.bytes, false);
  return MPI_SUCCESS;
}

static void forget(MPI_Message message) { give_memory(map_remove(&messages, HANDLE(message), NULL)); }

static int imrecv(void *buffer, MPI_Count count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
  struct operation *receive = operation_new(request, IS_RECEIVE);
  receive->buffer = buffer;
  receive->count = count;
  operation_keep_type(receive, type);
  receive_probed(receive, message);
  return MPI_SUCCESS;
}

/* In a controlled re-execution: an open receive of a message that is known. */
static void imrecv_posted(void *buffer, MPI_Count count, MPI_Datatype type, MPI_Message before, MPI_Request *request) {
  struct probed *probed = map_remove(&messages, HANDLE(before), NULL);
  if (probed == NULL) return;
  struct operation *receive = operation_new(request, IS_RECEIVE);
  receive->buffer = buffer;
  receive->count = count;
  receive->comm = probed->comm;
  operation_keep_type(receive, type);
  receive_of(receive, &probed->which);
  give_memory(probed);
}

#define RECEIVING(suffix, counts)                                                                                      \
  EXPORT int MPI_Mrecv##suffix(void *buffer, counts count, MPI_Datatype type, MPI_Message *message,                    \
                               MPI_Status *status) {                                                                   \
    if (!serves()) return LIB(Mrecv##suffix)(buffer, count, type, message, status);                                    \
    depth = 1;                                                                                                         \
    if (!restored) forget(*message);                                                                                   \
    int code = restored ? mrecv(buffer, count, type, message, status)                                                  \
                        : LIB(Mrecv##suffix)(buffer, count, type, message, status);                                    \
    depth = 0;                                                                                                         \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(Mrecv##suffix);                                                                                         \
  EXPORT int MPI_Imrecv##suffix(void *buffer, counts count, MPI_Datatype type, MPI_Message *message,                   \
                                MPI_Request *request) {                                                                \
    if (!serves()) return LIB(Imrecv##suffix)(buffer, count, type, message, request);                                  \
    depth = 1;                                                                                                         \
    MPI_Message before = *message;                                                                                     \
    int code = restored ? imrecv(buffer, count, type, message, request)                                                \
                        : LIB(Imrecv##suffix)(buffer, count, type, message, request);                                  \
    if (!restored && code == MPI_SUCCESS) imrecv_posted(buffer, count, type, before, request);                         \
    depth = 0;                                                                                                         \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(Imrecv##suffix);

RECEIVING(, int)
#if MPI_VERSION >= 4
RECEIVING(_c, MPI_Count)
#endif

#ifdef OPEN_MPI
EXPORT MPI_Fint MPI_Message_c2f(MPI_Message message) {
  if (restored && map_get(&messages, HANDLE(message)) == (void *)message && message != MPI_MESSAGE_NULL)
    refuse("MPI_Mprobe of a Fortran program");
  return LIB(Message_c2f)(message);
}
ALSO_AS_PMPI(Message_c2f);
#endif
