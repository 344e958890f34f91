/* Inputs from outside: the store (inputs.c) and the functions that read them (sources.c). */
#ifndef REPRISE_INPUTS_H
#define REPRISE_INPUTS_H

#include <time.h>

#include "rank.h"

/* Of a rank's life. */
void inputs_begin(const char *run, int rank_number);
void inputs_finish(void);
void inputs_off(void);
void inputs_forget_file(void);

/* True if this read is the program's own and inputs are being recorded or replayed. */
bool inputs_wanted(const void *caller);
#define WANTED inputs_wanted(__builtin_return_address(0))

/* Each records `now` and returns it, or returns the recorded value in its place. */
int64_t input_clock(unsigned clock, int64_t now_nanos);
int64_t input_time(int64_t now_seconds);
int64_t input_microseconds(int64_t now);
int64_t input_cpu(int64_t now);
int input_pid(int now);
size_t input_bytes(void *bytes, size_t length); /* how many of them count */
double input_wtime(double now);
struct timespec deadline(const struct timespec *recorded); /* the same distance from the real time of day */
int pid_meant(int pid); /* a replayed program that names itself by its recorded number means this process */

#endif
