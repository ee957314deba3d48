/// A small process that outlives the host. When the host is gone, however it went, it ends the
/// widgets' processes and gives the terminal back: the death signal reaches only the process that
/// was spawned, and of kill −9 the host itself learns nothing.
#ifndef GUARDIAN_H
#define GUARDIAN_H

#include <sys/types.h>

/// Starts the guardian where there is none; returns a pidfd on it, or −1 where it cannot be.
///
/// The descriptor belongs to the guardian and is valid until `guardian_replace`.
int guardian_start(void);

/// Starts the guardian, or another one in its place, that holds the remembered terminal.
void guardian_hold_terminal(void);

/// Collects a guardian that has died and starts another; returns its pidfd, or −1.
int guardian_replace(void);

/// Notes a process group.
void guardian_add(pid_t group);

/// Forgets a process group that was killed and collected.
void guardian_remove(pid_t group);

#endif
