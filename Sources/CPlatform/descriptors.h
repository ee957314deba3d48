/// Lists of descriptors that a process keeps.
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include <stddef.h>

/// Sorts descriptors by their numbers.
void sort_descriptors(int *descriptors, size_t count);

/// Closes all descriptors but those of a sorted list, so that nothing waits for the end of this process: not a terminal
/// that is closed, nor a shell that reads the output of the host. Async-signal-safe.
void close_others(const int *kept, size_t count);

#endif
