/* What a rank has sent and taken, and what it waits for: see watch.h. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "log.h"
#include "watch.h"
#include "where.h"

/* Messages between this rank and one peer with one tag. */
struct channel {
  uint32_t comm;
  int peer, tag;
  uint64_t sent, taken;
  struct channel *next;
};
static struct map channels;
static struct channel *all_channels;

void watch_begin(void) {
  const char *eager = getenv(REPRISE_ENV_EAGER); /* who makes sends wait is watched, too: those are looked at one by one */
  rank.watched = (getenv(REPRISE_ENV_WATCH) != NULL || eager != NULL) && !rank.lock_needed;
  if (eager == NULL) return;
  if (rank.watched) rank.eager_bytes = strtoll(eager, NULL, 10);
  else complain("threads of this rank may call MPI: its sends do not wait for their receives");
}

static struct channel *channel_of(int peer, int tag, uint64_t comm_id) {
  uint32_t comm = (uint32_t)comm_id;
  uintptr_t key = reprise_mix(reprise_mix(reprise_mix(comm, (uint64_t)(uint32_t)peer), (uint64_t)(uint32_t)tag), 1) | 1;
  struct channel *channel = map_get(&channels, key);
  if (channel != NULL) return channel;
  channel = take_memory(sizeof *channel);
  *channel = (struct channel){.comm = comm, .peer = peer, .tag = tag, .next = all_channels};
  map_put(&channels, key, channel);
  return all_channels = channel;
}

uint64_t watch_sent(int dest, int tag, MPI_Comm comm) {
  return dest == MPI_PROC_NULL || comm == MPI_COMM_NULL ? 0 : ++channel_of(dest, tag, comm_id(comm))->sent;
}

void watch_taken(int source, int tag, uint64_t comm_id) { channel_of(source, tag, comm_id)->taken++; }

void watch_send_begun(MPI_Request handle, int dest, int tag, MPI_Comm comm, bool synchronous) {
  struct request *r = dest == MPI_PROC_NULL ? NULL : request_of(handle);
  uint64_t number = watch_sent(dest, tag, comm);
  if (r == NULL) return;
  r->peer = dest;
  r->tag = tag;
  r->comm_id = comm_id(comm);
  r->number = number << 1 | synchronous;
}

void watch_collective(enum call id, int root, MPI_Comm comm, const MPI_Request *request) {
  if (comm == MPI_COMM_NULL) return;
  uint64_t number = comm_collective(comm, id);
  if (request == NULL) {
    note_wait(id, REPRISE_WAIT_COLLECTIVE, root, (int)number, comm_id(comm));
  } else if (*request != MPI_REQUEST_NULL) {
    struct request *r = request_new(*request, ROLE_COLLECTIVE, 0, comm);
    r->peer = root;
    r->tag = -1;
    r->number = number;
  }
}

/* ---- The file. It is written in a signal handler too: nothing here asks the library or takes memory ---- */

enum { NUMBER_BYTES_MAX = 10 };

static struct log file;

static uint8_t *put_record(enum reprise_watch kind, uint64_t first, size_t numbers) {
  if (!log_has_room(&file, (numbers + 2) * NUMBER_BYTES_MAX)) return NULL;
  return put_head(file.records + file.header->committed, kind, first);
}

static uint64_t or_wild(int n) { return n < 0 ? 0 : (uint64_t)n + 1; }

static void put_channel(enum reprise_watch kind, uint64_t first, uint32_t comm, int peer, int tag, uint64_t n) {
  uint8_t *p = put_record(kind, first, 4);
  if (p == NULL) return;
  p = put_number(p, comm);
  p = put_number(p, or_wild(peer));
  p = put_number(p, or_wild(tag));
  log_commit(&file, put_number(p, n));
}

/* Of a receive that the plan gives a message, peer and tag are that message's: it takes no other, whatever is there. */
static void put_receive(enum reprise_watch kind, uint64_t first, const struct request *r) {
  put_channel(kind, first, (uint32_t)r->comm_id, r->peer, r->tag, r->post);
}

static void put_open(const struct request *r) {
  if (r->role == ROLE_RECEIVE && r->active && !r->cancel_asked && r->comm_id != 0) put_receive(REPRISE_WATCH_OPEN, 0, r);
}

static void put_request(MPI_Request request) {
  const struct request *r = request == MPI_REQUEST_NULL || is_light_send(request) ? NULL : request_of_locked(request);
  if (request == MPI_REQUEST_NULL || (r != NULL && !r->active)) return;
  if (r == NULL || r->cancel_asked || r->comm_id == 0 || r->role == ROLE_GENERALIZED)
    put_channel(REPRISE_WATCH_REQUEST, REPRISE_WAIT_UNKNOWN, 0, -1, -1, 0);
  else if (r->role == ROLE_RECEIVE)
    put_receive(REPRISE_WATCH_REQUEST, REPRISE_WAIT_RECEIVE, r);
  else
    put_channel(REPRISE_WATCH_REQUEST, r->role == ROLE_COLLECTIVE ? REPRISE_WAIT_COLLECTIVE : REPRISE_WAIT_SEND,
                (uint32_t)r->comm_id, r->peer, r->tag, r->number);
}

static uint8_t *put_members(uint8_t *p, const int *members, int size) {
  p = put_number(p, (uint64_t)size);
  for (int i = 0; i < size; i++) p = put_number(p, (uint64_t)(uint32_t)members[i]);
  return p;
}

static void put_comm(uint64_t id, const struct comm_members *members, uint64_t collectives, uint32_t last) {
  uint8_t *p = put_record(REPRISE_WATCH_COMM, members->remote_size > 0, (size_t)(members->size + members->remote_size) + 5);
  if (p == NULL) return;
  p = put_number(p, (uint32_t)id);
  p = put_number(p, collectives);
  p = put_number(p, last);
  p = put_members(p, members->local, members->size);
  log_commit(&file, put_members(p, members->remote, members->remote_size));
}

void watch_write(bool in_wait) {
  char path[4200];
  const char *run = getenv(REPRISE_ENV_RUN);
  if (!rank.watched || run == NULL) return;
  snprintf(path, sizeof path, "%s/rank-%u.waits", run, trace.rank);
  unlink(path); /* that of an earlier question */
  if (!log_create(&file, path, REPRISE_WAITS)) return;
  file.header->rank = trace.rank;
  file.header->ranks = trace.ranks;
  comms_visit(put_comm);
  for (const struct channel *c = all_channels; c != NULL; c = c->next) {
    if (c->sent > 0) put_channel(REPRISE_WATCH_SENT, 0, c->comm, c->peer, c->tag, c->sent);
    if (c->taken > 0) put_channel(REPRISE_WATCH_TAKEN, 0, c->comm, c->peer, c->tag, c->taken);
  }
  requests_visit(put_open);
  for (int i = 0; in_wait && i < self.wait_count; i++) put_request(self.waits[i]);
  if (!file.full) file.header->state = REPRISE_FINALIZED;
  log_close(&file);
}
