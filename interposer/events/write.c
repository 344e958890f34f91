/*
 * Events into the file. A record is staged behind the committed ones and counts only when the last record of its call
 * has been committed, so that a rank that is killed leaves whole calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "events.h"

#include "observed.h"

struct event_file event_file = {.fd = -1};
uint64_t event_count, event_end;
bool events_slow;

enum { POLLS_OPEN_MAX = 8, POLLS_TOLD_MAX = 64 };

static uint64_t begun_nanos; /* where times count from */
static bool end_unknown;     /* the last duration did not fit: a TIME is due */
static int written_thread;   /* whose events the file is at */

/* The last events, if they are failed polls: where they stand in the window, and when they began. */
static struct {
  uint64_t *record, begun;
} polls[POLLS_OPEN_MAX];
static int open_polls;
static uint64_t polls_end; /* the number of the event behind them */

/* How often each poll has failed since the last event that is no failed poll, where polls say what they ask for. */
unsigned polls_told;
static struct {
  uint64_t poll;
  unsigned failed;
} told[POLLS_TOLD_MAX];
static int told_count;
static uint64_t told_end;
static uint64_t explained; /* records that are no events */

void write_begin(void) {
  event_end = begun_nanos = now_nanos();
  written_thread = 0;
  event_clock.near_ticks = events_slow ? 0 : ANCHOR_TICKS_MAX;
}

static uint64_t nanos_of(uint64_t ticks) {
  uint64_t since = ticks - event_clock.anchor_ticks;
  return since < ANCHOR_TICKS_MAX ? nanos_since_anchor(since) : nanos_of_late(ticks);
}

/* ---- The file ---- */

enum when_full { KEEP, WAIT, ORDER, SPILL };

static char file_path[4200], tail_path[4200], lock_path[4200];
static enum when_full when_full; /* KEEP: nobody empties the window */

enum { RECORD = sizeof(struct reprise_event) };
static const uint64_t SPILLED_MAX = UINT64_C(1) << 30; /* behind the header and not taken */
static const long WAIT_NANOS = 50000, ALIVE_NANOS = 10000000;

/* A new file of this size, mapped, here or anywhere; allocated first, as a hole would be SIGBUS on a full disk. */
static void *map_new(const char *path, void *here, size_t bytes, int *fd) {
  *fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (*fd < 0) return NULL;
  int error = allocate(*fd, 0, bytes);
  int how = MAP_SHARED | (here == NULL ? 0 : MAP_FIXED);
  void *memory = error != 0 ? MAP_FAILED : mmap(here, bytes, PROT_READ | PROT_WRITE, how, *fd, 0);
  if (memory != MAP_FAILED) return memory;
  if (error == 0) error = errno;
  close(*fd);
  unlink(path);
  *fd = -1;
  errno = error;
  return NULL;
}

/* Twice in a row, so that records go on over its end. */
static void *map_ring(const char *path, size_t bytes, int *fd) {
  uint8_t *place = mmap(NULL, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED || map_new(path, place, bytes, fd) == NULL) return NULL;
  if (mmap(place + bytes, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, *fd, 0) != MAP_FAILED) return place;
  int error = errno;
  close(*fd);
  unlink(path);
  errno = error;
  return NULL;
}

/* The bytes of the ring that a reader empties; 0: nobody does. */
static uint64_t ring_asked(void) {
  const char *asked = getenv(REPRISE_ENV_LIVE), *bytes = asked == NULL ? NULL : strchr(asked, ':');
  if (bytes == NULL) return 0;
  when_full = asked[0] == 'w' ? WAIT : asked[0] == 'o' ? ORDER : SPILL;
  return strtoull(bytes + 1, NULL, 10) & ~UINT64_C(0xffff);
}

static void *map_window(const char *run, unsigned rank_number, int *fd) {
  struct event_file *f = &event_file;
  f->ring = ring_asked();
  snprintf(file_path, sizeof file_path, "%s/rank-%u.%s", run, rank_number, f->ring != 0 ? "live" : "events");
  snprintf(tail_path, sizeof tail_path, "%s/rank-%u.%s", run, rank_number, f->ring != 0 ? "ring" : "tail");
  snprintf(lock_path, sizeof lock_path, "%s/live.lock", run);
  return f->ring != 0 ? map_ring(tail_path, f->ring, fd) : map_new(tail_path, NULL, WINDOW_BYTES, fd);
}

/* Where records go on: behind so many bytes, of which those from `kept` on must stay. */
static void go_on_at(uint64_t place, uint64_t kept) {
  struct event_file *f = &event_file;
  f->next = f->window + (f->ring != 0 ? place % f->ring : 0) / sizeof *f->window;
  f->before = (uintptr_t)f->next - place;
  uint64_t room = (f->ring != 0 ? f->ring : (uint64_t)WINDOW_BYTES) - (place - kept);
  f->last = f->next + room / sizeof *f->next - RECORD / sizeof *f->next;
}

