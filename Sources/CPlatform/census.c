#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "CPlatform.h"
#include "processes.h"

enum { SIGNALED_LIMIT = 4096, LOOK_LIMIT = 100 };

/// The index of the run that a process belongs to; −1 if none.
///
/// The mark is read first, as this is a single call without a file, also for the thousands of other
/// processes.
static int run_of(pid_t pid, const platform_run *runs, size_t count) {
  struct rlimit mark;
  // A process that cannot be queried could not be signalled either.
  if (prlimit(pid, RLIMIT_LOCKS, NULL, &mark) < 0) return -1;
  pid_t group = getpgid(pid);
  for (size_t index = 0; index < count; index++) {
    if (runs[index].mark && runs[index].mark == mark.rlim_max) return (int)index;
    if (runs[index].leader == group) return (int)index;
  }
  return -1;
}

struct search {
  const platform_run *runs;
  size_t count;
  void (*body)(pid_t pid, size_t run, void *context);
  void *context;
};

static void find_run(pid_t pid, void *context) {
  const struct search *search = context;
  int run = run_of(pid, search->runs, search->count);
  if (run >= 0) search->body(pid, (size_t)run, search->context);
}

/// Calls `body` for each process of one of the runs; returns 0 if /proc cannot be read.
static int look(const platform_run *runs, size_t count,
                void (*body)(pid_t pid, size_t run, void *context), void *context) {
  _Alignas(struct dirent64) char entries[8 * 1024];
  struct search search = {runs, count, body, context};
  return each_process(entries, sizeof entries, find_run, &search);
}

int platform_shares_mark(pid_t pid) {
  struct rlimit its, own;
  return prlimit(pid, RLIMIT_LOCKS, NULL, &its) == 0 && getrlimit(RLIMIT_LOCKS, &own) == 0
         && its.rlim_max == own.rlim_max;
}

struct list {
  platform_member *members;
  size_t capacity;
  size_t count;
};

static void add(pid_t pid, size_t run, void *context) {
  struct list *list = context;
  if (list->count < list->capacity) {
    list->members[list->count] = (platform_member){.pid = pid, .run = run};
  }
  list->count++;
}

size_t platform_members(const platform_run *runs, size_t count, platform_member *members,
                        size_t capacity) {
  struct list list = {.members = members, .capacity = capacity};
  if (count > 0) (void)look(runs, count, add, &list);
  return list.count;
}

struct round {
  const platform_run *run;
  int signal;
  pid_t signaled[SIGNALED_LIMIT];
  size_t count;
  int is_clean;
};

static void signal_stray(pid_t pid, size_t unused, void *context) {
  (void)unused;
  struct round *round = context;
  if (pid == getpid() || getpgid(pid) == round->run->leader) return;
  for (size_t index = 0; index < round->count; index++) {
    if (round->signaled[index] == pid) return;
  }
  int pidfd = pidfd_open(pid, 0);
  if (pidfd < 0) return;
  // Checked again, as the number cannot be reused from now on.
  if (run_of(pid, round->run, 1) == 0 && round->count < SIGNALED_LIMIT
      && pidfd_send_signal(pidfd, round->signal, NULL, 0) == 0) {
    round->signaled[round->count++] = pid;
    round->is_clean = 0;
  }
  close(pidfd);
}

size_t platform_signal_strays(const platform_run *run, int signal) {
  static _Thread_local struct round round;
  round.run = run;
  round.signal = signal;
  round.count = 0;
  int clean = 0;
  // Processes may have started others before they were stopped.
  for (int looks = 0; clean < 2 && looks < LOOK_LIMIT; looks++) {
    round.is_clean = 1;
    if (!look(run, 1, signal_stray, &round)) break;
    clean = round.is_clean ? clean + 1 : 0;
    if (round.count == 0 || signal == SIGCONT) break;
  }
  return round.count;
}

struct follower_signal {
  const platform_run *run;
  int signal;
  size_t count;
};

static void signal_follower(pid_t pid, size_t unused, void *context) {
  (void)unused;
  struct follower_signal *sending = context;
  if (pid == sending->run->leader || pid == getpid()) return;
  int pidfd = pidfd_open(pid, 0);
  if (pidfd < 0) return;
  // Checked again, as the number cannot be reused from now on.
  if (run_of(pid, sending->run, 1) == 0
      && pidfd_send_signal(pidfd, sending->signal, NULL, 0) == 0) {
    sending->count++;
  }
  close(pidfd);
}

size_t platform_signal_followers(const platform_run *run, int signal) {
  struct follower_signal sending = {.run = run, .signal = signal};
  (void)look(run, 1, signal_follower, &sending);
  return sending.count;
}
