#include "warden.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "title.h"

enum {
  /// The milliseconds between two looks whether a guardian that was killed has been replaced.
  LOOK = 100,
  /// The milliseconds that a guardian has to end what the host left; it may wait a second for the terminal.
  PATIENCE = 3000,
};

struct guarded *guarded_new(void) {
  void *memory =
    mmap(NULL, sizeof(struct guarded), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void guarded_forget(struct guarded *guarded) {
  if (guarded) (void)munmap(guarded, sizeof *guarded);
}

void guarded_note(struct guarded *guarded, pid_t value) {
  size_t count = guarded->group_count;
  if (value > 0) {
    if (count == GUARDED_LIMIT) return;
    guarded->groups[count] = value;
    guarded->group_count = count + 1;
    return;
  }
  for (size_t index = 0; index < count; index++) {
    if (guarded->groups[index] != -value) continue;
    guarded->groups[index] = guarded->groups[count - 1];
    guarded->group_count = count - 1;
    return;
  }
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// Waits for at most some milliseconds until a process has ended; −1 waits for ever.
static int has_ended(int process, int milliseconds) {
  struct pollfd end = {.fd = process, .events = POLLIN};
  return poll(&end, 1, milliseconds) > 0 && (end.revents & POLLIN) != 0;
}

/// Waits until the host and the guardian have ended, and does what the guardian has not done.
static void watch(struct guarded *guarded, int host, int guardian, void (*finish)(void)) {
  struct pollfd ends[2] = {{.fd = guardian, .events = POLLIN}, {.fd = host, .events = POLLIN}};
  while (poll(ends, 2, -1) <= 0) continue;
  if (!ends[1].revents) {
    // The guardian was killed. The host starts another one, unless it is killed before that.
    while (!guarded->is_over && !has_ended(host, LOOK)) continue;
  } else {
    // The guardian ends what the host left, unless it cannot.
    int64_t last = now() + PATIENCE;
    int64_t rest;
    while (!guarded->is_over && !guarded->is_done && (rest = last - now()) > 0) {
      if (has_ended(guardian, (int)rest)) break;
    }
  }
  if (!guarded->is_over && !guarded->is_done) finish();
}

int warden_start(struct guarded *guarded, int host, void (*finish)(void)) {
  if (host < 0) return -1;
  int guardian = pidfd_open(getpid(), 0);
  if (guardian < 0) return -1;
  pid_t parent = getpid();
  pid_t pid = _Fork();
  if (pid == 0) {
    // The guardian has the end of the pipe from the host alone, so that writing to a dead one is an error.
    (void)close(0);
    (void)setsid();
    (void)prctl(PR_SET_PDEATHSIG, SIGCONT);
    title_set("widget-warden", "today: warden");
    if (getppid() == parent || !guarded->is_over) watch(guarded, host, guardian, finish);
    _exit(0);
  }
  (void)close(guardian);
  return pid > 0 ? pidfd_open(pid, 0) : -1;
}
