/// All processes of the machine, as /proc lists them.
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stddef.h>
#include <sys/types.h>

/// Calls `body` with the number of each process but the first; returns 0 if /proc cannot be read.
///
/// `entries` is room for what the kernel lists at once. Async-signal-safe: opendir would allocate.
int each_process(char *entries, size_t size, void (*body)(pid_t pid, void *context),
                 void *context);

#endif
