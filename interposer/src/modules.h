/* modules.c: which of the process's modules are the program's own. */
#ifndef REPRISE_MODULES_H
#define REPRISE_MODULES_H

#include "calls.h"

#pragma GCC visibility push(hidden)

bool called_by_program(const void *return_address);
bool program_can_cancel(void);

#pragma GCC visibility pop

#endif
