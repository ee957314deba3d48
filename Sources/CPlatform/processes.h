/// All processes of the system, from /proc.
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stddef.h>
#include <sys/types.h>

/// Calls `body` with the number of each process but the first; returns 0 if /proc cannot be read.
///
/// `entries` is a buffer for getdents. Async-signal-safe, unlike opendir, which allocates.
int each_process(char *entries, size_t size, void (*body)(pid_t pid, void *context),
                 void *context);

#endif
