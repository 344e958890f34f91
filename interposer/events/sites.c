/*
 * Call sites. An event names the place in the program that made the call by a number; what the number stands for is
 * written once, when it first comes up, into rank-<r>.sites: the module and the offset in it of each frame. File and
 * line are found later, by Reprise: nothing is looked up in debug information inside a rank.
 *
 * The place is the innermost frame that is the program's own. For C it is the return address of the wrapper; a Fortran
 * program comes through its library's own layer, and that is passed over by unwinding the stack. A Java program names
 * its lines itself, a Python program's are asked for.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>

#include "events.h"
#include "modules.h"

struct site {
  uint32_t number;
  struct site *next; /* with the same hash */
  struct origin origin;
  int count;
  uintptr_t frames[];
};

static struct log site_log = {.fd = -1};
static struct frames site_frames = {.log = &site_log};
static struct map sites; /* by hash */
static uint32_t site_count;
static int depth = 1;

struct origin origins[1 << ORIGINS_LOG];
struct origin nowhere; /* whose frames are looked for at each call, and nobody's */

void sites_begin(const char *run, int rank_number, int frames) {
  depth = frames < 1 ? 1 : frames > REPRISE_FRAMES_MAX ? REPRISE_FRAMES_MAX : frames;
  char path[4200];
  snprintf(path, sizeof path, "%s/rank-%d.sites", run, rank_number);
  if (!log_create(&site_log, path, REPRISE_SITES))
    complain("cannot write %s: %s; events have no call sites", path, strerror(errno));
  python_begin();
}

struct reprise_header *sites_header(void) { return site_log.header; }

void sites_end(void) { log_close(&site_log); }

/* ---- Stacks ---- */

static struct origin origin_at(uintptr_t address, uint32_t site) {
  bool again = site > 0 && site <= REPRISE_AGAIN_SITE_MAX;
  return (struct origin){.address = address, .site = site,
                         .again = again ? REPRISE_EV_AGAIN | (uint64_t)site << REPRISE_AGAIN_SITE_SHIFT : 0};
}

static struct site *site_new(const struct stack *stack) {
  if (!frames_write(&site_frames, stack)) return NULL;
  size_t bytes = (size_t)stack->count * sizeof *stack->frames;
  struct site *site = take_memory(sizeof *site + bytes);
  *site = (struct site){.number = ++site_count, .next = map_get(&sites, stack->hash), .count = stack->count};
  site->origin = origin_at(0, site->number);
  memcpy(site->frames, stack->frames, bytes);
  map_put(&sites, stack->hash, site);
  return site;
}

/* NULL: nowhere, or no room. */
static struct site *site_of_stack(const struct stack *stack) {
  if (stack->count == 0) return NULL;
  size_t bytes = (size_t)stack->count * sizeof *stack->frames;
  struct site *site = map_get(&sites, stack->hash);
  while (site != NULL && (site->count != stack->count || memcmp(site->frames, stack->frames, bytes) != 0))
    site = site->next;
  return site != NULL ? site : site_new(stack);
}

/* ---- Sites that the program names ---- */

static struct reprise_named_site *named;

EXPORT void reprise_call_from(struct reprise_named_site *site) { named = site; }

static uint32_t site_of_named(struct reprise_named_site *site) {
  if (likely(site->number != 0)) return site->number;
  if (!log_has_room(&site_log, site->bytes)) return 0;
  uint8_t *p = site_log.records + site_log.header->committed;
  memcpy(p, site->record, site->bytes);
  log_commit(&site_log, p + site->bytes);
  return site->number = ++site_count;
}

static bool forgotten;

/* A restored rank names no places: they are known from the run. */
void sites_forget(void) {
  site_log.fd = -1;
  forgotten = true;
}

struct origin *origin_slow(uintptr_t address) {
  if (forgotten) return &nowhere;
  struct reprise_named_site *line = named != NULL ? named : python_site(address, depth);
  if (line != NULL) { /* never remembered by address: all calls have the same few */
    nowhere = (struct origin){.site = site_of_named(line)};
    return &nowhere;
  }
  struct stack stack = {.hash = 1};
  bool direct = depth == 1 && called_by_program((const void *)address);
  if (direct) {
    stack.frames[stack.count++] = address;
    stack.hash = reprise_mix(stack.hash, address);
  } else {
    stack.depth = depth;
    unwind(&stack);
  }
  struct site *site = site_of_stack(&stack);
  if (site != NULL && !direct) return &site->origin;
  struct origin *origin = direct ? quick_origin(address) : &nowhere;
  *origin = origin_at(direct ? address : 0, site == NULL ? 0 : site->number);
  return origin;
}
