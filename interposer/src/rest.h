/* rest.c: who ends the job waits until no other rank can go on. Without REPRISE_REST nobody does. */
#ifndef REPRISE_REST_H
#define REPRISE_REST_H

#include "rank.h"

#pragma GCC visibility push(hidden)

void rest_begin(const char *run);
void rest_await(bool progress); /* progress: the library may be called */

#pragma GCC visibility pop

#endif
