/*
 * Programs with one planted bug each, which only some orders of messages show: planted NAME. Delays make the order that works
 * the usual one. A bug shows as MPI_Abort, a crash, or a deadlock; planted without a name lists them with their ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

enum { ANY = MPI_ANY_SOURCE, DATA = 1, MORE = 2, STOP = 3, READ = 4, WRITE = 5 };

static void put(int to, int tag, int value) { MPI_Send(&value, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }
static int source, tag_got;
static int get(int from, int tag) {
  int value;
  MPI_Status status;
  MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &status);
  source = status.MPI_SOURCE;
  tag_got = status.MPI_TAG;
  return value;
}
static void late(int steps) { usleep(15000 * (unsigned)steps); }
static void require(int holds) {
  if (!holds) MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Two clients read, add and write a counter that the server keeps: an update may be lost. */
static void lost_update(void) {
  int counter = 0;
  if (rank == 0) {
    for (int i = 0; i < 2 * (size - 1); i++) {
      int value = get(ANY, MPI_ANY_TAG);
      if (tag_got == READ) put(source, DATA, counter);
      else counter = value;
    }
    require(counter == size - 1);
  } else {
    late(rank - 1);
    put(0, READ, 0);
    put(0, WRITE, get(0, DATA) + 1);
  }
}

/* The master stops worker i after the i-th result, not the one that sent it. */
static void wrong_worker_stopped(void) {
  if (rank == 0) {
    for (int i = 1; i < size; i++) put(i, DATA, i);
    for (int i = 1; i < size; i++) {
      get(ANY, DATA);
      put(i, source == i ? STOP : MORE, 0);
    }
  } else {
    get(0, DATA);
    late(rank);
    put(0, DATA, rank);
    get(0, STOP);
  }
}

/* Two receives share a buffer; the second message is expected to be that of the last rank. */
static void buffer_reused(void) {
  if (rank == 0) {
    int buffer = 0;
    MPI_Request requests[16];
    for (int i = 1; i < size; i++) MPI_Irecv(&buffer, 1, MPI_INT, ANY, DATA, MPI_COMM_WORLD, &requests[i - 1]);
    for (int i = 1; i < size; i++) MPI_Wait(&requests[i - 1], MPI_STATUS_IGNORE);
    require(buffer == size - 1);
  } else {
    late(rank);
    put(0, DATA, rank);
  }
}

/* Two phases with one tag and no barrier: a fast worker's second result may be counted in the first. */
static void phases_mixed(void) {
  if (rank == 0) {
    for (int phase = 1; phase <= 2; phase++)
      for (int i = 1; i < size; i++) require(get(ANY, DATA) == phase);
  } else {
    put(0, DATA, 1);
    late(size);
    put(0, DATA, 2);
  }
}

/* Any first, then the last rank by name: who was taken first does not come again. */
static void deadlock_by_wildcard(void) {
  if (rank == 0) {
    for (int i = 1; i < size - 1; i++) get(ANY, DATA);
    get(size - 1, DATA);
  } else {
    late(rank);
    put(0, DATA, rank);
  }
}

/* A rank that got the messages the other way round makes one collective call more. */
static void collective_count(void) {
  int barriers = 1;
  if (rank == 0) {
    get(ANY, DATA);
    if (source != 1) barriers = 2;
    for (int i = 2; i < size; i++) get(ANY, DATA);
  } else {
    late(rank);
    put(0, DATA, rank);
  }
  while (barriers-- > 0) MPI_Barrier(MPI_COMM_WORLD);
}

/* The answer goes to whom the last message came from, not to who asked. */
static void reply_to_last(void) {
  if (rank == 0) {
    int asked = 0, told = 0;
    while (!asked || told < size - 2) {
      get(ANY, MPI_ANY_TAG);
      if (tag_got == READ) asked = 1;
      else told++;
    }
    put(source, DATA, 0);
  } else if (rank == 1) {
    late(size);
    put(0, READ, 0);
    get(0, DATA);
  } else {
    put(0, MORE, rank);
  }
}

/* The first bound that comes is taken for the best. */
static void first_is_best(void) {
  if (rank == 0) {
    int best = get(ANY, DATA);
    for (int i = 2; i < size; i++) require(get(ANY, DATA) >= best);
  } else {
    late(rank);
    put(0, DATA, rank);
  }
}