bool event_file_create(const char *run, unsigned rank_number) {
  struct event_file *f = &event_file;
  int tail;
  f->window = map_window(run, rank_number, &tail);
  if (f->window == NULL) return false;
  close(tail);
  if (map_new(file_path, &trace, sizeof trace, &f->fd) == NULL) {
    int error = errno;
    unlink(tail_path);
    errno = error;
    return false;
  }
  trace.version = REPRISE_WIRE_VERSION;
  trace.header_bytes = REPRISE_HEADER_BYTES;
  trace.file = f->ring != 0 ? REPRISE_LIVE : REPRISE_EVENTS;
  trace.tail_from = 1;
  trace.ring_bytes = f->ring;
  go_on_at(0, 0);
  __atomic_signal_fence(__ATOMIC_RELEASE);
  memcpy(trace.magic, REPRISE_MAGIC, sizeof trace.magic); /* last: a file with the magic has a header */
  return true;
}

/* The committed bytes and those behind them. */
static uint64_t placed(void) { return (uintptr_t)event_file.next - event_file.before; }

static bool discards;

/* A restored rank counts its calls, and writes nothing down; the window is its own memory. */
void events_discard(void) {
  event_file.fd = -1;
  discards = true;
}

static void end_here(const char *why) {
  event_file.full = true;
  complain("events end here: %s; the program goes on", why);
}

/* Moves the window behind the header. Killed in between, the file has the same records twice, and counts them once. */
static void flush(void) {
  struct event_file *f = &event_file;
  struct rlimit limit;
  uint64_t end = placed(), used = end - f->flushed;
  const uint8_t *bytes = (const uint8_t *)f->next - used;
  uint64_t place = REPRISE_HEADER_BYTES + f->flushed - trace.file_from;
  for (uint64_t done = discards ? used : 0; done < used && !f->full;) {
    /* Past the limit, the write would bring a signal that ends the program. */
    bool allowed = getrlimit(RLIMIT_FSIZE, &limit) != 0 || place + used <= limit.rlim_cur;
    ssize_t n = allowed ? pwrite(f->fd, bytes + done, used - done, (off_t)(place + done)) : -1;
    if (!allowed) errno = EFBIG;
    if (n < 0 && errno == EINTR) continue;
    if (n > 0) done += (uint64_t)n;
    else {
      trace.flags |= REPRISE_FLAG_DISK_FULL;
      end_here(strerror(errno));
    }
  }
  if (f->full) return;
  f->flushed = end;
  go_on_at(end, end);
  open_polls = 0;
  __atomic_store_n(&trace.tail_from, f->flushed + 1, __ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_SEQ_CST); /* before the ring is written over */
}

/* ---- The ring of a live recording ---- */

static uint64_t taken(void) {
  uint64_t bytes = __atomic_load_n(&trace.taken, __ATOMIC_ACQUIRE);
  return bytes < trace.committed ? bytes : trace.committed;
}

