/* How many messages went each way: with that, sender and receiver agree which message is which, without a word. */
#include "restore.h"

static struct map sent, received; /* by hash */

static struct channel *channel_in(struct map *map, uint64_t comm, int peer, int tag) {
  uint64_t place = (uint64_t)(uint32_t)peer << 32 | (uint32_t)tag;
  uintptr_t hash = (uintptr_t)reprise_mix(reprise_mix(1, comm), place);
  struct channel *first = map_get(map, hash);
  for (struct channel *one = first; one != NULL; one = one->next)
    if (one->key.comm == comm && one->key.peer == peer && one->key.tag == tag) return one;
  struct channel *made = take_memory(sizeof *made);
  *made = (struct channel){.key = {.comm = comm, .peer = peer, .tag = tag}, .next = first};
  map_put(map, hash, made);
  return made;
}

struct channel *channel_sent(uint64_t comm, int peer, int tag) { return channel_in(&sent, comm, peer, tag); }
struct channel *channel_received(uint64_t comm, int peer, int tag) { return channel_in(&received, comm, peer, tag); }

void channels_visit(void (*visit)(const struct reprise_channel *channel)) {
  for (size_t i = 0; i < received.size; i++)
    for (const struct channel *one = received.values[i]; one != NULL; one = one->next) visit(&one->key);
}
