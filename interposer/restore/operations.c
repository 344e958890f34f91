/* What requests stand for: receives and collectives that are not complete, and persistent requests. */
#include "restore.h"

static struct map operations;
struct operation *open_operations;

/*
 * Handles of requests that the library never sees. MPICH's are numbers of which it gives none with these first bits. Open
 * MPI's are addresses, and its Fortran bindings read a request's number out of what is there: so each is a request of the
 * library's, which speaks to nobody. All other handles that nobody knows here are sends that were begun before the fork.
 */
#ifdef OPEN_MPI
static MPI_Request new_handle(void) {
  MPI_Request made;
  if (LIB(Recv_init)(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &made) != MPI_SUCCESS)
    refuse("more requests than the MPI library can make");
  return made;
}
static void end_handle(MPI_Request made) { LIB(Request_free)(&made); }
#else
static MPI_Request new_handle(void) {
  static uint32_t last;
  MPI_Request made;
  do made = (MPI_Request)(0x68000000u | (++last & 0x3ffffffu)); while (map_get(&operations, HANDLE(made)) != NULL);
  return made;
}
static void end_handle(MPI_Request made) { (void)made; }
#endif

struct operation *operation_new(MPI_Request *request, enum operation_kind kind) {
  struct operation *made = take_memory(sizeof *made);
  *made = (struct operation){.kind = kind, .number = UINT64_MAX, .type = MPI_DATATYPE_NULL};
  made->handle_is_ours = restored;
  if (restored) *request = new_handle();
  made->handle = *request;
  struct operation *known = map_get(&operations, HANDLE(*request));
  if (known != NULL) operation_end(known); /* it was completed where nobody looked */
  map_put(&operations, HANDLE(*request), made);
  return made;
}

struct operation *operation_of(MPI_Request request) {
  return request == MPI_REQUEST_NULL ? NULL : map_get(&operations, HANDLE(request));
}

/* MPI's own types are never freed. */
void operation_keep_type(struct operation *operation, MPI_Datatype type) {
  static MPI_Datatype named;
  static bool known;
  int integers, addresses, types, combiner;
  operation->type = type;
  if (known && type == named) return;
  LIB(Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_NAMED) {
    named = type;
    known = true;
    return;
  }
  operation->type_is_ours = type_copy(type, &operation->type);
}

void receive_closed(struct operation *operation) {
  if (operation->before == NULL && operation->next == NULL && open_operations != operation) return;
  if (operation->before == NULL) open_operations = operation->next;
  else operation->before->next = operation->next;
  if (operation->next != NULL) operation->next->before = operation->before;
  operation->before = operation->next = NULL;
}

void operation_end(struct operation *operation) {
  receive_closed(operation);
  map_remove(&operations, HANDLE(operation->handle), operation);
  if (operation->handle_is_ours) end_handle(operation->handle);
  if (operation->type_is_ours) LIB(Type_free)(&operation->type);
  if (operation->kind == IS_COLLECTIVE) result_end(&operation->result);
  give_memory(operation);
}

/* ---- Receives ---- */

/* Behind the others: arrivals are looked for in the order of posting. */
static void open_receive(struct operation *operation) {
  struct operation *last = open_operations;
  while (last != NULL && last->next != NULL) last = last->next;
  operation->before = last;
  operation->next = NULL;
  if (last == NULL) open_operations = operation;
  else last->next = operation;
}

void receive_begin(struct operation *operation) {
  operation->active = true;
  operation->done = operation->cancelled = false;
  operation->number = UINT64_MAX;
  operation->nobody = operation->peer == MPI_PROC_NULL;
  if (operation->nobody) {
    operation->done = true;
    return;
  }
  const struct comm *comm = comm_of(operation->comm);
  operation->comm_id = comm->id;
  operation->world = operation->peer == MPI_ANY_SOURCE ? -1 : world_of(comm, operation->peer);
  operation->got_tag = operation->tag;
  if (operation->peer != MPI_ANY_SOURCE && operation->tag != MPI_ANY_TAG)
    operation->number = channel_received(comm->id, operation->world, operation->tag)->key.number++;
  open_receive(operation);
  if (restored) receive_arrived(operation);
}

/* With a wildcard: the next of a channel that fits, as it came. */
struct arrived *arrived_for(uint64_t comm, int world, int tag, uint64_t number) {
  if (number != UINT64_MAX) return arrived_find(comm, world, tag, number);
  for (struct arrived *one = first_arrived; one != NULL; one = one->next)
    if (one->packet.comm == comm && (world < 0 || one->packet.peer == world) &&
        (tag == MPI_ANY_TAG || one->packet.tag == tag) &&
        one->packet.number == channel_received(comm, one->packet.peer, one->packet.tag)->key.number)
      return one;
  return NULL;
}

void deliver(struct operation *operation, struct arrived *message) {
  arrived_take(message);
  deliver_alone(operation, message);
}

/* An open receive of one certain message. */
void receive_of(struct operation *operation, const struct reprise_channel *which) {
  operation->active = true;
  operation->comm_id = which->comm;
  operation->world = which->peer;
  operation->got_tag = operation->tag = which->tag;
  operation->number = which->number;
  open_receive(operation);
}

void deliver_alone(struct operation *operation, struct arrived *message) {
  MPI_Count size = 0;
  if (operation->number == UINT64_MAX) {
    operation->number = message->packet.number;
    operation->world = message->packet.peer;
    operation->got_tag = message->packet.tag;
    channel_received(operation->comm_id, operation->world, operation->got_tag)->key.number++;
  }
  LIB(Type_size_x)(operation->type, &size);
  MPI_Count whole = size == 0 ? 0 : (MPI_Count)message->packet.bytes / size;
  if (message->packet.bytes > (uint64_t)(size * operation->count)) refuse("a message that was longer than its receive");
  bool in_part = size > 0 && (uint64_t)(whole * size) < message->packet.bytes;
  unpack(message->bytes, message->packet.bytes, operation->buffer, whole + (in_part ? 1 : 0), operation->type);
  operation->source = rank_in(comm_of(operation->comm), operation->world);
  operation->bytes = message->packet.bytes;
  operation->done = true;
  receive_closed(operation);
  give_memory(message);
}

bool receive_arrived(struct operation *operation) {
  if (operation->done || !operation->active) return false;
  struct arrived *message =
      arrived_for(operation->comm_id, operation->world, operation->got_tag, operation->number);
  if (message == NULL) return false;
  deliver(operation, message);
  return true;
}

/* ---- Sends ---- */

void note_sent(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  if (dest == MPI_PROC_NULL) return;
  const struct comm *of = comm_of(comm);
  int world = world_of(of, dest);
  struct channel *channel = channel_sent(of->id, world, tag);
  struct reprise_packet packet = {.kind = REPRISE_PACKET_MESSAGE, .peer = world, .tag = tag, .comm = of->id,
                                  .number = channel->key.number++, .call = reprise_calls()};
  if (!restored && !call_is_kept()) return;
  size_t bytes;
  void *copy = packed(buffer, count, type, &bytes);
  packet.bytes = bytes;
  if (restored) hub_say(packet, copy);
  else keep_message(packet, copy);
  give_memory(copy);
}

/* ---- Statuses ---- */

void set_status(MPI_Status *status, int source, int tag, uint64_t bytes, bool cancelled) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = source;
  status->MPI_TAG = tag;
  LIB(Status_set_elements_x)(status, MPI_BYTE, (MPI_Count)bytes);
  LIB(Status_set_cancelled)(status, cancelled);
}

void set_empty_status(MPI_Status *status) { set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false); }
void set_nobody_status(MPI_Status *status) { set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, false); }
