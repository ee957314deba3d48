/// The system calls of the event loop: epoll, a timer, signals, and the main queue.
#ifndef CPLATFORM_LOOP_H
#define CPLATFORM_LOOP_H

#include <stddef.h>
#include <stdint.h>

/// A descriptor of the loop that became ready.
typedef struct platform_readiness {
  /// The value with which the descriptor was added.
  uint64_t token;
  /// Nonzero if reading, or writing, does not block; also at the end of file and on errors.
  int can_read;
  int can_write;
} platform_readiness;

/// Creates an epoll descriptor, closed on exec; −1 on failure. Swift does not import epoll.
int platform_loop_create(void);

/// Adds a descriptor. Returns 0 or errno; EPERM for a regular file, which is always ready.
int platform_loop_add(int loop, int descriptor, uint64_t token, int reads, int writes);

/// Removes a descriptor.
void platform_loop_remove(int loop, int descriptor);

/// Waits until a descriptor is ready; does not wait if `waits` is 0.
///
/// Returns the number of entries written to `ready`; 0 after a signal.
int platform_loop_wait(int loop, platform_readiness *_Nonnull ready, int capacity, int waits);

/// Creates a timer on a clock that also counts while the machine sleeps; −1 on failure.
int platform_timer_create(void);

/// Sets the timer to a number of nanoseconds from now, at least 1; 0 stops it.
void platform_timer_set(int timer, int64_t nanoseconds);

/// A descriptor that is readable while the main queue has work.
///
/// libdispatch exports it for other run loops, such as CoreFoundation; Swift does not import it.
int platform_main_queue_descriptor(void);

/// Runs all tasks on the main thread.
///
/// Those that are on no actor would have threads of Dispatch, whose manager ends the program where it cannot read
/// /proc, as without a free descriptor.
void platform_run_tasks_on_main(void);

/// Sets the counter that `platform_ring_bell` increases, which wakes the loop.
void platform_set_bell(int descriptor);

/// Wakes the loop from another thread, once more than Dispatch does for its work for the main queue, which is lost
/// if that fails.
void platform_ring_bell(void);

/// Creates a counter that is readable while it is not 0; −1 on failure. Swift does not import eventfd.
int platform_counter_create(void);

/// Runs the work of the main queue; only on the main thread.
void platform_main_queue_drain(void);

/// Creates a descriptor that is readable while one of these signals is pending, and blocks them.
///
/// Call it on the main thread. Returns −1 with errno on failure.
int platform_signal_watch(const int *_Nonnull numbers, size_t count);

/// Ends the program, after the terminal was restored, if the loop does not come round for 5 s although a descriptor
/// (the terminal, or one of `platform_signal_watch`) has become readable.
///
/// A thread waits for that. Time in which the program is stopped or gets no processor does not count, and a program
/// with a debugger is not ended.
void platform_watch_loop(int descriptor);

/// Takes the next pending signal; 0 if there is none.
int platform_signal_next(int descriptor);

/// Takes a blocked signal that is pending, so that `platform_signal_next` does not return it.
void platform_signal_take(int number);

/// Starts a thread that never ends and gets no signals.
///
/// `body` is called with `context` once. Returns 0 or errno.
int platform_thread_start(void *_Nullable (*_Nonnull body)(void *_Nullable), void *_Nullable context,
                          size_t stack_size);

/// Reads the counter of a timer or of the main queue, so that it is no longer ready.
void platform_counter_clear(int descriptor);

#endif
