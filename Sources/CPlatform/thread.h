/// Threads of the host's own that never end.
#ifndef THREAD_H
#define THREAD_H

#include <stddef.h>

/// Starts a detached thread that gets no signals: those are for the thread of the event loop.
///
/// Returns 0 or an errno.
int thread_start(void *(*body)(void *), size_t stack_size);

#endif
