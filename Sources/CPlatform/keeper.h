/// A thread of the host for what must not wait for the main one, nor keep it waiting: it ends what
/// widgets left behind, and has another guardian take the place of one that died. It sleeps until
/// there is something.
#ifndef KEEPER_H
#define KEEPER_H

#include <stdint.h>

/// Ends everything that carries the mark of a run that is over; returns at once.
void keeper_sweep(uint64_t run);

/// Looks after the guardian from now on, which is another one than before.
void keeper_watch_guardian(void);

#endif
