/* The files that the program reads, so that whoever replays it can be told which of them have changed. */
#ifndef REPRISE_READS_H
#define REPRISE_READS_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

void reads_note(int fd, bool reads); /* an open file; those that are only written do not count */
void reads_begin(const char *run, int rank_number);
void reads_on(void);
void reads_off(void); /* also in a child of the program */

#pragma GCC visibility pop

#endif
