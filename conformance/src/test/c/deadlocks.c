/* deadlocks CASE: ranks that wait for each other in every way that a watch must recognise, and some that only look so. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TAG = 1, LONG_BYTES = 1 << 20 };

static int rank, size, next, before;
static char bytes[LONG_BYTES];

static void receive(int source, int tag) {
  MPI_Recv(bytes, LONG_BYTES, MPI_BYTE, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void receive_cycle(void) {
  receive(before, TAG);
  MPI_Send(bytes, 1, MPI_BYTE, next, TAG, MPI_COMM_WORLD);
}

/* Everybody gets a message, with another tag than it asks for. */
static void wrong_tag(void) {
  MPI_Send(bytes, 1, MPI_BYTE, next, TAG + 1, MPI_COMM_WORLD);
  receive(before, TAG);
}

static void ssend_cycle(void) {
  MPI_Ssend(bytes, 1, MPI_BYTE, next, TAG, MPI_COMM_WORLD);
  receive(before, TAG);
}

/* Too long to be buffered. */
static void send_cycle(void) {
  MPI_Send(bytes, LONG_BYTES, MPI_BYTE, next, TAG, MPI_COMM_WORLD);
  receive(before, TAG);
}

/* The others send one message each; rank 0 wants one more, from anybody. */
static void nobody_left(void) {
  if (rank != 0) MPI_Send(bytes, 1, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
  else for (int i = 0; i < size; i++) receive(MPI_ANY_SOURCE, TAG);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Two messages, both taken by receives from any source that were posted before the one that is waited for. */
static void taken_before(void) {
  MPI_Request requests[2];
  if (rank != 0) MPI_Send(bytes, 1, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
  else {
    for (int i = 0; i < 2; i++) MPI_Irecv(bytes + i, 1, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &requests[i]);
    receive(1, TAG);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
}

static void waitany(void) {
  MPI_Request requests[2];
  int index;
  MPI_Irecv(bytes, 1, MPI_BYTE, before, TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(bytes + 1, 1, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
}

/* Of two messages that it waits for, one comes. */
static void waitall(void) {
  MPI_Request requests[3];
  MPI_Irecv(bytes, 1, MPI_BYTE, before, TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(bytes + 1, 1, MPI_BYTE, before, TAG + 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(bytes + 2, 1, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

static void mismatched_collectives(void) {
  int sum = 0;
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  else MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* In a communicator whose ranks are not those of the world. */
static void barrier_and_receive(void) {
  MPI_Comm turned;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  int mine;
  MPI_Comm_rank(turned, &mine);
  if (rank == 0) MPI_Recv(bytes, 1, MPI_BYTE, 0, TAG, turned, MPI_STATUS_IGNORE); /* rank size - 1 of the world */
  else MPI_Barrier(turned);
}

static void finished_early(void) {
  if (rank == 0) receive(size - 1, TAG);
}

/* ---- None of these is a deadlock ---- */

static void compute(double seconds) {
  double begun = MPI_Wtime();
  volatile double x = 0;
  while (MPI_Wtime() - begun < seconds)
    for (int i = 0; i < 1000; i++) x += i;
}

static void long_computation(void) {
  if (rank == size - 1) compute(3);
  if (rank == size - 1) MPI_Send(bytes, 1, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
  if (rank == 0) receive(MPI_ANY_SOURCE, TAG);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void sleeping_rank(void) {
  if (rank == 0) {
    sleep(3);
    MPI_Send(bytes, 1, MPI_BYTE, next, TAG, MPI_COMM_WORLD);
  } else {
    receive(before, TAG);
    if (next != 0) MPI_Send(bytes, 1, MPI_BYTE, next, TAG, MPI_COMM_WORLD);
  }
}

/* Rank 0 polls until the last one has slept, while the others wait for rank 0. */
static void polling_rank(void) {
  int there = 0;
  if (rank == size - 1) {
    sleep(3);
    MPI_Send(bytes, 1, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
  }
  while (rank == 0 && !there) MPI_Iprobe(size - 1, TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  if (rank == 0) receive(size - 1, TAG);
  MPI_Barrier(MPI_COMM_WORLD);
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {{"receive_cycle", receive_cycle},
             {"wrong_tag", wrong_tag},
             {"ssend_cycle", ssend_cycle},
             {"send_cycle", send_cycle},
             {"nobody_left", nobody_left},
             {"taken_before", taken_before}, {"waitany", waitany},
             {"waitall", waitall},
             {"mismatched_collectives", mismatched_collectives},
             {"barrier_and_receive", barrier_and_receive},
             {"finished_early", finished_early},
             {"long_computation", long_computation},
             {"sleeping_rank", sleeping_rank},
             {"polling_rank", polling_rank}};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  next = (rank + 1) % size;
  before = (rank + size - 1) % size;
  for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
    if (strcmp(argv[1], cases[i].name) == 0) cases[i].run();
  MPI_Finalize();
  return 0;
}
