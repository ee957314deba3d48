/// A small process that outlives the host. When the host is gone, however it went, it ends the
/// widgets' processes and gives the terminal back: the death signal reaches only the process that
/// was spawned, and of kill −9 the host itself learns nothing.
///
/// A guardian that died or was stopped is replaced at once by a thread that waits for that. One
/// that is stopped in the moment in which the host is killed is continued by its death signal.
#ifndef GUARDIAN_H
#define GUARDIAN_H

#include <sys/types.h>

/// Starts the guardian where there is none.
void guardian_start(void);

/// Notes a process group.
void guardian_add(pid_t group);

/// Forgets a process group that was killed and collected.
void guardian_remove(pid_t group);

#endif
