/*
 * Lines of Python. A Python program calls MPI through an extension module, where all calls of a kind have one address;
 * what its author knows is the line of Python above it. The interpreter is asked for that, if the caller is an extension
 * (it exports PyInit_<its name>): C programs, and C libraries that Python code uses, are known by address.
 *
 * An extension gives the interpreter's lock back while it is in MPI. It is taken again for the question only where nobody
 * can hold it, since there is one Python thread: to wait for a thread that may itself wait for us would be a deadlock.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#include "frames.h"
#include "observed.h"

enum { TEXT_MAX = 1024 };

/* The interpreter's functions, found in the process: Reprise is built without Python. */
#define FUNCTIONS(FUNCTION)                                                                                            \
  FUNCTION(int, Py_IsInitialized, (void))                                                                              \
  FUNCTION(int, PyGILState_Check, (void))                                                                              \
  FUNCTION(int, PyGILState_Ensure, (void))                                                                             \
  FUNCTION(void, PyGILState_Release, (int state))                                                                      \
  FUNCTION(void *, PyGILState_GetThisThreadState, (void))                                                              \
  FUNCTION(void *, PyInterpreterState_Main, (void))                                                                    \
  FUNCTION(void *, PyInterpreterState_ThreadHead, (void *interpreter))                                                 \
  FUNCTION(void *, PyThreadState_Next, (void *thread))                                                                 \
  FUNCTION(void *, PyThreadState_GetFrame, (void *thread))                                                             \
  FUNCTION(void *, PyFrame_GetBack, (void *frame))                                                                     \
  FUNCTION(void *, PyFrame_GetCode, (void *frame))                                                                     \
  FUNCTION(int, PyFrame_GetLineNumber, (void *frame))                                                                  \
  FUNCTION(void *, PyObject_GetAttrString, (void *object, const char *name))                                           \
  FUNCTION(const char *, PyUnicode_AsUTF8, (void *text))                                                               \
  FUNCTION(void, PyErr_Clear, (void))                                                                                  \
  FUNCTION(void, Py_DecRef, (void *object))

#define DECLARED(type, name, parameters) static type(*name) parameters;
#define FOUND(type, name, parameters) &&(name = (__typeof__(name))dlsym(RTLD_DEFAULT, #name)) != NULL

FUNCTIONS(DECLARED)
static bool is_here;

void python_begin(void) { is_here = true FUNCTIONS(FOUND); }

static bool exports_init(uintptr_t address) {
  Dl_info module;
  if (dladdr((void *)address, &module) == 0 || module.dli_fname == NULL) return false;
  const char *slash = strrchr(module.dli_fname, '/'), *base = slash == NULL ? module.dli_fname : slash + 1;
  char name[256];
  snprintf(name, sizeof name, "PyInit_%.*s", (int)strcspn(base, "."), base);
  void *handle = dlopen(module.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  bool found = handle != NULL && dlsym(handle, name) != NULL;
  if (handle != NULL) dlclose(handle);
  return found;
}

static bool is_extension(uintptr_t address) {
  static struct map answers;
  static char yes, no;
  char *answer = map_get(&answers, address);
  if (answer == NULL) map_put(&answers, address, answer = exports_init(address) ? &yes : &no);
  return answer == &yes;
}

/* After the interpreter has ended, mpi4py still finalizes MPI: then there is no thread. */
static bool may_ask(void *thread) {
  if (thread == NULL || PyGILState_Check()) return thread != NULL;
  void *first = PyInterpreterState_ThreadHead(PyInterpreterState_Main());
  return first == thread && PyThreadState_Next(first) == NULL;
}

struct line {
  void *code; /* kept for good, so that no other gets its address */
  uintptr_t number;
};

struct python_site {
  struct python_site *next; /* with the same hash */
  struct reprise_named_site *named;
  int count;
  struct line lines[REPRISE_FRAMES_MAX];
};

static uint8_t *put_attribute(uint8_t *p, void *code, const char *name) {
  void *text = PyObject_GetAttrString(code, name);
  const char *bytes = text == NULL ? NULL : PyUnicode_AsUTF8(text);
  size_t length = bytes == NULL ? 0 : strnlen(bytes, TEXT_MAX);
  p = put_number(p, length);
  if (length > 0) memcpy(p, bytes, length);
  if (bytes == NULL) PyErr_Clear();
  if (text != NULL) Py_DecRef(text);
  return p + length;
}

static struct reprise_named_site *record_of(const struct python_site *site) {
  struct reprise_named_site *named = take_memory(sizeof *named + 32 + (size_t)site->count * (2 * TEXT_MAX + 32));
  uint8_t *p = put_head(named->record, REPRISE_SITE_LINES, (uint64_t)site->count);
  for (int i = 0; i < site->count; i++) {
    p = put_attribute(put_attribute(p, site->lines[i].code, "co_name"), site->lines[i].code, "co_filename");
    p = put_number(p, site->lines[i].number);
  }
  *named = (struct reprise_named_site){.number = 0, .bytes = (uint32_t)(p - named->record)};
  return named;
}

static struct reprise_named_site *site_at(void *frame, int depth) {
  static struct map sites;
  struct python_site site = {.count = 0};
  uint64_t hash = 1;
  while (frame != NULL && site.count < depth) {
    struct line line = {PyFrame_GetCode(frame), (uintptr_t)PyFrame_GetLineNumber(frame)};
    site.lines[site.count++] = line;
    hash = reprise_mix(reprise_mix(hash, (uintptr_t)line.code), line.number);
    void *caller = PyFrame_GetBack(frame);
    Py_DecRef(frame);
    frame = caller;
  }
  if (frame != NULL) Py_DecRef(frame);
  size_t bytes = (size_t)site.count * sizeof *site.lines;
  struct python_site *known = map_get(&sites, hash);
  while (known != NULL && (known->count != site.count || memcmp(known->lines, site.lines, bytes) != 0))
    known = known->next;
  if (known == NULL) {
    known = take_memory(sizeof *known);
    site.next = map_get(&sites, hash);
    site.named = record_of(&site);
    *known = site;
    map_put(&sites, hash, known);
  }
  return known->named;
}

/* The site in Python of a call from this address; NULL if it is none, or cannot be known. */
struct reprise_named_site *python_site(uintptr_t address, int depth) {
  if (likely(!is_here) || !is_extension(address)) return NULL;
  void *thread = Py_IsInitialized() ? PyGILState_GetThisThreadState() : NULL;
  if (!may_ask(thread)) return NULL;
  reprise_own_doing(true);
  int state = PyGILState_Ensure();
  void *frame = PyThreadState_GetFrame(thread);
  struct reprise_named_site *site = frame == NULL ? NULL : site_at(frame, depth);
  PyGILState_Release(state);
  reprise_own_doing(false);
  return site;
}
