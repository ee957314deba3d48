/// A mark that all processes of a widget inherit, also through fork, exec, setsid, another parent and
/// an empty environment.
///
/// It is the hard limit of RLIMIT_LOCKS, which Linux has ignored since 2.4.25 (getrlimit(2)). It is
/// inherited, can be read of a zombie, and cannot be raised. A process that lowers it escapes; only
/// a namespace could prevent that.
#ifndef MARK_H
#define MARK_H

#include <stddef.h>
#include <stdint.h>

/// Chooses the common part of this host's marks; call it before the guardian is forked.
void mark_prepare(void);

/// A mark for a new run, not 0, that no other run of this or another host has.
uint64_t mark_new_run(void);

/// Lets this process kill what another host has marked: that of a run which it takes over.
void mark_adopt(uint64_t run);

/// Marks the calling process. Async-signal-safe.
void mark_self(uint64_t run);

/// Kills all processes with the mark of one of these runs, repeatedly, until two scans of /proc find
/// none. Async-signal-safe; not thread-safe.
void mark_kill(const uint64_t *runs, size_t count);

/// Excepts a run from mark_kill_all; returns 0 if there are too many.
int mark_spare(uint64_t run);

/// Kills all processes with a mark of this host, also of runs after a fork, except those of spared runs.
void mark_kill_all(void);

#endif
