/// A thread of the host for what must not keep the main one waiting: it ends what widgets left
/// behind. It sleeps until there is something.
#ifndef KEEPER_H
#define KEEPER_H

#include <stdint.h>

/// Starts the thread, before there is a widget that could leave it none.
void keeper_prepare(void);

/// Ends everything that carries the mark of a run that is over; returns at once.
void keeper_sweep(uint64_t run);

/// Ends everything that carries the mark of any run of this host, now, for a host that exits.
///
/// Returns 0 if the thread was busy for too long and not everything may have been ended.
int keeper_finish(void);

#endif
