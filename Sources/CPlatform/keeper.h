/// A thread of the host that kills the processes that widgets left, so that the main thread does not
/// wait for it.
#ifndef KEEPER_H
#define KEEPER_H

#include <stdint.h>

/// Starts the thread, before widgets could use up the threads of the user.
void keeper_prepare(void);

/// Kills all processes with the mark of a run that has ended; returns immediately.
void keeper_sweep(uint64_t run);

/// Kills all processes with a mark of this host, when the host exits.
///
/// Returns 0 if the thread was busy for too long, so that processes may be left.
int keeper_finish(void);

#endif
