/// A small process that outlives the host and ends the widgets' groups when it is gone, however it
/// went: the death signal reaches the process that was spawned, not what that one started.
#ifndef GUARDIAN_H
#define GUARDIAN_H

#include <sys/types.h>

/// Notes a process group; the first call starts the guardian. From the spawning thread alone.
void guardian_add(pid_t group);

/// Forgets a process group that was killed and collected.
void guardian_remove(pid_t group);

#endif
