/*
 * What the controlled re-execution keeps: messages that the plan names, and what every collective gave to this rank. The
 * order in which a library adds up is its own, so no hub could repeat a reduction bit for bit.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "restore.h"

static const uint64_t *marks, *kept_calls;
static uint64_t mark_count, marks_taken, kept_count, kept_at;
static int sent_file = -1, results_file = -1;
static uint64_t results_bytes; /* in the file so far; of a restored rank: looked at */
static bool lost;              /* what was to be kept could not be */
static uint64_t results;       /* begun */

/* Of a restored rank: results that were passed over, as others were wanted first. */
struct passed {
  struct reprise_result head;
  struct reprise_seal seal;
  uint64_t place;
  struct passed *next;
};
static struct passed *passed;

static int open_high(const char *what, int flags) {
  char path[4200];
  snprintf(path, sizeof path, "%s/rank-%d.%s", marks_directory, own_rank, what);
  int low = open(path, flags | O_CLOEXEC, 0600);
  if (low < 0) return -1;
  int high = fcntl(low, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
  if (high < 0) return low;
  close(low);
  return high;
}

void kept_begin(void) {
  int plan = open_high("plan", O_RDONLY);
  struct stat found;
  const uint64_t *words = MAP_FAILED;
  if (plan >= 0 && fstat(plan, &found) == 0 && found.st_size >= 16)
    words = mmap(NULL, (size_t)found.st_size, PROT_READ, MAP_PRIVATE, plan, 0);
  if (plan >= 0) close(plan);
  sent_file = open_high("sent", O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
  results_file = open_high("results", O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
  if (words == MAP_FAILED || sent_file < 0 || results_file < 0) {
    complain("no checkpoints can be kept in %s: %s", marks_directory, strerror(errno));
    _exit(1);
  }
  mark_count = words[0];
  marks = words + 1;
  kept_count = words[1 + mark_count];
  kept_calls = words + 2 + mark_count;
}

uint64_t reprise_next_mark(void) {
  return !marking || restored || marks_taken >= mark_count ? UINT64_MAX : marks[marks_taken];
}

uint64_t mark_taken(void) { return marks_taken++; }

/* The rank goes on, since nobody else is to wait for it; but it cannot be restored. */
static void must_be_written(bool written) {
  static char why[4400];
  if (written) return;
  lost = true;
  snprintf(why, sizeof why, "no room for what checkpoints need: %s/rank-%d.*: %s", marks_directory, own_rank,
           strerror(errno));
  report_refusal(why);
}

/* Behind its head and the seal of both. */
static bool write_sealed(int file, const void *head, size_t head_bytes, const void *bytes, size_t count) {
  struct reprise_seal seal = {reprise_seal_of(head, head_bytes), reprise_seal_of(bytes, count)};
  return write_all(file, head, head_bytes) && write_all(file, &seal, sizeof seal) && write_all(file, bytes, count);
}

static _Noreturn void refuse_log(void) { refuse_damaged("results"); }

/* ---- Messages ---- */

bool call_is_kept(void) {
  uint64_t call = reprise_calls();
  while (kept_at < kept_count && kept_calls[kept_at] < call) kept_at++;
  return kept_at < kept_count && kept_calls[kept_at] == call;
}

void keep_message(struct reprise_packet packet, const void *bytes) {
  packet.rank = (uint32_t)own_rank;
  if (!lost) must_be_written(write_sealed(sent_file, &packet, sizeof packet, bytes, packet.bytes));
}

/* ---- Packing ---- */

#if MPI_VERSION >= 4
#define COUNTING(name) LIB(name##_c)
typedef MPI_Count count_type;
#else
#define COUNTING(name) LIB(name)
typedef int count_type;
#endif

static bool fits(MPI_Count count) { return sizeof(count_type) > sizeof(int) || count <= INT_MAX; }

static bool copy_at(MPI_Datatype type, MPI_Aint place, MPI_Datatype *copy) {
  return LIB(Type_create_hindexed)(1, &(int){1}, &place, type, copy) == MPI_SUCCESS &&
         LIB(Type_commit)(copy) == MPI_SUCCESS;
}

/* MPICH packs nothing from MPI_BOTTOM, so the addresses in the type are moved to where they begin. */
static MPI_Datatype moved(MPI_Datatype type, MPI_Aint *first) {
  MPI_Aint span;
  MPI_Datatype made;
  LIB(Type_get_true_extent)(type, first, &span);
  copy_at(type, -*first, &made);
  return made;
}

/* Not by MPI_Type_dup: the attributes of the type would be copied, too, by functions of the program. */
bool type_copy(MPI_Datatype type, MPI_Datatype *copy) { return copy_at(type, 0, copy); }

void *packed(const void *buffer, MPI_Count count, MPI_Datatype type, size_t *bytes) {
  count_type room = 0, used = 0;
  MPI_Aint first = 0;
  *bytes = 0;
  if (count == 0) return NULL;
  if (!fits(count)) refuse("a message of more than 2147483647 elements");
  bool absolute = buffer == MPI_BOTTOM;
  if (absolute) {
    type = moved(type, &first);
    buffer = (const void *)first;
  }
  COUNTING(Pack_size)((count_type)count, type, MPI_COMM_WORLD, &room);
  void *copy = take_memory((size_t)room + 1);
  COUNTING(Pack)((void *)buffer, (count_type)count, type, copy, room, &used, MPI_COMM_WORLD);
  if (absolute) LIB(Type_free)(&type);
  *bytes = (size_t)used;
  return copy;
}

void unpack(const void *bytes, size_t size, void *buffer, MPI_Count count, MPI_Datatype type) {
  count_type at = 0;
  MPI_Aint first = 0;
  if (size == 0 || count == 0) return;
  bool absolute = buffer == MPI_BOTTOM;
  if (absolute) {
    type = moved(type, &first);
    buffer = (void *)first;
  }
  COUNTING(Unpack)((void *)bytes, (count_type)size, &at, buffer, (count_type)count, type, MPI_COMM_WORLD);
  if (absolute) LIB(Type_free)(&type);
}

/* ---- Results ---- */

uint64_t next_result(void) { return results++; }

void bytes_keep(uint64_t number, int code, const void *bytes, size_t count) {
  struct reprise_result head = {.number = number, .bytes = count, .code = code};
  if (!lost) must_be_written(write_sealed(results_file, &head, sizeof head, bytes, count));
  results_bytes += sizeof head + sizeof(struct reprise_seal) + count;
}

void results_reopen(void) {
  results_file = open_high("results", O_RDONLY);
  if (results_file < 0) _exit(1);
}

/* Where the recorded run never came back from, nobody does. */
static _Noreturn void wait_forever(void) {
  for (;;) hub_pump(-1);
}

static struct passed look_for(uint64_t number) {
  for (struct passed **one = &passed; *one != NULL; one = &(*one)->next) {
    struct passed found = **one;
    if (found.head.number != number) continue;
    give_memory(*one);
    *one = found.next;
    return found;
  }
  for (;;) {
    struct passed next;
    next.place = results_bytes + sizeof next.head + sizeof next.seal;
    if (pread(results_file, &next.head, sizeof next.head, (off_t)results_bytes) != sizeof next.head ||
        pread(results_file, &next.seal, sizeof next.seal, (off_t)(next.place - sizeof next.seal)) != sizeof next.seal)
      wait_forever();
    if (next.seal.head != reprise_seal_of(&next.head, sizeof next.head)) refuse_log();
    results_bytes = next.place + next.head.bytes;
    if (next.head.number == number) return next;
    next.next = passed;
    passed = take_memory(sizeof *passed);
    *passed = next;
  }
}

int bytes_take(uint64_t number, void **bytes, size_t *count) {
  struct passed found = look_for(number);
  *count = found.head.bytes;
  *bytes = take_memory(*count + 1);
  for (size_t done = 0; done < *count;) {
    ssize_t n = pread(results_file, (char *)*bytes + done, *count - done, (off_t)(found.place + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) wait_forever();
    done += (size_t)n;
  }
  if (found.seal.bytes != reprise_seal_of(*bytes, *count)) refuse_log();
  return found.head.code;
}

void result_begin(struct result *result) {
  *result = (struct result){.number = next_result(), .room = 2};
}

static struct piece *pieces_of(struct result *result) { return result->more != NULL ? result->more : result->few; }

void result_add(struct result *result, void *buffer, MPI_Count count, MPI_Datatype type) {
  if (result->count == result->room) {
    struct piece *more = take_memory(2 * (size_t)result->room * sizeof *more);
    memcpy(more, pieces_of(result), (size_t)result->count * sizeof *more);
    give_memory(result->more);
    result->more = more;
    result->room *= 2;
  }
  pieces_of(result)[result->count++] = (struct piece){buffer, count, type};
}

void result_own(struct result *result) {
  struct piece *pieces = pieces_of(result);
  for (int i = 0; i < result->count; i++) {
    MPI_Datatype copy;
    if (pieces[i].count > 0 && type_copy(pieces[i].type, &copy)) pieces[i].type = copy;
    else pieces[i].count = 0;
  }
}

void result_end(struct result *result) {
  struct piece *pieces = pieces_of(result);
  for (int i = 0; i < result->count; i++)
    if (pieces[i].count > 0) LIB(Type_free)(&pieces[i].type);
  give_memory(result->more);
  result->count = 0;
  result->more = NULL;
}

/* Each piece behind its length. */
void result_keep(struct result *result, int code) {
  struct piece *pieces = pieces_of(result);
  if (code != MPI_SUCCESS || result->count == 0) {
    bytes_keep(result->number, code, NULL, 0);
    return;
  }
  if (result->count == 1) {
    size_t bytes;
    void *copy = packed(pieces[0].buffer, pieces[0].count, pieces[0].type, &bytes);
    bytes_keep(result->number, code, copy, bytes);
    give_memory(copy);
    return;
  }
  size_t all = 0, *sizes = take_memory((size_t)result->count * sizeof *sizes);
  void **copies = take_memory((size_t)result->count * sizeof *copies);
  for (int i = 0; i < result->count; i++) {
    copies[i] = packed(pieces[i].buffer, pieces[i].count, pieces[i].type, &sizes[i]);
    all += sizeof *sizes + sizes[i];
  }
  uint8_t *together = take_memory(all + 1), *to = together;
  for (int i = 0; i < result->count; i++) {
    memcpy(to, &sizes[i], sizeof *sizes);
    if (sizes[i] > 0) memcpy(to + sizeof *sizes, copies[i], sizes[i]);
    to += sizeof *sizes + sizes[i];
    give_memory(copies[i]);
  }
  bytes_keep(result->number, code, together, all);
  give_memory(together);
  give_memory(copies);
  give_memory(sizes);
}

int result_take(struct result *result) {
  struct piece *pieces = pieces_of(result);
  void *bytes;
  size_t count, at = 0;
  int code = bytes_take(result->number, &bytes, &count);
  if (result->count == 1) unpack(bytes, count, pieces[0].buffer, pieces[0].count, pieces[0].type);
  else
    for (int i = 0; i < result->count && at + sizeof at <= count; i++) {
      size_t size;
      memcpy(&size, (uint8_t *)bytes + at, sizeof size);
      at += sizeof size;
      if (size > count - at) refuse_log();
      unpack((uint8_t *)bytes + at, size, pieces[i].buffer, pieces[i].count, pieces[i].type);
      at += size;
    }
  give_memory(bytes);
  return code;
}
