/* What the program's request handles stand for: post numbers, open wildcard receives, private copies. */
#include "comms.h"
#include "requests.h"
#include "watch.h"

struct place places[1 << PLACES_LOG];
static struct map displaced; /* requests whose place was taken */
size_t requests_named;
static struct request *spare;
struct request *open_requests;

/* Not for sends that are a mere place. */
static struct request *find(uintptr_t handle) {
  const struct place *place = place_of(handle);
  return likely(place->handle == handle) ? place->request : map_get(&displaced, handle);
}

static void name(struct request *request) {
  struct place *place = place_of(request->handle);
  requests_named++;
  if (likely(place->handle == 0 || place->handle == request->handle))
    *place = (struct place){.handle = request->handle, .request = request};
  else map_put(&displaced, request->handle, request);
}

/* Its handle is free for another request. */
void request_unname(struct request *request) {
  struct place *place = place_of(request->handle);
  if (likely(place->request == request)) place->handle = 0, place->request = NULL;
  else if (map_remove(&displaced, request->handle, request) == NULL) return;
  requests_named--;
}

struct request *request_of_locked(MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL) return NULL;
  if (likely(!is_light_send(handle))) return find(HANDLE(handle));
  struct place light = *place_of(HANDLE(handle));
  struct request *request = request_new(handle, ROLE_SEND, light.post, MPI_COMM_NULL);
  request->copy = light.copy;
  request->copy_bytes = light.copy_bytes;
  request->standard = light.copy != NULL;
  return request;
}

struct request *request_of(MPI_Request handle) {
  lock();
  struct request *request = request_of_locked(handle);
  unlock();
  return request;
}

/*
 * Where threads call MPI at the same time, a handle that the library has completed may be another thread's new request
 * before this one looks it up: so it is taken out before the library gets it, and put back if it was not completed.
 */
struct request *request_detach(MPI_Request handle) {
  lock();
  struct request *request = request_of_locked(handle);
  if (request != NULL && !request->persistent) {
    request_unname(request);
    request_close(request);
  }
  unlock();
  return request;
}

void request_attach(struct request *request) {
  if (request->persistent) return;
  bool open = recording() && request->active && request->role == ROLE_RECEIVE && !request->resolved &&
              (request->wild_source || request->wild_tag);
  lock();
  name(request);
  unlock();
  if (open) request_open(request);
}

static void drop(struct request *request) {
  request_close(request);
  if (request->type_is_ours) REAL(Type_free)(&request->type);
  if (request->copy != NULL) give_memory(request->copy);
  request->next = spare;
  spare = request;
}

/* A handle that is known already was completed where we do not look, or stands for several finished operations. */
struct request *request_new(MPI_Request handle, enum role role, uint64_t post, MPI_Comm comm) {
  uint64_t comm_number = comm == MPI_COMM_NULL ? 0 : comm_id(comm);
  lock();
  struct request *request = find(HANDLE(handle));
  if (unlikely(request != NULL)) {
    request_unname(request);
    drop(request);
  }
  request = spare;
  if (request != NULL) spare = request->next;
  else request = take_memory(sizeof *request);
  memset(request, 0, offsetof(struct request, buffer));
  request->handle = HANDLE(handle);
  request->role = role;
  request->post = post;
  request->active = true;
  request->kept = MPI_REQUEST_NULL;
  request->comm_id = comm_number;
  name(request);
  unlock();
  return request;
}

/*
 * Whose place it was becomes a request; it may long be complete, but nobody said so. The copy of one that had this very
 * handle is not needed any more: the library gives a handle again only when it is free.
 */
struct place *request_new_send_slow(MPI_Request handle, uint64_t post) {
  struct place *place = place_of(HANDLE(handle));
  if (is_light_send(handle)) light_send_is_over(handle);
  else if (rank.lock_needed || place->handle != 0 || map_get(&displaced, HANDLE(handle)) != NULL) {
    request_new(handle, ROLE_SEND, post, MPI_COMM_NULL);
    return NULL;
  }
  *place = (struct place){.handle = HANDLE(handle), .post = post};
  return place;
}

void request_forget(struct request *request) {
  lock();
  request_unname(request);
  drop(request);
  unlock();
}

int type_moved(MPI_Datatype type, MPI_Aint by, MPI_Datatype *moved) {
  int code = REAL(Type_create_hindexed)(1, &(int){1}, &by, type, moved);
  return code != MPI_SUCCESS ? code : REAL(Type_commit)(moved);
}

/* Not by MPI_Type_dup: the attributes of the type would be copied, too, by functions of the program. */
void request_keep_type(struct request *request, MPI_Datatype type) {
  request->type_is_ours = type_moved(type, 0, &request->type) == MPI_SUCCESS;
  if (!request->type_is_ours) request->type = MPI_DATATYPE_NULL;
}

void request_open(struct request *request) {
  lock();
  request->next = open_requests;
  request->link = &open_requests;
  if (open_requests != NULL) open_requests->link = &request->next;
  open_requests = request;
  unlock();
}

void request_close(struct request *request) {
  if (request->link == NULL) return;
  *request->link = request->next;
  if (request->next != NULL) request->next->link = request->link;
  request->link = NULL;
  request->next = NULL;
}

