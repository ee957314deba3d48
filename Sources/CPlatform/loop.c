#include "CPlatformLoop.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "watchdog.h"

// Exported by libdispatch for CFRunLoop ("4CF"), on Linux too, and declared in none of its headers.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

enum { MOST_AT_ONCE = 64 };

int platform_loop_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int platform_loop_add(int loop, int descriptor, uint64_t token, int reads, int writes) {
  struct epoll_event event = {.data.u64 = token};
  if (reads) event.events |= EPOLLIN;
  if (writes) event.events |= EPOLLOUT;
  return epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

void platform_loop_remove(int loop, int descriptor) {
  (void)epoll_ctl(loop, EPOLL_CTL_DEL, descriptor, NULL);
}

int platform_loop_wait(int loop, platform_readiness *ready, int capacity, int waits) {
  struct epoll_event events[MOST_AT_ONCE];
  int most = capacity < MOST_AT_ONCE ? capacity : MOST_AT_ONCE;
  watchdog_begin_wait();
  int count = epoll_wait(loop, events, most, waits ? -1 : 0);
  watchdog_end_wait();
  for (int i = 0; i < count; i++) {
    uint32_t bits = events[i].events;
    // Errors and hang-ups make both ready: reading and writing return the error.
    int failed = (bits & (EPOLLHUP | EPOLLERR)) != 0;
    ready[i].token = events[i].data.u64;
    ready[i].can_read = failed || (bits & EPOLLIN);
    ready[i].can_write = failed || (bits & EPOLLOUT);
  }
  return count < 0 ? 0 : count;
}

int platform_timer_create(void) {
  return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

void platform_timer_set(int timer, int64_t nanoseconds) {
  struct itimerspec spec = {0};
  if (nanoseconds > 0) {
    spec.it_value.tv_sec = nanoseconds / 1000000000;
    spec.it_value.tv_nsec = nanoseconds % 1000000000;
  }
  (void)timerfd_settime(timer, 0, &spec, NULL);
}

int platform_main_queue_descriptor(void) { return _dispatch_get_main_queue_handle_4CF(); }

void platform_main_queue_drain(void) { _dispatch_main_queue_callback_4CF(NULL); }

int platform_counter_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void platform_counter_clear(int descriptor) {
  uint64_t count;
  (void)!read(descriptor, &count, sizeof count);
}

int platform_signal_watch(const int *numbers, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t index = 0; index < count; index++) sigaddset(&set, numbers[index]);
  // Blocked in this thread and those that it starts, so that signals stay pending.
  int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (error) {
    errno = error;
    return -1;
  }
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void platform_signal_take(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  (void)sigtimedwait(&set, NULL, &(struct timespec){0});
}

int platform_signal_next(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}
