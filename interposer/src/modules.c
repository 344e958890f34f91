/*
 * Whose call is it? The MPI stack reads clocks hundreds of times, another number of times in each run; those reads are
 * not the program's. The program's own come from many places (its executable, libstdc++, libgfortran, Python), so
 * the list names the modules that do not count, not those that do.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <strings.h>

#include "heap.h"
#include "modules.h"
#include "rank.h"

/* Beginnings of file names. */
static const char *const not_the_program[] = {
    "libreprise",   "libc.so",      "libc-2",       "libpthread.so", "ld-linux",     "libdl.so",    "librt.so",
    "libmpi.so",    "libmpi_mpifh", "libmpi_usemp", "libmpi_cxx",    "libmpi_java",  "libmpich",    "libmpicxx.so",
    "libmpifort",   "libopen-pal",  "libopen-rte",  "libprrte",      "libprte",      "libpmi.so",   "libpmi2",
    "libpmix",      "libevent",     "libhwloc",     "libucp.so",     "libuct.so",    "libucs.so",   "libucm.so",
    "libuct_",      "libucm_",      "libucx_",      "libfabric",     "libpsm",       "libibverbs",  "librdmacm",
    "libmlx",       "libefa",       "libnl-",       "libmunge",      "libslurm",     "libhcoll",    "libsharp",
    "libxpmem",     "libcuda.so",   "libze_",       "mca_",          "libjvm.so",    "libjava.so",  "libnio.so",
    "libnet.so",    "libcaf_mpi",   "libromio",     "libmpl.so",     "libopa.so",    "libyaksa",    "libnuma.so",
    "libpciaccess", "linux-vdso",   "libinfinipath"};

struct module {
  uintptr_t start, end;
  bool program;
};

static struct module *modules;
static size_t module_count, module_room;
static char modules_lock;

static bool is_program(const char *path) {
  const char *name = strrchr(path, '/');
  name = name == NULL ? path : name + 1;
  for (size_t i = 0; i < sizeof not_the_program / sizeof *not_the_program; i++)
    if (strncmp(name, not_the_program[i], strlen(not_the_program[i])) == 0) return false;
  return true;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
    if (module_count == module_room) {
      struct module *larger = take_memory((module_room * 2 + 128) * sizeof *larger);
      if (module_count > 0) memcpy(larger, modules, module_count * sizeof *larger);
      give_memory(modules);
      modules = larger;
      module_room = module_room * 2 + 128;
    }
    uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    modules[module_count++] = (struct module){start, start + segment->p_memsz, is_program(info->dlpi_name)};
  }
  return 0;
}

/* By insertion: the list is short, and qsort may call the program's malloc, which may read a clock. */
static void sort_modules(void) {
  for (size_t i = 1; i < module_count; i++) {
    struct module module = modules[i];
    size_t j = i;
    for (; j > 0 && modules[j - 1].start > module.start; j--) modules[j] = modules[j - 1];
    modules[j] = module;
  }
}

static const struct module *module_of(uintptr_t address) {
  size_t low = 0, high = module_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (modules[middle].end <= address) low = middle + 1;
    else high = middle;
  }
  return low < module_count && modules[low].start <= address ? &modules[low] : NULL;
}

/* Hot: bench/inputs. An address that no module has is generated code: the program's, unless a JVM made it. */
bool called_by_program(const void *return_address) {
  static PER_THREAD struct module last;
  uintptr_t address = (uintptr_t)return_address;
  if (likely(address >= last.start && address < last.end)) return last.program;
  while (__atomic_test_and_set(&modules_lock, __ATOMIC_ACQUIRE)) {}
  const struct module *module = module_of(address);
  if (module == NULL) {
    module_count = 0;
    dl_iterate_phdr(add_module, NULL);
    sort_modules();
    module = module_of(address);
  }
  if (module != NULL) last = *module;
  bool program = module == NULL || module->program;
  __atomic_clear(&modules_lock, __ATOMIC_RELEASE);
  return program;
}

/* ---- What the program's modules call ---- */

/* Whoever cancels a request calls this, from C or Fortran; or finds it by name, which nobody can see beforehand. */
static bool can_cancel(const char *function) {
  static const char *const by_name[] = {"dlsym", "dlvsym", "dlopen", "dlmopen"};
  for (size_t i = 0; i < sizeof by_name / sizeof *by_name; i++)
    if (strcmp(function, by_name[i]) == 0) return true;
  return strcasestr(function, "mpi_cancel") != NULL;
}

struct imports {
  const ElfW(Sym) *symbols;
  const char *names;
};

static bool any_cancels(const struct imports *imports, const ElfW(Rela) *slots, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof *slots; i++)
    if (can_cancel(imports->names + imports->symbols[ELF64_R_SYM(slots[i].r_info)].st_name)) return true;
  return false;
}

/* Nonzero ends the iteration. Every function that a module imports has a relocation. */
static int module_cancels(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  if (!is_program(info->dlpi_name)) return 0;
  const ElfW(Dyn) *entry = NULL;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  if (entry == NULL) return 0;
  struct imports imports = {NULL, NULL};
  const ElfW(Rela) *lazy = NULL, *others = NULL;
  size_t lazy_bytes = 0, other_bytes = 0;
  for (; entry->d_tag != DT_NULL; entry++) {
    const void *place = (const void *)(entry->d_un.d_ptr + (entry->d_un.d_ptr < info->dlpi_addr ? info->dlpi_addr : 0));
    switch (entry->d_tag) {
      case DT_SYMTAB: imports.symbols = place; break;
      case DT_STRTAB: imports.names = place; break;
      case DT_JMPREL: lazy = place; break;
      case DT_PLTRELSZ: lazy_bytes = entry->d_un.d_val; break;
      case DT_RELA: others = place; break;
      case DT_RELASZ: other_bytes = entry->d_un.d_val; break;
      case DT_REL: return 1; /* not read here: it might */
    }
  }
  if (imports.symbols == NULL || imports.names == NULL) return 0;
  return any_cancels(&imports, lazy, lazy == NULL ? 0 : lazy_bytes) ||
         any_cancels(&imports, others, others == NULL ? 0 : other_bytes);
}

bool program_can_cancel(void) { return dl_iterate_phdr(module_cancels, NULL) != 0; }
