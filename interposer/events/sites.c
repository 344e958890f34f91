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
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>
#include <unwind.h>

#include "events.h"

enum { BUILD_ID_MAX = 32, SITE_RECORD_MAX = 32 + SITE_FRAMES_MAX * 16 };

struct stack {
  uint64_t hash;
  int count;
  uintptr_t frames[SITE_FRAMES_MAX];
};

struct site {
  uint32_t number;
  struct site *next; /* with the same hash */
  int count;
  uintptr_t frames[];
};

struct module {
  uintptr_t base;
  uint32_t number; /* from 1 */
  char path[];
};

static struct log site_log = {.fd = -1};
static struct map sites;   /* by hash */
static struct map modules; /* by base + 1: an executable at a fixed place has base 0 */
static uint32_t site_count, module_count;
static int depth = 1;

struct origin origins[1 << ORIGINS_LOG];
struct origin nowhere; /* whose frames are looked for at each call, and nobody's */

void sites_begin(const char *run, int rank_number, int frames) {
  depth = frames < 1 ? 1 : frames > SITE_FRAMES_MAX ? SITE_FRAMES_MAX : frames;
  char path[4200];
  snprintf(path, sizeof path, "%s/rank-%d.sites", run, rank_number);
  if (!log_create(&site_log, path, REPRISE_SITES))
    complain("cannot write %s: %s; events have no call sites", path, strerror(errno));
  python_begin();
}

struct reprise_header *sites_header(void) { return site_log.header; }

void sites_end(void) { log_close(&site_log); }

/* ---- Modules ---- */

struct search {
  uintptr_t address, base;
  char path[4200];
  uint8_t build_id[BUILD_ID_MAX];
  size_t build_id_bytes;
  bool found;
};

static void read_build_id(struct search *search, const uint8_t *p, size_t bytes) {
  const uint8_t *end = p + bytes;
  while (p + sizeof(ElfW(Nhdr)) <= end) {
    const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)p;
    const uint8_t *name = p + sizeof *note;
    const uint8_t *content = name + ((note->n_namesz + 3u) & ~3u);
    if (content > end || note->n_descsz > (size_t)(end - content)) return;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0 &&
        note->n_descsz <= BUILD_ID_MAX) {
      search->build_id_bytes = note->n_descsz;
      memcpy(search->build_id, content, note->n_descsz);
      return;
    }
    p = content + ((note->n_descsz + 3u) & ~3u);
  }
}

static int look_into(struct dl_phdr_info *info, size_t size, void *memory) {
  (void)size;
  struct search *search = memory;
  for (int i = 0; i < info->dlpi_phnum && !search->found; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    search->found = segment->p_type == PT_LOAD && search->address >= start && search->address < start + segment->p_memsz;
  }
  if (!search->found) return 0;
  search->base = info->dlpi_addr;
  snprintf(search->path, sizeof search->path, "%s", info->dlpi_name);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type == PT_NOTE && search->build_id_bytes == 0)
      read_build_id(search, (const uint8_t *)(info->dlpi_addr + segment->p_vaddr), segment->p_memsz);
  }
  return 1;
}

static uint8_t *put_text(uint8_t *p, const void *text, size_t bytes) {
  p = put_number(p, bytes);
  memcpy(p, text, bytes);
  return p + bytes;
}

/* The number of the module that holds this address, 0 if none does: code that the program made itself. */
static uint32_t module_number(uintptr_t address, uintptr_t *offset) {
  struct search search = {.address = address};
  dl_iterate_phdr(look_into, &search);
  *offset = address;
  if (!search.found) return 0;
  *offset = address - search.base;
  if (search.path[0] == 0) {
    ssize_t n = readlink("/proc/self/exe", search.path, sizeof search.path - 1);
    search.path[n < 0 ? 0 : n] = 0;
  }
  struct module *module = map_get(&modules, search.base + 1);
  if (module != NULL && strcmp(module->path, search.path) == 0) return module->number;
  size_t length = strlen(search.path);
  if (!log_has_room(&site_log, length + 128)) return 0;
  module = take_memory(sizeof *module + length + 1);
  module->base = search.base;
  module->number = ++module_count;
  memcpy(module->path, search.path, length + 1);
  map_put(&modules, search.base + 1, module);
  uint8_t *p = put_head(site_log.records + site_log.header->committed, REPRISE_SITE_MODULE, 0);
  p = put_text(p, search.path, length);
  log_commit(&site_log, put_text(p, search.build_id, search.build_id_bytes));
  return module->number;
}

/* ---- Stacks ---- */

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *memory) {
  struct stack *stack = memory;
  uintptr_t address = _Unwind_GetIP(context);
  if (address == 0) return _URC_END_OF_STACK;
  if (stack->count == 0 && !called_by_program((const void *)address)) return _URC_NO_REASON;
  stack->frames[stack->count++] = address;
  stack->hash = reprise_mix(stack->hash, address);
  return stack->count < depth ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static uint32_t site_new(const struct stack *stack) {
  size_t bytes = (size_t)stack->count * sizeof *stack->frames;
  uint32_t numbers[SITE_FRAMES_MAX];
  uintptr_t offsets[SITE_FRAMES_MAX];
  for (int i = 0; i < stack->count; i++) numbers[i] = module_number(stack->frames[i], &offsets[i]);
  if (!log_has_room(&site_log, SITE_RECORD_MAX)) return 0;
  uint8_t *p = put_head(site_log.records + site_log.header->committed, REPRISE_SITE_STACK, (uint64_t)stack->count);
  for (int i = 0; i < stack->count; i++) p = put_number(put_number(p, numbers[i]), offsets[i]);
  log_commit(&site_log, p);
  struct site *site = take_memory(sizeof *site + bytes);
  *site = (struct site){.number = ++site_count, .next = map_get(&sites, stack->hash), .count = stack->count};
  memcpy(site->frames, stack->frames, bytes);
  map_put(&sites, stack->hash, site);
  return site->number;
}

static uint32_t site_of_stack(const struct stack *stack) {
  if (stack->count == 0) return 0;
  size_t bytes = (size_t)stack->count * sizeof *stack->frames;
  struct site *site = map_get(&sites, stack->hash);
  while (site != NULL && (site->count != stack->count || memcmp(site->frames, stack->frames, bytes) != 0))
    site = site->next;
  return site != NULL ? site->number : site_new(stack);
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

struct origin *origin_slowly(uintptr_t address) {
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
    _Unwind_Backtrace(add_frame, &stack);
  }
  struct origin *origin = direct ? quick_origin(address) : &nowhere;
  *origin = (struct origin){.address = direct ? address : 0, .site = site_of_stack(&stack)};
  if (direct && origin->site > 0 && origin->site <= REPRISE_AGAIN_SITE_MAX)
    origin->again = REPRISE_EV_AGAIN | (uint64_t)origin->site << REPRISE_AGAIN_SITE_SHIFT;
  return origin;
}
