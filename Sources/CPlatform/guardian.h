/// A small process that outlives the host. When the host has ended in any way, it kills the processes
/// of the widgets and restores the terminal, as the host cannot react to kill −9.
///
/// A thread waits for the end or the suspension of the guardian and replaces it. A guardian that is
/// stopped when the host is killed is continued by its death signal.
#ifndef GUARDIAN_H
#define GUARDIAN_H

#include <sys/types.h>

/// Starts the guardian if there is none; returns 0 if it could not be started.
int guardian_start(void);

/// Adds a process group.
void guardian_add(pid_t group);

/// Removes a process group that was killed and collected.
void guardian_remove(pid_t group);

#endif
