/* memory.c: the tool's memory is not the program's malloc. */
#ifndef REPRISE_HEAP_H
#define REPRISE_HEAP_H

#include "calls.h"

#pragma GCC visibility push(hidden)

void *take_memory(size_t bytes);
void give_memory(void *memory);

/* From handles (pointers or ints, as the MPI likes) to whatever belongs to them. */
struct map {
  uintptr_t *keys;
  void **values;
  size_t size, used;
};
void map_put(struct map *map, uintptr_t key, void *value);
void *map_get(const struct map *map, uintptr_t key);
void *map_remove(struct map *map, uintptr_t key, const void *only); /* only: if it is this one; NULL: any */

#pragma GCC visibility pop

#endif