/* Numbers are expected in rising order from all, which only each sender promises. */
static void numbers_rise(void) {
  if (rank == 0) {
    int last = 0;
    for (int i = 0; i < 2 * (size - 1); i++) {
      int now = get(ANY, DATA);
      require(now > last);
      last = now;
    }
  } else {
    late(3 * rank);
    put(0, DATA, 10 * rank);
    put(0, DATA, 10 * rank + 1);
  }
}

/* The end of one worker is taken for the end of all. */
static void early_end(void) {
  if (rank == 0) {
    int results = 0;
    do {
      get(ANY, MPI_ANY_TAG);
      results += tag_got == DATA;
    } while (tag_got != STOP);
    require(results == size - 1);
    for (int i = 2; i < size; i++) get(ANY, MPI_ANY_TAG);
  } else {
    put(0, DATA, rank);
    late(size);
    if (rank == 1) late(2);
    put(0, STOP, rank);
  }
}

/* Whoever hears of no other candidate first leads: two may. */
static void two_leaders(void) {
  if (rank == 0) {
    int leaders = 0, votes = 0;
    for (int i = 1; i < size; i++) {
      int value = get(ANY, DATA);
      if (value > votes) leaders++;
      votes = value > votes ? value : votes;
    }
    require(leaders < size - 1);
  } else {
    late(size - rank);
    put(0, DATA, rank);
  }
}

/* A control message of another rank is taken where data are expected. */
static void any_tag(void) {
  if (rank == 0) {
    get(ANY, MPI_ANY_TAG);
    require(tag_got == DATA);
    for (int i = 2; i < size; i++) get(ANY, MPI_ANY_TAG);
  } else {
    late(rank);
    put(0, rank == 1 ? DATA : STOP, rank);
  }
}

/* The last stage gets the shortcut of the first before what went through the middle. */
static void pipeline_skipped(void) {
  if (rank == 0) {
    put(1, DATA, 1);
    late(size);
    put(size - 1, DATA, 100);
  } else if (rank < size - 1) {
    put(rank + 1, DATA, get(rank - 1, DATA) + 1);
  } else {
    int first = get(ANY, DATA), second = get(ANY, DATA);
    require(first < second);
  }
}

/* Two writes of one writer are to be seen together; a reader may come between. */
static void torn_write(void) {
  if (rank == 0) {
    int a = 0, b = 0;
    for (int i = 0; i < size; i++) {
      int value = get(ANY, MPI_ANY_TAG);
      if (tag_got == WRITE) a = value;
      else if (tag_got == MORE) b = value;
      else require(a == b);
    }
  } else if (rank == 1) {
    put(0, WRITE, 7);
    put(0, MORE, 7);
  } else {
    late(rank);
    put(0, READ, 0);
  }
}

/* A barrier made of messages: who is fast enters the second before the first is over. */
static void barrier_by_hand(void) {
  if (rank == 0) {
    for (int round = 1; round <= 2; round++) {
      int came = 0;
      for (int i = 1; i < size; i++) came += get(ANY, DATA);
      require(came == round * (size - 1));
    }
  } else {
    for (int round = 1; round <= 2; round++) {
      put(0, DATA, round);
      late(size);
    }
  }
}


/* An old value overtakes, through a third rank, the word that it is no longer valid. */
static void stale_value(void) {
  if (rank == 0) {
    int value = 0;
    for (int i = 1; i < size; i++) {
      int now = get(ANY, DATA);
      value = now;
    }
    require(value == size - 1);
  } else {
    late(rank);
    put(0, DATA, rank);
  }
}

/* An array that the first message makes is used by the second. */
static void used_before_made(void) {
  if (rank == 0) {
    volatile int *array = NULL;
    for (int i = 1; i < size; i++) {
      get(ANY, MPI_ANY_TAG);
      if (tag_got == DATA) array = calloc(4, sizeof *array);
      else array[1] = 1;
    }
  } else {
    late(rank);
    put(0, rank == 1 ? DATA : MORE, 0);
  }
}

/* A mean is asked for before anything was counted. */
static void mean_of_none(void) {
  if (rank == 0) {
    volatile int sum = 0, count = 0, mean = 0;
    for (int i = 1; i < size; i++) {
      int value = get(ANY, MPI_ANY_TAG);
      if (tag_got == DATA) {
        sum += value;
        count++;
      } else mean = sum / count;
    }
    require(mean >= 0);
  } else {
    late(rank);
    put(0, rank == size - 1 ? READ : DATA, rank);
  }
}

