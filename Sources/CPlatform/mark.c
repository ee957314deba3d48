#include "mark.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "processes.h"

enum { RUN_BITS = 24, HOST_BITS = 38, KILLED_LIMIT = 4096, LOOK_LIMIT = 1000, SPARED_LIMIT = 64 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t host;
static _Atomic uint64_t runs_made;

/// Processes that were killed; they are listed in /proc until they are collected.
static pid_t killed[KILLED_LIMIT];
static size_t killed_count;

/// Runs that continue when the host exits.
static uint64_t spared[SPARED_LIMIT];
static _Atomic size_t spared_count;

static void choose_host(void) {
  if (getrandom(&host, sizeof host, GRND_NONBLOCK) != (ssize_t)sizeof host) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    host = (uint64_t)now.tv_nsec ^ ((uint64_t)getpid() << 30) ^ (uint64_t)now.tv_sec;
  }
  host &= ((uint64_t)1 << HOST_BITS) - 1;
  // A host inside the widget of another host can only set a lower limit.
  struct rlimit bound;
  if (getrlimit(RLIMIT_LOCKS, &bound) == 0 && bound.rlim_max != RLIM_INFINITY) {
    uint64_t most = bound.rlim_max >> RUN_BITS;
    if (most > 0) host %= most;
  }
  // 0 would match every process with a small limit.
  if (host == 0) host = 1;
}

void mark_prepare(void) { (void)pthread_once(&once, choose_host); }

uint64_t mark_new_run(void) {
  mark_prepare();
  uint64_t number = ++runs_made & (((uint64_t)1 << RUN_BITS) - 1);
  return host << RUN_BITS | (number ? number : 1);
}

void mark_adopt(uint64_t run) {
  // A host that has marks of its own keeps them.
  if (host == 0) host = run >> RUN_BITS;
}

void mark_self(uint64_t run) {
  struct rlimit mark = {.rlim_cur = run, .rlim_max = run};
  (void)setrlimit(RLIMIT_LOCKS, &mark);
}

int mark_spare(uint64_t run) {
  size_t count = spared_count;
  if (count == SPARED_LIMIT) return 0;
  spared[count] = run;
  spared_count = count + 1;
  return 1;
}

/// Whether a process has one of the marks; if `runs` is NULL, any mark of this host but the spared ones.
static int is_marked(pid_t pid, const uint64_t *runs, size_t count) {
  struct rlimit mark;
  if (prlimit(pid, RLIMIT_LOCKS, NULL, &mark) < 0 || mark.rlim_max >> RUN_BITS != host) return 0;
  int is_any = !runs;
  if (is_any) {
    runs = spared;
    count = spared_count;
  }
  for (size_t index = 0; index < count; index++) {
    if (runs[index] == mark.rlim_max) return !is_any;
  }
  return is_any;
}

static int was_killed(pid_t pid) {
  size_t count = killed_count < KILLED_LIMIT ? killed_count : KILLED_LIMIT;
  for (size_t index = 0; index < count; index++) {
    if (killed[index] == pid) return 1;
  }
  return 0;
}

/// Kills a process if it is marked; returns 1 if it was killed now.
static int end(pid_t pid, const uint64_t *runs, size_t count) {
  if (!is_marked(pid, runs, count) || was_killed(pid)) return 0;
  int pidfd = pidfd_open(pid, 0);
  if (pidfd < 0) return 0;
  // Checked again, as the number cannot be reused from now on.
  int is_one = is_marked(pid, runs, count) && pidfd_send_signal(pidfd, SIGKILL, NULL, 0) == 0;
  close(pidfd);
  if (is_one) killed[killed_count++ % KILLED_LIMIT] = pid;
  return is_one;
}

struct search {
  const uint64_t *runs;
  size_t count;
  /// The calling process.
  pid_t self;
  size_t ended;
};

static void end_if_marked(pid_t pid, void *context) {
  struct search *search = context;
  if (pid != search->self) search->ended += (size_t)end(pid, search->runs, search->count);
}

/// Scans all processes once; returns how many were killed.
static size_t look(const uint64_t *runs, size_t count) {
  static _Alignas(struct dirent64) char entries[16 * 1024];
  struct search search = {.runs = runs, .count = count, .self = getpid()};
  (void)each_process(entries, sizeof entries, end_if_marked, &search);
  return search.ended;
}

static void kill_marked(const uint64_t *runs, size_t count) {
  killed_count = 0;
  int clean = 0;
  for (int looks = 0; clean < 2 && looks < LOOK_LIMIT; looks++) {
    clean = look(runs, count) == 0 ? clean + 1 : 0;
  }
}

void mark_kill(const uint64_t *runs, size_t count) {
  if (count > 0) kill_marked(runs, count);
}

void mark_kill_all(void) {
  if (host != 0) kill_marked(NULL, 0);
}
