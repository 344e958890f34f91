/* A race on all ranks at once, of which one does not see the end. */
#ifndef CONFORMANCE_DOOMED_H
#define CONFORMANCE_DOOMED_H

#include "hash.h"

/*
 * Every rank sends to all and receives from any. Returns on one rank only, the one named by the program's first
 * argument (default: the last), after as many receives as the second says (default 10), with more receives open. The
 * others go on until they are killed.
 */
void receive_until_doom(int argc, char **argv, struct hash *h);

#endif
