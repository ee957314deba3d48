/// What the event loop waits with: epoll, one timer, and the main queue.
#ifndef CPLATFORM_LOOP_H
#define CPLATFORM_LOOP_H

#include <stddef.h>
#include <stdint.h>

/// A descriptor of the loop that became ready.
typedef struct platform_readiness {
  /// What the descriptor was added with.
  uint64_t token;
  /// Nonzero: there is something to read, or its end; nonzero: there is room to write, or nobody reads.
  int can_read;
  int can_write;
} platform_readiness;

/// Makes an epoll descriptor that is closed on exec; Swift does not import epoll. −1 on failure.
int platform_loop_create(void);

/// Waits for a descriptor from now on. Returns 0 or errno; EPERM: a regular file, which is always ready.
int platform_loop_add(int loop, int descriptor, uint64_t token, int reads, int writes);

/// Waits for a descriptor no longer.
void platform_loop_remove(int loop, int descriptor);

/// Waits until something is ready, or not at all where `waits` is 0.
///
/// Returns the number of entries written to `ready`; 0 after a signal.
int platform_loop_wait(int loop, platform_readiness *_Nonnull ready, int capacity, int waits);

/// Makes a timer on the clock that goes on while the machine sleeps; −1 on failure.
int platform_timer_create(void);

/// Sets the timer to so many nanoseconds from now, at least 1; 0 stops it.
void platform_timer_set(int timer, int64_t nanoseconds);

/// A descriptor that is readable while the main queue has work.
///
/// libdispatch offers it to run loops of other libraries, CoreFoundation's first; Swift does not see it.
int platform_main_queue_descriptor(void);

/// Runs the work of the main queue; only on the main thread.
void platform_main_queue_drain(void);

/// Makes a descriptor that is readable while one of these signals is pending, and blocks them.
///
/// Call it on the main thread. Returns −1 with errno on failure.
int platform_signal_watch(const int *_Nonnull numbers, size_t count);

/// Takes the next pending signal; 0 if none is.
int platform_signal_next(int descriptor);

/// Starts a thread that never ends and gets no signals.
///
/// `body` is called with `context` once. Returns 0 or errno.
int platform_thread_start(void *_Nullable (*_Nonnull body)(void *_Nullable), void *_Nullable context,
                          size_t stack_size);

/// Empties a timer's or the main queue's counter, so that it is not ready any more.
void platform_counter_clear(int descriptor);

#endif
