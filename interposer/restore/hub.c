/* Packets: to the hub and back, and the messages that came before anybody asked for them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "restore.h"

static int hub = -1;
struct arrived *first_arrived;
static struct arrived *last_arrived;

/* High up, so that the program's own descriptors keep their numbers. */
int connect_to(const char *directory, const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int low = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (low < 0) return -1;
  int high = fcntl(low, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
  if (high >= 0) close(low);
  else high = low;
  snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", directory, name);
  if (connect(high, (struct sockaddr *)&address, sizeof address) == 0) return high;
  close(high);
  return -1;
}

bool write_all(int fd, const void *bytes, size_t count) {
  const char *from = bytes;
  while (count > 0) {
    ssize_t n = write(fd, from, count);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    from += n;
    count -= (size_t)n;
  }
  return true;
}

bool read_all(int fd, void *bytes, size_t count) {
  char *to = bytes;
  while (count > 0) {
    ssize_t n = read(fd, to, count);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    count -= (size_t)n;
  }
  return true;
}

bool say_packet(int fd, struct reprise_packet packet, const void *bytes) {
  packet.rank = (uint32_t)own_rank;
  struct iovec parts[2] = {{&packet, sizeof packet}, {(void *)bytes, packet.bytes}};
  ssize_t n;
  do n = writev(fd, parts, 2); while (n < 0 && errno == EINTR);
  if (n < 0) return false;
  size_t done = (size_t)n;
  if (done < sizeof packet) {
    if (!write_all(fd, (char *)&packet + done, sizeof packet - done)) return false;
    done = sizeof packet;
  }
  done -= sizeof packet;
  return write_all(fd, (const char *)bytes + done, packet.bytes - done);
}

/* ---- The hub of a restored rank ---- */

void hub_say(struct reprise_packet packet, const void *bytes) {
  if (!say_packet(hub, packet, bytes)) _exit(1);
}

static struct reprise_channel *said;
static size_t said_count, said_room;

static void say_channel(const struct reprise_channel *channel) {
  if (said_count == said_room) {
    said_room = said_room == 0 ? 256 : 2 * said_room;
    struct reprise_channel *more = take_memory(said_room * sizeof *more);
    if (said_count > 0) memcpy(more, said, said_count * sizeof *more);
    give_memory(said);
    said = more;
  }
  said[said_count++] = *channel;
}

static void say_open(void) {
  for (const struct operation *one = open_operations; one != NULL; one = one->next)
    if (!one->nobody && one->number != UINT64_MAX)
      say_channel(&(struct reprise_channel){one->comm_id, one->world, one->got_tag, one->number});
  messages_visit(say_channel);
}

void hub_begin(const char *directory) {
  int output = connect_to(directory, "hub");
  hub = connect_to(directory, "hub");
  if (output < 0 || hub < 0) _exit(1);
  say_packet(output, (struct reprise_packet){.kind = REPRISE_PACKET_OUTPUT}, NULL);
  dup2(output, 1);
  dup2(output, 2);
  close(output);
  channels_visit(say_channel);
  size_t channels = said_count;
  say_open();
  hub_say((struct reprise_packet){.kind = REPRISE_PACKET_HELLO, .number = channels, .call = said_count - channels,
                                  .bytes = said_count * sizeof *said},
          said);
  give_memory(said);
  said = NULL;
  said_count = said_room = 0;
}

static void append(struct arrived *message) {
  message->next = NULL;
  message->before = last_arrived;
  if (last_arrived == NULL) first_arrived = message;
  else last_arrived->next = message;
  last_arrived = message;
}

void arrived_take(struct arrived *message) {
  if (message->before == NULL) first_arrived = message->next;
  else message->before->next = message->next;
  if (message->next == NULL) last_arrived = message->before;
  else message->next->before = message->before;
}

struct arrived *arrived_find(uint64_t comm, int peer, int tag, uint64_t number) {
  for (struct arrived *one = first_arrived; one != NULL; one = one->next)
    if (one->packet.number == number && one->packet.comm == comm && one->packet.peer == peer && one->packet.tag == tag)
      return one;
  return NULL;
}

/* What somebody waits for is delivered at once: a receive that the program has let go of must not wait for a call. */
static void arrives(struct arrived *message) {
  append(message);
  for (struct operation *one = open_operations; one != NULL; one = one->next)
    if (receive_arrived(one)) return;
}

void hub_pump(int millis) {
  struct pollfd awaited = {.fd = hub, .events = POLLIN};
  while (poll(&awaited, 1, millis) > 0) {
    struct reprise_packet packet;
    if (!read_all(hub, &packet, sizeof packet)) _exit(1);
    struct arrived *message = take_memory(sizeof *message + packet.bytes);
    message->packet = packet;
    if (!read_all(hub, message->bytes, packet.bytes)) _exit(1);
    arrives(message);
    millis = 0;
  }
}
