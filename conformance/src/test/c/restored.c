/*
 * Each step does one thing that restored ranks must be served, drawn with a seed: tags out of order, persistent requests,
 * derived types, wildcards, reductions whose order matters, probes, communicators made before and now, requests that stay
 * open for steps, collectives, files and their names, buffered sends, other groups. The hash is of all data that no open receive may write; history-<rank> has it at the
 * beginning of each step.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CELLS = 256 };
static double cells[CELLS], grid[6][6];
static int step, rank, size;
static unsigned long hash_value = 1;
static unsigned seed;

static unsigned draw(unsigned n) { seed = seed * 1103515245u + 12345u; return (seed >> 8) % n; }
static void fold(const void *p, size_t n) {
  const unsigned char *b = p;
  for (size_t i = 0; i < n; i++) hash_value = (hash_value ^ b[i]) * 1099511628211ul;
}
static void note(void) { fold(cells, sizeof cells); fold(grid, sizeof grid); fold(&step, sizeof step); }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int steps = argc > 1 ? atoi(argv[1]) : 60;
  unsigned common = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
  seed = common;
  for (int i = 0; i < CELLS; i++) cells[i] = rank + i * 0.25;
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Comm half, ring, cart, any;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_dup(MPI_COMM_WORLD, &ring);
  MPI_Comm_dup(MPI_COMM_WORLD, &any);
  int dims[1] = {size}, periods[1] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart);
  /* The two halves, as two groups that speak to each other. */
  MPI_Comm others;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 == 0 ? size - 1 : size - 2, 40, &others);
  static char room[4096 + MPI_BSEND_OVERHEAD];
  MPI_Buffer_attach(room, sizeof room);
  MPI_Datatype column;
  MPI_Type_vector(6, 1, 6, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  static double in[8], out[8];
  MPI_Request kept[2], open_receive = MPI_REQUEST_NULL;
  MPI_Recv_init(in, 8, MPI_DOUBLE, left, 9, ring, &kept[0]);
  MPI_Send_init(out, 8, MPI_DOUBLE, right, 9, ring, &kept[1]);
  char name[200], line[64];
  snprintf(name, sizeof name, "log-%d.txt", rank);
  FILE *log = fopen(name, "w+");
  FILE *input = fopen("input.txt", "r");
  snprintf(name, sizeof name, "mode-%d", rank);
  fclose(fopen(name, "w"));
  static double far[4];
  snprintf(name, sizeof name, "history-%d", rank);
  FILE *history = fopen(name, "w");
  for (step = 0; step < steps; step++) {
    fprintf(history, "%lu\n", hash_value);
    fflush(history);
    usleep(1000 + (rank == step % size ? 2000 : 0));
    unsigned what = draw(15);
    double x[4] = {cells[step % CELLS], step, rank, 1.5}, y[4], z[4];
    MPI_Status status;
    if (open_receive != MPI_REQUEST_NULL && step % 5 == 4) { /* posted steps ago */
      MPI_Wait(&open_receive, &status);
      cells[(step * 3) % CELLS] += far[1] + status.MPI_TAG;
    }
    if (step % 5 == 0) {
      MPI_Irecv(far, 4, MPI_DOUBLE, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &open_receive);
      if (step % 10 == 0) MPI_Send(x, 4, MPI_DOUBLE, right, 77, MPI_COMM_WORLD);
    }
    if (step % 10 == 7) MPI_Send(x, 4, MPI_DOUBLE, left, 77, MPI_COMM_WORLD); /* for the receive of step + 3 - 5 */
    switch (what) {
      case 0: { /* tags out of order */
        MPI_Send(x, 4, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
        MPI_Send(x + 1, 3, MPI_DOUBLE, right, 2, MPI_COMM_WORLD);
        MPI_Recv(z, 3, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &status);
        MPI_Recv(y, 4, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        cells[(step * 7) % CELLS] += y[0] * 0.5 + z[0] + status.MPI_SOURCE;
        break;
      }
      case 1: /* persistent */
        memcpy(out, cells + step % (CELLS - 8), sizeof out);
        MPI_Startall(2, kept);
        MPI_Waitall(2, kept, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 8; i++) cells[(step + 11 * i) % CELLS] += in[i] * 0.125;
        break;
      case 2: { /* derived type */
        for (int i = 0; i < 6; i++) grid[i][1] = cells[(step + i) % CELLS];
        MPI_Sendrecv(&grid[0][1], 1, column, right, 3, &grid[0][4], 1, column, left, 3, MPI_COMM_WORLD, &status);
        int count;
        MPI_Get_count(&status, column, &count);
        cells[step % CELLS] += grid[3][4] + count;
        break;
      }
      case 3: { /* any source, several */
        if (rank == 0) {
          for (int i = 1; i < size; i++) {
            MPI_Recv(y, 4, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, any, &status);
            cells[(step + i) % CELLS] = cells[(step + i) % CELLS] * 0.5 + y[0] * status.MPI_SOURCE + status.MPI_TAG;
          }
        } else {
          MPI_Send(x, 4, MPI_DOUBLE, 0, 20 + rank, any);
        }
        break;
      }
      case 4: { /* reductions whose order matters */
        double s[3], t[3] = {cells[1] * 1e-3, cells[2] * 1e7, 1.0 / (rank + 3)}, all[64];
        MPI_Allreduce(t, s, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Scan(s, t, 3, MPI_DOUBLE, MPI_SUM, half);
        MPI_Allgather(t, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, ring);
        cells[(step * 5) % CELLS] = s[0] + t[1] * 1e-9 + all[size - 1];
        MPI_Reduce(s, t, 3, MPI_DOUBLE, MPI_SUM, size - 1, MPI_COMM_WORLD);
        if (rank == size - 1) cells[3] = t[2];
        break;
      }
      case 5: { /* probe, then receive */
        MPI_Request sent;
        MPI_Isend(x, 1 + step % 3, MPI_DOUBLE, left, 5, ring, &sent);
        int count;
        MPI_Probe(MPI_ANY_SOURCE, 5, ring, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &count);
        MPI_Recv(y, count, MPI_DOUBLE, status.MPI_SOURCE, 5, ring, MPI_STATUS_IGNORE);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        cells[(step * 13) % CELLS] += y[0] + count;
        break;
      }
      case 6: { /* matched probe, polled */
        MPI_Request sent;
        MPI_Message message;
        int flag = 0;
        MPI_Isend(x, 4, MPI_DOUBLE, right, 6, MPI_COMM_WORLD, &sent);
        while (!flag) MPI_Improbe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &flag, &message, &status);
        MPI_Mrecv(y, 4, MPI_DOUBLE, &message, &status);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        cells[(step * 17) % CELLS] += y[2] + status.MPI_SOURCE;
        break;
      }
      case 7: { /* a communicator made now */
        MPI_Comm made, again;
        MPI_Comm_split(MPI_COMM_WORLD, (rank + step) % 2, rank, &made);
        int r, n;
        MPI_Comm_rank(made, &r);
        MPI_Comm_size(made, &n);
        MPI_Sendrecv(x, 4, MPI_DOUBLE, (r + 1) % n, 4, y, 4, MPI_DOUBLE, (r + n - 1) % n, 4, made, &status);
        MPI_Comm_dup(made, &again);
        double s;
        MPI_Allreduce(y, &s, 1, MPI_DOUBLE, MPI_MAX, again);
        MPI_Bcast(&s, 1, MPI_DOUBLE, n - 1, again);
        MPI_Comm_free(&made);
        MPI_Comm_free(&again);
        cells[(step * 19) % CELLS] += s + y[1];
        break;
      }
      case 8: { /* Waitany and Testsome */
        MPI_Request several[3];
        double got[3][4];
        MPI_Irecv(got[0], 4, MPI_DOUBLE, left, 30, MPI_COMM_WORLD, &several[0]);
        MPI_Irecv(got[1], 4, MPI_DOUBLE, right, 31, MPI_COMM_WORLD, &several[1]);
        MPI_Irecv(got[2], 4, MPI_DOUBLE, MPI_ANY_SOURCE, 32, ring, &several[2]);
        MPI_Send(x, 4, MPI_DOUBLE, right, 30, MPI_COMM_WORLD);
        MPI_Ssend(x, 4, MPI_DOUBLE, left, 31, MPI_COMM_WORLD);
        MPI_Send(x, 4, MPI_DOUBLE, right, 32, ring);
        for (int done = 0; done < 3;) {
          int index, indices[3], count;
          MPI_Status statuses[3];
          MPI_Testsome(3, several, &count, indices, statuses);
          if (count == MPI_UNDEFINED) break;
          for (int i = 0; i < count; i++) cells[(step + done + i) % CELLS] += got[indices[i]][1] * (i + 1) + statuses[i].MPI_TAG;
          done += count;
          if (count == 0 && done < 3) {
            MPI_Waitany(3, several, &index, &status);
            cells[(step + 2) % CELLS] += got[index][2] * 3 + index;
            done++;
          }
        }
        break;
      }
      case 9: { /* nonblocking collectives */
        double s[2], w[2] = {cells[9], step}, all[128];
        MPI_Request requests[2];
        MPI_Iallreduce(w, s, 2, MPI_DOUBLE, MPI_SUM, ring, &requests[0]);
        MPI_Iallgather(w, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        cells[(step * 23) % CELLS] = s[0] * 0.01 + all[0];
        break;
      }
      case 10: /* files */
        fprintf(log, "%d %.9g\n", step, cells[step % CELLS]);
        if (step % 3 == 0) fflush(log);
        if (input != NULL && fgets(line, sizeof line, input) != NULL) cells[10] += atof(line);
        break;
      case 11: { /* topology */
        int source, dest;
        MPI_Cart_shift(cart, 0, 1, &source, &dest);
        MPI_Sendrecv_replace(x, 4, MPI_DOUBLE, dest, 8, source, 8, cart, &status);
        double from[2][2], to[4];
        from[0][0] = from[0][1] = cells[4];
        MPI_Neighbor_allgather(from, 2, MPI_DOUBLE, to, 2, MPI_DOUBLE, cart);
        cells[(step * 29) % CELLS] += x[0] + to[0] - to[3];
        break;
      }
      case 12: { /* buffered, and persistent ones of them */
        MPI_Request again;
        MPI_Bsend_init(x, 4, MPI_DOUBLE, left, 33, MPI_COMM_WORLD, &again);
        MPI_Bsend(x, 4, MPI_DOUBLE, right, 34, MPI_COMM_WORLD);
        MPI_Start(&again);
        MPI_Wait(&again, MPI_STATUS_IGNORE);
        MPI_Request_free(&again);
        x[0] = -1;
        MPI_Recv(y, 4, MPI_DOUBLE, MPI_ANY_SOURCE, 34, MPI_COMM_WORLD, &status);
        MPI_Recv(z, 4, MPI_DOUBLE, right, 33, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        char *taken;
        int bytes;
        MPI_Buffer_detach(&taken, &bytes);
        cells[(step * 31) % CELLS] += y[0] + z[1] + status.MPI_SOURCE + (taken == room) + bytes % 7;
        MPI_Buffer_attach(room, sizeof room);
        break;
      }
      case 13: { /* between groups, and a group of both */
        MPI_Comm both;
        int mine, theirs, n, inter;
        MPI_Comm_rank(others, &mine);
        MPI_Comm_remote_size(others, &theirs);
        MPI_Sendrecv(x, 4, MPI_DOUBLE, (mine + 1) % theirs, 35, y, 4, MPI_DOUBLE, MPI_ANY_SOURCE, 35, others, &status);
        MPI_Allreduce(x, z, 4, MPI_DOUBLE, MPI_SUM, others);
        MPI_Intercomm_merge(others, rank % 2, &both);
        MPI_Comm_size(both, &n);
        MPI_Comm_test_inter(both, &inter);
        MPI_Bcast(z, 2, MPI_DOUBLE, step % n, both);
        MPI_Comm_free(&both);
        cells[(step * 37) % CELLS] += y[0] + z[0] * 0.5 + status.MPI_SOURCE + n + inter;
        break;
      }
      case 14: { /* names of files: each is the rank's own, and the user's stays as it is */
        char one[64], two[64];
        struct stat found;
        snprintf(one, sizeof one, "one-%d", rank);
        snprintf(two, sizeof two, "two-%d", rank);
        FILE *made = fopen(one, "w");
        fprintf(made, "%d", step);
        fclose(made);
        chmod(one, 0640);
        rename(one, two);
        int gone = access(one, F_OK) != 0 && stat(one, &found) != 0;
        int there = stat(two, &found) == 0 ? (int)(found.st_mode & 0777) + (int)found.st_size : -1;
        made = fopen(two, "r");
        int read_back = fgets(line, sizeof line, made) != NULL ? atoi(line) : -1;
        fclose(made);
        gone += unlink(two) == 0 && unlink(two) != 0;
        mkdir(one, 0700);
        gone += mkdir(one, 0700) != 0 && rmdir(one) == 0;
        snprintf(one, sizeof one, "mode-%d", rank);
        chmod(one, step % 2 ? 0600 : 0640);
        cells[(step * 41) % CELLS] += gone + there + read_back;
        break;
      }
    }
    note();
  }
  if (open_receive != MPI_REQUEST_NULL) {
    MPI_Cancel(&open_receive);
    MPI_Wait(&open_receive, MPI_STATUS_IGNORE);
  }
  fseek(log, 0, SEEK_SET);
  while (fgets(line, sizeof line, log) != NULL) fold(line, strlen(line));
  fclose(history);
  printf("rank %d: %016lx\n", rank, hash_value);
  MPI_Finalize();
  return 0;
}
