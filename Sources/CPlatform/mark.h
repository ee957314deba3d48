/// A mark that a widget's processes carry, whatever they do: fork, exec, setsid, another parent, an
/// empty environment.
///
/// It is the hard limit of RLIMIT_LOCKS, which Linux has ignored since 2.4.25 (getrlimit(2)),
/// inherits, shows of a zombie too, and lets nobody raise again. What lowers it on purpose gets
/// away: only a namespace holds that.
#ifndef MARK_H
#define MARK_H

#include <stddef.h>
#include <stdint.h>

/// Chooses what this host's marks have in common; before a fork of what is to know it.
void mark_prepare(void);

/// A mark for a new run, not 0, that no other run of this or another host has.
uint64_t mark_new_run(void);

/// Marks the calling process. Async-signal-safe.
void mark_self(uint64_t run);

/// Kills what carries the mark of one of these runs, and what that starts meanwhile, until two looks
/// at /proc find nothing more. Async-signal-safe; not for two threads at once.
void mark_kill(const uint64_t *runs, size_t count);

/// The same for all runs of this host, those of after a fork too.
void mark_kill_all(void);

#endif