/* The outcome of a post, once: a sweep may have written it before the program asked. */
static bool record_outcome(struct request *request, MPI_Status *status) {
  int cancelled = 0;
  /* Without a source it took nothing: cancelled where we do not look, past the wrappers. */
  bool nobody = request->role == ROLE_RECEIVE && status->MPI_SOURCE < 0;
  if (request->cancel_asked) REAL(Test_cancelled)(status, &cancelled);
  cancelled |= nobody;
  if (recording() && !request->resolved) {
    if (cancelled && request->role == ROLE_SEND) trace.flags |= REPRISE_FLAG_SEND_CANCELLED;
    if (cancelled) order_post_end(request->post, REPRISE_CANCELLED);
    else if (request->role == ROLE_RECEIVE && (request->wild_source || request->wild_tag))
      order_post(request->post, status->MPI_SOURCE, status->MPI_TAG, request->wild_tag);
  }
  request->resolved = true;
  return !cancelled;
}

static MPI_Request handle_of(struct request *request) {
  if (request->shadow || request->kept != MPI_REQUEST_NULL) return request->kept;
  MPI_Request handle;
  memcpy(&handle, &(uintptr_t){request->handle}, sizeof handle);
  return handle;
}

/*
 * MPICH 4.0 tells MPI_COMM_WORLD's error handler of a receive that failed, whoever asks. The program is to hear of it from
 * its own call and only there, so a handler is put away for the question. One that ends the program may do so if the
 * program's own call is about to ask the same.
 */
#ifdef MPICH
hushed hush(bool own_call_follows) {
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  if (rank.concurrent) return handler; /* another thread may need it now */
  REAL(Comm_get_errhandler)(MPI_COMM_WORLD, &handler);
  if (own_call_follows && handler == MPI_ERRORS_ARE_FATAL) return MPI_ERRORS_RETURN;
  if (handler != MPI_ERRORS_RETURN) REAL(Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  return handler;
}

void unhush(hushed handler) {
  if (handler == MPI_ERRORS_RETURN) return;
  REAL(Comm_set_errhandler)(MPI_COMM_WORLD, handler);
  REAL(Errhandler_free)(&handler);
}
#else
hushed hush(bool own_call_follows) { return own_call_follows; }
void unhush(hushed handler) { (void)handler; }
#endif

/* True if the library says that the receive took a message; the request stays as it is. */
static bool look_at(struct request *request) {
  MPI_Status status = {.MPI_SOURCE = UNTOUCHED};
  int done = 0;
  hushed handler = hush(false);
  int code = REAL(Request_get_status)(handle_of(request), &done, &status);
  unhush(handler);
  if ((code == MPI_SUCCESS && !done) || !took_message(code) || status.MPI_SOURCE == UNTOUCHED) return false;
  record_outcome(request, &status);
  return true;
}

/*
 * A message was received. Open receives that were posted before and would have accepted it must have taken one by then
 * (MPI matches in the order of posting), and now is the time to ask which: if the rank is killed before the program
 * asks, a replay that left them open would let them steal the messages of later receives.
 */
void resolve_older(uint64_t post, uint64_t comm, const MPI_Status *status) {
  enum { VISITS_MAX = 256 };
  struct request *older = open_requests;
  for (int visits = 0; older != NULL && visits < VISITS_MAX; visits++) {
    struct request *next = older->next;
    if (older->post < post && older->comm_id == comm && (older->wild_tag || older->tag == status->MPI_TAG) &&
        (older->wild_source || older->peer == status->MPI_SOURCE) && look_at(older))
      request_close(older);
    older = next;
  }
}

void request_completed(struct request *request, MPI_Status *status) {
  if (!request->active) return;
  lock();
  request->active = false;
  request_close(request);
  if (request->role == ROLE_RECEIVE && open_requests != NULL && !rank.concurrent)
    resolve_older(request->post, request->comm_id, status);
  bool received = record_outcome(request, status) && request->role == ROLE_RECEIVE;
  unlock();
  if (unlikely(rank.watched) && received && !request->doomed && request->comm_id != 0)
    watch_taken(status->MPI_SOURCE, status->MPI_TAG, request->comm_id);
  if (received && !request->doomed) hash_receive(status, request->comm_id);
  if (!request->persistent) request_forget(request);
  else {
    give_memory(request->copy);
    request->copy = NULL;
  }
}

/*
 * A rank that is killed cannot say which messages its open receives had taken, and a replay that leaves them open can
 * hang. So they are asked now and then, a few at a time, those longest open first.
 */
void sweep_open_requests(int most) {
  struct request *last = open_requests;
  while (last != NULL && last->next != NULL) last = last->next;
  while (last != NULL && most-- > 0) {
    struct request *before =
        last->link == &open_requests
            ? NULL
            : (struct request *)((char *)last->link - offsetof(struct request, next));
    if (look_at(last)) request_close(last);
    last = before;
  }
}

/* At the end every open wildcard receive gets an outcome: what it took, or that it never took anything. */
void resolve_open_requests(bool finalizing) {
  while (open_requests != NULL) {
    struct request *request = open_requests;
    if (!look_at(request) && finalizing && recording()) order_post_end(request->post, REPRISE_NEVER);
    request_close(request);
  }
}

MPI_Status *status_room(int count) {
  static PER_THREAD MPI_Status *room;
  static PER_THREAD int size;
  if (count > size || room == NULL) { /* never none: NULL is an argument that the library refuses */
    give_memory(room);
    room = take_memory((size_t)(count + 1) * sizeof *room);
    size = count;
  }
  return room;
}

void requests_visit(void (*visit)(const struct request *request)) {
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (places[i].handle != 0 && places[i].request != NULL) visit(places[i].request);
  for (size_t i = 0; i < displaced.size; i++)
    if (displaced.values[i] != NULL) visit(displaced.values[i]);
}