/* Whoever reads has locked a file, and the kernel takes the lock from a process that is gone. */
static bool reader_is_there(void) {
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  int fd = open(lock_path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool there = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  close(fd);
  return there;
}

static bool ring_has(uint64_t bytes) {
  struct event_file *f = &event_file;
  uint64_t place = placed(), from = taken();
  if (from < f->flushed) from = f->flushed;
  if (place - from + bytes > f->ring) return false;
  go_on_at(place, from);
  return true;
}

static void drop(void) {
  trace.flags |= REPRISE_FLAG_EVENTS_DROPPED;
  event_file.full = true;
}

/* False: there is no reader any more. */
static bool wait_for_reader(void) {
  const struct timespec pause = {.tv_nsec = WAIT_NANOS};
  uint64_t begun = now_nanos(), looked = begun;
  bool there = true;
  while (there && !ring_has(event_file.ring / 4) && taken() < trace.committed) {
    nanosleep(&pause, NULL);
    uint64_t now = now_nanos();
    if (now - looked > (uint64_t)ALIVE_NANOS) there = reader_is_there();
    if (now - looked > (uint64_t)ALIVE_NANOS) looked = now;
  }
  trace.waited_nanos += now_nanos() - begun;
  return there;
}

/* To the file, which is cut back as soon as the reader has caught up. */
static void spill(void) {
  struct event_file *f = &event_file;
  uint64_t from = taken();
  if (from >= f->flushed) {
    f->flushed = from;
    __atomic_store_n(&trace.file_from, from, __ATOMIC_RELEASE);
    if (ftruncate(f->fd, REPRISE_HEADER_BYTES) != 0) complain("could not shorten %s: %s", file_path, strerror(errno));
  }
  uint64_t more = placed() - f->flushed;
  if (placed() - trace.file_from > SPILLED_MAX) drop();
  else flush();
  if (!f->full) trace.spilled_bytes += more;
}

/*
 * The ring is full, or only seems to be: the reader may have taken something since somebody looked. A call that has more
 * records than the ring goes to the file in any case, as nobody reads what is not committed.
 */
static void turn_ring(void) {
  open_polls = 0;
  if (ring_has(event_file.ring / 16)) return;
  if (taken() >= trace.committed) spill();
  else if (when_full == ORDER || !reader_is_there()) drop();
  else if (when_full == SPILL) spill();
  else if (!wait_for_reader()) drop();
  else if (!ring_has(RECORD)) spill();
}

static void make_room(void) {
  if (event_file.ring != 0) turn_ring();
  else flush();
}

void event_file_close(void) {
  struct event_file *f = &event_file;
  if (f->fd < 0) return;
  trace.outcomes = event_count + explained;
  if (f->ring == 0) {
    /* Not the records of a call that was not whole. */
    f->next = (uint64_t *)(f->before + (f->flushed >= trace.committed ? f->flushed : trace.committed));
    if (!f->full) flush();
    if (f->flushed >= trace.committed) {
      trace.tail_from = 0;
      unlink(tail_path);
    }
  }
  f->full = true;
  close(f->fd);
  f->fd = -1;
}

static void stage(const void *record) {
  if (unlikely(event_file.next > event_file.last)) make_room();
  if (unlikely(event_file.full)) return;
  memcpy(event_file.next, record, sizeof(struct reprise_event));
  event_file.next += sizeof(struct reprise_event) / sizeof *event_file.next;
}

/* ---- Records ---- */

static void stage_number(enum reprise_event_kind kind, uint64_t number) {
  struct reprise_event record = {.kind = (uint8_t)kind};
  record.words[0] = (uint32_t)number;
  record.words[1] = (uint32_t)(number >> 32);
  event_explain(&record);
}

static void stage_event(struct event event, uint64_t bytes, uint64_t start, uint64_t duration) {
  uint32_t size = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
  if (size == UINT32_MAX) stage_number(REPRISE_EV_BYTES, bytes);
  uint64_t words[4] = {event.head, event.whom, (uint64_t)event.link | (uint64_t)size << 32, start | duration << 32};
  stage(words);
  event_count++;
}

/* The records of a call are one thread's, and none of another come between. */
static void stage_thread(void) {
  int thread = reprise_thread();
  if (likely(thread == written_thread)) return;
  written_thread = thread;
  stage_number(REPRISE_EV_THREAD, (uint64_t)thread);
}

/*
 * True: nothing more is written. In a replay, what the rank does after it left the recording or behind the recording's
 * end is no part of the run; and a file that cannot grow ends before the call that did not fit.
 */
static bool at_the_end(void) {
  if (likely(reprise_follows() && !event_file.full)) return false;
  stop_watching();
  return true;
}

void event_put_slow(struct origin *origin, uint64_t begun, uint64_t ended, uint64_t head, uint64_t whom,
                         uint32_t link, uint64_t bytes) {
  if (rank.lock_needed) stage_thread();
  calls_written++;
  uint64_t end = nanos_of(ended), start = nanos_of(begun);
  /* The clock was set anew, by a hair; or it is MPI_Init, which began before there was a file. */
  if (start < begun_nanos || (!rank.lock_needed && start < event_end)) start = event_end;
  if (end < start) end = start;
  if (end_unknown || start < event_end || start - event_end >= UINT32_MAX) {
    stage_number(REPRISE_EV_TIME, start - begun_nanos);
    event_end = start;
  }
  end_unknown = end - start >= UINT32_MAX;
  struct event event = {.head = head, .whom = whom, .link = link};
  stage_event(event, bytes, start - event_end, end_unknown ? UINT32_MAX : end - start);
  event_end = end;
  /* A size that takes a record of its own is said whole each time. */
  origin->said[0] = origin->again == 0 || bytes >= UINT32_MAX ? 0 : head;
  origin->said[1] = whom;
  origin->said[2] = (uint64_t)link | bytes << 32;
  event_clock.near_ticks = events_slow || end_unknown ? 0 : ANCHOR_TICKS_MAX;
  if (at_the_end()) return;
  event_commit(event_file.next);
}

/* An event of a call that has more: the last one brings the times. */
void event_join(struct event event, uint64_t bytes) {
  if (rank.lock_needed) stage_thread();
  event.head |= (uint64_t)REPRISE_EVF_JOINED << 8;
  stage_event(event, bytes, 0, 0);
}

void event_explain(const struct reprise_event *record) {
  stage(record);
  explained++;
}

static uint32_t event_back(MPI_Request request) {
  if (request == MPI_REQUEST_NULL) return 0;
  const struct pending *pending = pending_of(request);
  if (pending == NULL) return UINT32_MAX;
  return pending->active ? events_back(pending->event) : 0;
}

void requests_asked(int count, const MPI_Request *requests) {
  enum { EACH = 7 };
  if (likely(polls_told == 0)) return;
  if (rank.lock_needed) stage_thread();
  for (int from = 0; from < count; from += EACH) {
    int some = count - from < EACH ? count - from : EACH;
    struct reprise_event record = {.kind = REPRISE_EV_ASKED, .call = (uint16_t)some};
    for (int i = 0; i < some; i++) record.words[i] = event_back(requests[from + i]);
    event_explain(&record);
  }
}

/* What makes two polls the same one. */
static uint64_t poll_name(const struct watched *call, const struct asked *asked, uint32_t comm) {
  uint64_t name = reprise_mix(call->call, comm);
  for (int i = 0; i < asked->count; i++) {
    uint32_t back = event_back(asked->requests[i]);
    name = reprise_mix(name, back == 0 || back == UINT32_MAX ? back : event_count - back);
  }
  return asked->count > 0 ? name : reprise_mix(reprise_mix(name, (uint32_t)asked->source), (uint32_t)asked->tag);
}

/* The first failures of a poll are events of their own; false: it failed more often, or nobody wants to know. */
static bool poll_told(const struct watched *call, struct asked asked) {
  if (told_end != event_count) told_count = 0;
  if (asked.count < 0) return false;
  uint32_t comm = asked.count > 0 ? 0 : comm_index(asked.comm);
  if (comm == FOREIGN) return false;
  uint64_t poll = poll_name(call, &asked, comm);
  int at = 0;
  while (at < told_count && told[at].poll != poll) at++;
  if (at == POLLS_TOLD_MAX) return false;
  if (at == told_count) {
    told[at].poll = poll;
    told[at].failed = 0;
    told_count++;
  }
  if (told[at].failed >= polls_told) return false;
  told[at].failed++;
  bool any_source = asked.count == 0 && asked.source == MPI_ANY_SOURCE;
  bool any_tag = asked.count == 0 && asked.tag == MPI_ANY_TAG;
  unsigned flags = REPRISE_EVF_POLL | (any_source ? REPRISE_EVF_ANY_SOURCE : 0) | (any_tag ? REPRISE_EVF_ANY_TAG : 0);
  requests_asked(asked.count, asked.requests);
  struct event event = event_of(call, REPRISE_EV_POLLS, flags, asked.count > 0 || any_source ? UNKNOWN : asked.source,
                                asked.count > 0 || any_tag ? UNKNOWN : asked.tag, comm);
  event_put_slow(call->origin, call->begun, call->begun, event.head, event.whom, event.link, 1);
  call->origin->said[0] = 0;
  open_polls = 0;
  polls_end = told_end = event_count;
  return true;
}

/*
 * Failed polls in a row are one record for each call and place, with their number: programs poll a million times, often
 * several things in turn. Order among them says nothing, as a failed poll orders nothing.
 */
void poll_failed(struct watched call, struct asked asked) {
  if (unlikely(polls_told > 0) && poll_told(&call, asked)) return;
  if (polls_end != event_count) open_polls = 0;
  for (int i = 0; i < open_polls; i++) {
    struct reprise_event *open = (struct reprise_event *)polls[i].record;
    if (open->site != call.origin->site || open->call != call.call || open->bytes >= UINT32_MAX - 1) continue;
    if (events_slow && (reprise_thread() != written_thread || at_the_end())) break;
    open->bytes++;
    calls_written++;
    uint64_t now = nanos_of(call.begun);
    if (open_polls == 1 && now > event_end && now - polls[i].begun < UINT32_MAX) {
      open->duration = (uint32_t)(now - polls[i].begun);
      event_end = now;
    }
    return;
  }
  struct event event = event_of(&call, REPRISE_EV_POLLS, 0, UNKNOWN, UNKNOWN, 0);
  event_put_slow(call.origin, call.begun, call.begun, event.head, event.whom, event.link, 1);
  call.origin->said[0] = 0; /* the number of polls is not known yet */
  int kept = open_polls < POLLS_OPEN_MAX ? open_polls : 0;
  polls[kept].record = event_file.next - sizeof(struct reprise_event) / sizeof *event_file.next;
  polls[kept].begun = event_end;
  open_polls = kept + 1;
  polls_end = told_end = event_count;
}