/* A worker that does nearly all the work overruns its list. */
static void one_does_all(void) {
  enum { JOBS = 4 };
  if (rank == 0) {
    int done[16] = {0}, given = 0;
    for (int i = 1; i < size; i++) put(i, DATA, given++);
    for (int i = 0; i < JOBS + size - 1; i++) {
      get(ANY, DATA);
      require(++done[source] < JOBS);
      if (given < JOBS + size - 1) put(source, DATA, given++);
    }
    for (int i = 1; i < size; i++) put(i, STOP, 0);
  } else {
    while (get(0, MPI_ANY_TAG), tag_got != STOP) {
      late(1);
      put(0, DATA, rank);
    }
  }
}

/* Only the very opposite order fails. */
static void reversed(void) {
  if (rank == 0) {
    int falls = 0, last = 0;
    for (int i = 1; i < size; i++) {
      int now = get(ANY, DATA);
      falls += now < last;
      last = now;
    }
    require(falls < size - 2);
  } else {
    late(rank);
    put(0, DATA, rank);
  }
}

/* Two ranks must both have taken the later message first. */
static void both_swapped(void) {
  if (rank < 2) {
    get(ANY, DATA);
    int swapped = source == 3;
    get(ANY, DATA);
    if (rank == 1) put(0, MORE, swapped);
    else require(!(swapped && get(1, MORE)));
  } else {
    late(rank);
    put(0, DATA, rank);
    put(1, DATA, rank);
  }
}

/* No bug, for the cost of an execution: 12 orders, and next to nothing in each. */
static void orders(void) {
  if (rank == 0) {
    for (int i = 0; i < 4; i++) get(ANY, DATA);
  } else {
    put(0, DATA, rank);
    if (rank == 1) put(0, DATA, rank);
  }
}

static const struct bug {
  const char *name;
  int ranks;
  void (*run)(void);
} BUGS[] = {
  {"lost_update_3", 3, lost_update},       {"lost_update_5", 5, lost_update},
  {"wrong_worker_3", 3, wrong_worker_stopped}, {"wrong_worker_6", 6, wrong_worker_stopped},
  {"buffer_reused_3", 3, buffer_reused},   {"buffer_reused_5", 5, buffer_reused},
  {"phases_mixed_4", 4, phases_mixed},     {"phases_mixed_8", 8, phases_mixed},
  {"wildcard_deadlock_3", 3, deadlock_by_wildcard}, {"wildcard_deadlock_8", 8, deadlock_by_wildcard},
  {"collective_count_3", 3, collective_count}, {"collective_count_6", 6, collective_count},
  {"reply_to_last_4", 4, reply_to_last},   {"first_is_best_4", 4, first_is_best},
  {"first_is_best_16", 16, first_is_best}, {"numbers_rise_3", 3, numbers_rise},
  {"early_end_3", 3, early_end},           {"early_end_6", 6, early_end},
  {"two_leaders_4", 4, two_leaders},       {"any_tag_3", 3, any_tag},
  {"any_tag_8", 8, any_tag},               {"pipeline_skipped_4", 4, pipeline_skipped},
  {"torn_write_3", 3, torn_write},         {"torn_write_5", 5, torn_write},
  {"barrier_by_hand_4", 4, barrier_by_hand}, {"stale_value_4", 4, stale_value},
  {"used_before_made_3", 3, used_before_made}, {"used_before_made_6", 6, used_before_made},
  {"mean_of_none_3", 3, mean_of_none},     {"one_does_all_4", 4, one_does_all},
  {"reversed_4", 4, reversed},             {"both_swapped_4", 4, both_swapped},
};

int main(int argc, char **argv) {
  enum { COUNT = sizeof BUGS / sizeof *BUGS };
  if (argc < 2) {
    for (int i = 0; i < COUNT; i++) printf("%s %d\n", BUGS[i].name, BUGS[i].ranks);
    return 0;
  }
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < COUNT; i++)
    if (strcmp(argv[1], BUGS[i].name) == 0) BUGS[i].run();
  if (strcmp(argv[1], "orders_4") == 0) orders();
  MPI_Finalize();
  return 0;
}
