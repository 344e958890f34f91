/* Which event began a request of the program's. Most requests are few and short-lived: they stand in a small table. */
#include "events.h"

#include "observed.h"

struct pending quick_pending[1 << QUICK_LOG];
static struct map others; /* by handle: persistent ones, and those that found their place taken */

static struct pending *look_up(uintptr_t handle) {
  struct pending *place = quick_place(handle);
  return place->handle == handle ? place : map_get(&others, handle);
}

/*
 * A handle that is known already: another send that was done at once, and both are told apart by their order alone; or
 * a request that was completed where nobody looked, and is replaced.
 */
void pending_put_slow(struct pending pending) {
  struct pending *known = look_up(pending.handle);
  bool queued = known != NULL && known->kind == REPRISE_EV_POST_SEND && pending.kind == REPRISE_EV_POST_SEND &&
                !known->persistent && !pending.persistent;
  if (known != NULL && !queued) {
    while (known->next != NULL) pending_drop(known);
    pending.next = NULL;
    *known = pending;
    return;
  }
  struct pending *place = take_memory(sizeof *place);
  *place = pending;
  if (queued) {
    while (known->next != NULL) known = known->next;
    known->next = place;
  } else {
    map_put(&others, pending.handle, place);
  }
}

struct pending *pending_of_slow(MPI_Request request) {
  return request == MPI_REQUEST_NULL ? NULL : map_get(&others, HANDLE(request));
}

void pending_drop_slow(struct pending *pending) {
  struct pending *next = pending->next;
  if (next != NULL) {
    *pending = *next;
    give_memory(next);
  } else {
    map_remove(&others, pending->handle, pending);
    give_memory(pending);
  }
}

uint64_t last_post(void) { return reprise_rank_header()->posts - 1; }

/* ---- Receives that the program never completed ---- */

/* A receive that the program freed or left open may have taken a message: the recorder knows it when the rank ends. */
struct open_post {
  uint64_t event, post;
  int tag;
  struct open_post *next;
};
static struct open_post *open_posts;

static void leave_open(const struct pending *pending) {
  if (!pending->active || pending->kind != REPRISE_EV_POST_RECV) return;
  struct open_post *open = take_memory(sizeof *open), **place = &open_posts;
  while (*place != NULL && (*place)->event < pending->event) place = &(*place)->next;
  *open = (struct open_post){.event = pending->event, .post = pending->post, .tag = pending->tag, .next = *place};
  *place = open;
}

void pending_free(struct pending *pending) {
  leave_open(pending);
  pending_drop(pending);
}

/* After MPI_Finalize, in the order of posting. */
void resolve_open_posts(void) {
  for (int i = 0; i < 1 << QUICK_LOG; i++)
    if (quick_pending[i].handle != 0) leave_open(&quick_pending[i]);
  for (size_t i = 0; i < others.size; i++)
    if (others.values[i] != NULL) leave_open(others.values[i]);
  struct origin no_call = {0}; /* of the program's own */
  struct watched nobody = {.call = CALL_Finalize, .begun = event_ticks(), .origin = &no_call};
  for (struct open_post *open = open_posts; open != NULL; open = open->next) {
    int source = UNKNOWN, tag = open->tag;
    enum reprise_fate fate = reprise_fate(open->post, &source, &tag);
    if (fate == REPRISE_FATE_UNKNOWN) continue;
    event_join(event_of(&nobody, fate == REPRISE_FATE_MATCHED ? REPRISE_EV_MATCHED : REPRISE_EV_UNMATCHED, 0, source,
                        tag, events_back(open->event)),
               0);
  }
}
