/*
 * Asks the interposer's plan what the embedded engine's is asked, so that both can be compared: a script on standard input
 * says what the program does, one call a line, and each line is answered. ranks' PlanVectorsTest compiles it together with the
 * interposer's sources and has the words.
 *
 *   plan_driver DIRECTORY < script
 */
#include <stdio.h>
#include <stdlib.h>

#include "comms.h"
#include "order.h"
#include "plan.h"

static const char *const POLL_WORDS[] = {"test", "testall", "get-status", "iprobe", "improbe", "parrived", "win-test"};

static int poll_of(const char *word) {
  for (int i = 0; i < (int)(sizeof POLL_WORDS / sizeof *POLL_WORDS); i++)
    if (strcmp(word, POLL_WORDS[i]) == 0) return i;
  fprintf(stderr, "no such poll: %s\n", word);
  exit(2);
}

/* A wildcard receive or probe: source, and tag if that is open too. */
static void ask_match(enum call id, unsigned kinds, bool any_tag) {
  int source = MPI_ANY_SOURCE, tag = any_tag ? MPI_ANY_TAG : 7;
  if (replaying()) plan_force(id, kinds, &source, &tag);
  if (source == MPI_ANY_SOURCE) puts("free");
  else if (any_tag) printf("%d %d\n", source, tag);
  else printf("%d\n", source);
}

static void ask_poll(enum call id, unsigned kinds, int detail) {
  struct outcome o;
  switch (replaying() ? plan_poll(id, kinds, detail, &o) : POLL_FREE) {
    case POLL_FREE:
      puts("free");
      break;
    case POLL_FALSE:
      puts("fails");
      break;
    case POLL_TRUE:
      if (o.kind == REPRISE_HIT) puts("hit");
      else if (o.kind == REPRISE_INDEX) printf("%d\n", (int)o.first - 1);
      else printf("%d\n", (int)o.first);
  }
}

static void ask_any(void) {
  struct outcome o;
  if (!replaying() || !plan_take(CALL_Waitany, KIND(REPRISE_INDEX), &o, 4, 0)) puts("free");
  else printf("%d\n", (int)o.first - 1);
}

static void ask_post(uint64_t post) {
  struct post_outcome o = replaying() ? plan_post(CALL_Irecv, post, true) : (struct post_outcome){.fate = FATE_UNKNOWN};
  switch (o.fate) {
    case FATE_MATCH:
      printf("%d\n", o.source);
      break;
    case FATE_MATCH_TAG:
      printf("%d %d\n", o.source, o.tag);
      break;
    case FATE_CANCELLED:
    case FATE_NEVER:
      puts("nothing");
      break;
    case FATE_UNKNOWN:
      puts("free");
  }
}

static const char *divergence(void) {
  static const char *const words[] = {"same", "other-call", "other-requests", "more-calls", "fewer-calls", "other-messages"};
  return words[trace.divergence.what];
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  const char *directory = argv[1];
  MPI_Init(&argc, &argv);
  resolve_all();
  comms_begin();
  private_comm_begin();
  self.thread = 0;
  trace.ranks = 1;
  if (!plan_load(directory, 0)) return 3;
  plan_begin(0);
  rank.mode = REPRISE_REPLAY;
  char line[256], word[32];
  while (fgets(line, sizeof line, stdin) != NULL) {
    unsigned long long a = 0, b = 0;
    if (sscanf(line, "event %llu %llu", &a, &b) == 2) {
      hash_event(a, b);
      printf("%016llx\n", (unsigned long long)trace.hash[trace.events & 1]);
    } else if (sscanf(line, "post %llu", &a) == 1) ask_post(a);
    else if (strncmp(line, "recv-tag", 8) == 0) ask_match(CALL_Recv, KIND(REPRISE_RECV) | KIND(REPRISE_RECV_TAG), true);
    else if (strncmp(line, "recv", 4) == 0) ask_match(CALL_Recv, KIND(REPRISE_RECV) | KIND(REPRISE_RECV_TAG), false);
    else if (strncmp(line, "probe", 5) == 0) ask_match(CALL_Probe, KIND(REPRISE_PROBE) | KIND(REPRISE_PROBE_TAG), false);
    else if (strncmp(line, "waitany", 7) == 0) ask_any();
    else if (strncmp(line, "testany", 7) == 0) ask_poll(CALL_Testany, KIND(REPRISE_INDEX), 0);
    else if (strncmp(line, "find", 4) == 0)
      ask_poll(CALL_Iprobe, KIND(REPRISE_FOUND) | KIND(REPRISE_FOUND_TAG), REPRISE_IPROBE);
    else if (sscanf(line, "poll %31s", word) == 1) {
      int poll = poll_of(word);
      ask_poll(CALL_Test, KIND(REPRISE_HIT), poll);
    } else if (strncmp(line, "reached", 7) == 0) {
      puts((trace.flags & REPRISE_FLAG_REACHED_END) != 0 ? "yes" : "no");
    } else if (strncmp(line, "finish", 6) == 0) {
      if (replaying()) plan_finish();
      puts(divergence());
    } else if (strncmp(line, "end", 3) == 0) {
      printf("%s beyond=%llu skipped=%llu replayed=%llu\n", divergence(), (unsigned long long)trace.polls_beyond,
             (unsigned long long)trace.polls_skipped, (unsigned long long)trace.replayed);
    } else {
      fprintf(stderr, "no such line: %s", line);
      return 2;
    }
  }
  fflush(stdout);
  rank.mode = REPRISE_OFF;
  MPI_Finalize();
  return 0;
}
