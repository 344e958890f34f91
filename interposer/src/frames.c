/* Frames of the program's stack: unwinding to them, and their records in a file of sites. */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>
#include <unwind.h>

#include "frames.h"
#include "modules.h"

enum { BUILD_ID_MAX = 32, SITE_RECORD_MAX = 32 + REPRISE_FRAMES_MAX * 16 };

struct module {
  uintptr_t base;
  uint32_t number; /* from 1 */
  char path[];
};

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
static uint32_t module_number(struct frames *frames, uintptr_t address, uintptr_t *offset) {
  struct search search = {.address = address};
  dl_iterate_phdr(look_into, &search);
  *offset = address;
  if (!search.found) return 0;
  *offset = address - search.base;
  if (search.path[0] == 0) {
    ssize_t n = readlink("/proc/self/exe", search.path, sizeof search.path - 1);
    search.path[n < 0 ? 0 : n] = 0;
  }
  struct module *module = map_get(&frames->modules, search.base + 1);
  if (module != NULL && strcmp(module->path, search.path) == 0) return module->number;
  size_t length = strlen(search.path);
  if (!log_has_room(frames->log, length + 128)) return 0;
  module = take_memory(sizeof *module + length + 1);
  module->base = search.base;
  module->number = ++frames->module_count;
  memcpy(module->path, search.path, length + 1);
  map_put(&frames->modules, search.base + 1, module);
  uint8_t *p = put_head(frames->log->records + frames->log->header->committed, REPRISE_SITE_MODULE, 0);
  p = put_text(p, search.path, length);
  log_commit(frames->log, put_text(p, search.build_id, search.build_id_bytes));
  return module->number;
}

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *memory) {
  struct stack *stack = memory;
  uintptr_t address = _Unwind_GetIP(context);
  if (address == 0) return _URC_END_OF_STACK;
  if (stack->count == 0 && !called_by_program((const void *)address)) return _URC_NO_REASON;
  stack->frames[stack->count++] = address;
  stack->hash = reprise_mix(stack->hash, address);
  return stack->count < stack->depth ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void unwind(struct stack *stack) { _Unwind_Backtrace(add_frame, stack); }

bool frames_write(struct frames *frames, const struct stack *stack) {
  uint32_t numbers[REPRISE_FRAMES_MAX];
  uintptr_t offsets[REPRISE_FRAMES_MAX];
  for (int i = 0; i < stack->count; i++) numbers[i] = module_number(frames, stack->frames[i], &offsets[i]);
  struct log *log = frames->log;
  if (!log_has_room(log, SITE_RECORD_MAX)) return false;
  uint8_t *p = put_head(log->records + log->header->committed, REPRISE_SITE_STACK, (uint64_t)stack->count);
  for (int i = 0; i < stack->count; i++) p = put_number(put_number(p, numbers[i]), offsets[i]);
  log_commit(log, p);
  return true;
}
