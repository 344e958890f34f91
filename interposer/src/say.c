/* What is said to the user from inside a rank, and the time without the program's clocks. */
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rank.h"

uint64_t now_nanos(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void complain(const char *format, ...) {
  char line[600];
  va_list arguments;
  va_start(arguments, format);
  int n = snprintf(line, sizeof line, "reprise: rank %u: ", trace.rank);
  n += vsnprintf(line + n, sizeof line - (size_t)n - 1, format, arguments);
  va_end(arguments);
  if (n > (int)sizeof line - 2) n = sizeof line - 2;
  line[n++] = '\n';
  if (write(2, line, (size_t)n) < 0) return; /* nowhere left to say it */
}
