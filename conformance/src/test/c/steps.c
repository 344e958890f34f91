/*
 * Carries out the small program in a file: a line for each rank, a word NAME:PEER:TAG:SYNC:REQUEST for each statement. It
 * says what each receive and probe of any source was told: RANK:NUMBER=SOURCE, or RANK:pNUMBER=SOURCE of a probe.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANY = -1, LAST = -2, NONE = -3, STEPS_MAX = 64, REQUESTS_MAX = 64, LINE_MAX_BYTES = 4096 };

static int rank, receives, probes, last = NONE;
static struct {
  MPI_Request request;
  int number, wild, receives;
} pending[REQUESTS_MAX];

static void told(const char *kind, int number, int wild, int source) {
  last = source;
  if (!wild) return;
  printf("%d:%s%d=%d\n", rank, kind, number, source);
  fflush(stdout);
}

static void wait_for(int request) {
  MPI_Status status;
  MPI_Wait(&pending[request].request, &status);
  if (pending[request].receives) told("", pending[request].number, pending[request].wild, status.MPI_SOURCE);
  pending[request].receives = 0;
}

static void step(const char *op, int peer, int tag, int sync, int request) {
  MPI_Status status;
  MPI_Comm world = MPI_COMM_WORLD;
  int wild = peer == ANY, source = wild ? MPI_ANY_SOURCE : peer, label = tag == ANY ? MPI_ANY_TAG : tag;
  if (!strcmp(op, "SEND")) (sync ? MPI_Ssend : MPI_Send)(NULL, 0, MPI_BYTE, peer, tag, world);
  else if (!strcmp(op, "ISEND")) (sync ? MPI_Issend : MPI_Isend)(NULL, 0, MPI_BYTE, peer, tag, world, &pending[request].request);
  else if (!strcmp(op, "RECV")) {
    int number = receives++;
    MPI_Recv(NULL, 0, MPI_BYTE, source, label, world, &status);
    told("", number, wild, status.MPI_SOURCE);
  } else if (!strcmp(op, "IRECV")) {
    pending[request].number = receives++;
    pending[request].wild = wild;
    pending[request].receives = 1;
    MPI_Irecv(NULL, 0, MPI_BYTE, source, label, world, &pending[request].request);
  } else if (!strcmp(op, "WAIT")) wait_for(request);
  else if (!strcmp(op, "PROBE")) {
    MPI_Probe(source, label, world, &status);
    told("p", probes++, 1, status.MPI_SOURCE);
  } else if (!strcmp(op, "BARRIER")) MPI_Barrier(world);
  else MPI_Abort(world, 99);
}

int main(int argc, char **argv) {
  static struct {
    char op[16];
    int peer, tag, sync, request;
  } steps[STEPS_MAX];
  static char line[LINE_MAX_BYTES];
  int count = 0;
  for (int i = 0; i < REQUESTS_MAX; i++) pending[i].request = MPI_REQUEST_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  FILE *program = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!program) MPI_Abort(MPI_COMM_WORLD, 98);
  for (int i = 0; i <= rank; i++)
    if (!fgets(line, sizeof line, program)) line[0] = 0;
  fclose(program);
  for (char *word = strtok(line, " \n"); word && count < STEPS_MAX; word = strtok(NULL, " \n"), count++)
    sscanf(word, "%15[A-Z]:%d:%d:%d:%d", steps[count].op, &steps[count].peer, &steps[count].tag, &steps[count].sync,
           &steps[count].request);
  for (int at = 0; at < count; at++) {
    int peer = steps[at].peer == LAST ? last : steps[at].peer, request = steps[at].request;
    int idle = !strcmp(steps[at].op, "WAIT") && pending[request].request == MPI_REQUEST_NULL;
    if (!strcmp(steps[at].op, "UNLESS")) at += last == steps[at].peer ? 0 : request;
    else if (peer != NONE && !idle) step(steps[at].op, peer, steps[at].tag, steps[at].sync, request);
  }
  MPI_Finalize();
  return 0;
}
