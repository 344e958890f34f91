/*
 * Memory of the tool's own, straight from the kernel: a replay that took memory from the program's malloc would move
 * the program's objects. Sizes are rounded up to powers of two and kept in lists for the next taker.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "heap.h"
#include "rank.h"

enum { CLASS_MIN = 6, CLASS_KEPT_MAX = 12, CLASS_MAX = 30, CHUNK_BYTES = 1 << 20 };
/* Of blocks larger than a chunk so much is kept for the next taker, whom fresh pages would cost more than the copy. */
static const size_t LARGE_KEPT_BYTES = 64 << 20;

struct block {
  size_t bytes; /* of the whole block, this header included */
  struct block *next;
};
_Static_assert(sizeof(struct block) == 16, "what follows a block's header is aligned for anything");

static struct block *free_blocks[CLASS_MAX + 1];
static uint8_t *chunk, *chunk_end;
static size_t large_kept; /* bytes of large blocks in the lists */
static char memory_lock;

/* One small block of each size is the thread's own, without a lock: a replayed send takes one and gives it back. */
static PER_THREAD struct block *kept[CLASS_KEPT_MAX + 1];

static void *from_kernel(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    complain("out of memory (%zu bytes)", bytes);
    abort();
  }
  return memory;
}

static int class_of(size_t bytes) {
  return bytes <= (size_t)1 << CLASS_MIN ? CLASS_MIN : 64 - __builtin_clzll(bytes - 1);
}

void *take_memory(size_t wanted) {
  size_t bytes = wanted + sizeof(struct block);
  struct block *block;
  if (bytes > (size_t)1 << CLASS_MAX) {
    block = from_kernel(bytes);
    block->bytes = bytes;
    return block + 1;
  }
  int class = class_of(bytes);
  if (class <= CLASS_KEPT_MAX && (block = kept[class]) != NULL) {
    kept[class] = NULL;
    return block + 1;
  }
  bytes = (size_t)1 << class;
  while (__atomic_test_and_set(&memory_lock, __ATOMIC_ACQUIRE)) {}
  if ((block = free_blocks[class]) != NULL) {
    free_blocks[class] = block->next;
    if (bytes > CHUNK_BYTES) large_kept -= bytes;
  } else if (bytes > CHUNK_BYTES) {
    block = from_kernel(bytes);
  } else {
    if ((size_t)(chunk_end - chunk) < bytes) {
      chunk = from_kernel(CHUNK_BYTES);
      chunk_end = chunk + CHUNK_BYTES;
    }
    block = (struct block *)chunk;
    chunk += bytes;
  }
  __atomic_clear(&memory_lock, __ATOMIC_RELEASE);
  block->bytes = bytes;
  return block + 1;
}

void give_memory(void *memory) {
  if (memory == NULL) return;
  struct block *block = (struct block *)memory - 1;
  if (block->bytes > (size_t)1 << CLASS_MAX) {
    munmap(block, block->bytes);
    return;
  }
  int class = class_of(block->bytes);
  if (class <= CLASS_KEPT_MAX && kept[class] == NULL) {
    kept[class] = block;
    return;
  }
  bool large = block->bytes > CHUNK_BYTES;
  while (__atomic_test_and_set(&memory_lock, __ATOMIC_ACQUIRE)) {}
  bool keep = !large || large_kept + block->bytes <= LARGE_KEPT_BYTES;
  if (keep) {
    block->next = free_blocks[class];
    free_blocks[class] = block;
    if (large) large_kept += block->bytes;
  }
  __atomic_clear(&memory_lock, __ATOMIC_RELEASE);
  if (!keep) munmap(block, block->bytes);
}

/* Open addressing with linear probing; a removal moves later keys back, so that no tombstones gather. */

static size_t home_of(const struct map *map, uintptr_t key) {
  return (size_t)(((uint64_t)key * UINT64_C(0x9E3779B97F4A7C15)) >> 20) & (map->size - 1);
}

static void map_resize(struct map *map, size_t size) {
  struct map old = *map;
  map->size = size;
  map->used = 0;
  map->keys = take_memory(size * sizeof *map->keys);
  map->values = take_memory(size * sizeof *map->values);
  memset(map->values, 0, size * sizeof *map->values);
  for (size_t i = 0; i < old.size; i++)
    if (old.values[i] != NULL) map_put(map, old.keys[i], old.values[i]);
  give_memory(old.keys);
  give_memory(old.values);
}

void map_put(struct map *map, uintptr_t key, void *value) {
  if (map->size == 0 || map->used * 2 >= map->size) map_resize(map, map->size == 0 ? 64 : map->size * 2);
  size_t i = home_of(map, key);
  while (map->values[i] != NULL && map->keys[i] != key) i = (i + 1) & (map->size - 1);
  if (map->values[i] == NULL) map->used++;
  map->keys[i] = key;
  map->values[i] = value;
}

void *map_get(const struct map *map, uintptr_t key) {
  if (map->used == 0) return NULL;
  size_t i = home_of(map, key);
  while (map->values[i] != NULL && map->keys[i] != key) i = (i + 1) & (map->size - 1);
  return map->values[i];
}

void *map_remove(struct map *map, uintptr_t key, const void *only) {
  if (map->used == 0) return NULL;
  size_t mask = map->size - 1, i = home_of(map, key);
  while (map->values[i] != NULL && map->keys[i] != key) i = (i + 1) & mask;
  void *value = map->values[i];
  if (value == NULL || (only != NULL && value != only)) return NULL;
  map->used--;
  for (size_t j = (i + 1) & mask; map->values[j] != NULL; j = (j + 1) & mask) {
    size_t home = home_of(map, map->keys[j]);
    if (((j - home) & mask) >= ((j - i) & mask)) {
      map->keys[i] = map->keys[j];
      map->values[i] = map->values[j];
      i = j;
    }
  }
  map->values[i] = NULL;
  return value;
}
