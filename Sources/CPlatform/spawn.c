#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guardian.h"
#include "keeper.h"
#include "mark.h"
#include "terminal.h"

/// A request to the spawning thread, and its answer.
struct job {
  const platform_spawn_request *request;
  platform_child child;
  int error;
  int done;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct job *waiting;

/// Enough for a thousand widgets; the table of a process grows with its highest descriptor.
enum { DESCRIPTOR_LIMIT = 16 * 1024 };

static void limit(int resource, uint64_t value) {
  if (value == 0) return;
  struct rlimit bound = {.rlim_cur = value, .rlim_max = value};
  (void)setrlimit((__rlimit_resource_t)resource, &bound);
}

/// The soft limit of descriptors that the program was started with; 0 if it was not raised.
static rlim_t descriptors_before;

int platform_raise_descriptor_limit(void) {
  struct rlimit bound;
  if (getrlimit(RLIMIT_NOFILE, &bound) < 0) return errno;
  rlim_t most = bound.rlim_max < DESCRIPTOR_LIMIT ? bound.rlim_max : DESCRIPTOR_LIMIT;
  if (bound.rlim_cur >= most) return 0;
  descriptors_before = bound.rlim_cur;
  bound.rlim_cur = most;
  return setrlimit(RLIMIT_NOFILE, &bound) == 0 ? 0 : errno;
}

/// Restores the soft limit that the program was started with, as select(2) in a child is limited to
/// descriptors below 1,024.
static void restore_descriptor_limit(void) {
  struct rlimit bound;
  if (descriptors_before == 0 || getrlimit(RLIMIT_NOFILE, &bound) < 0) return;
  bound.rlim_cur = descriptors_before;
  (void)setrlimit(RLIMIT_NOFILE, &bound);
}

/// Moves the streams to descriptors 0 to 2 and the inputs to those after them, also if they occupy
/// each other's numbers; returns the first descriptor after them, or -1.
static int place_descriptors(const platform_spawn_request *request) {
  if (request->input_count > PLATFORM_INPUT_LIMIT) {
    errno = EINVAL;
    return -1;
  }
  int moved[3 + PLATFORM_INPUT_LIMIT];
  int count = 3 + (int)request->input_count;
  for (int index = 0; index < count; index++) {
    int source = index < 3 ? request->streams[index] : request->inputs[index - 3];
    moved[index] = source;
    if (source >= 0 && source < count) {
      moved[index] = fcntl(source, F_DUPFD_CLOEXEC, count);
      if (moved[index] < 0) return -1;
    }
  }
  for (int index = 0; index < count; index++) {
    if (moved[index] >= 0 && dup2(moved[index], index) < 0) return -1;
  }
  return count;
}

/// Runs in the child from vfork to exec; only async-signal-safe calls. Returns on failure.
///
/// Without a guardian the child gets a death signal. With one it does not, as its work may continue for a
/// moment after the host.
static void become(const platform_spawn_request *request, uint64_t run, pid_t parent,
                   int has_guardian) {
  struct sigaction plain = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) (void)sigaction(number, &plain, NULL);
  if (request->new_session && setsid() < 0) return;
  if (request->foreground_terminal >= 0) {
    // Not in a new session, so this is a new group in the session of the terminal. SIGTTOU is still
    // blocked here, so the group can take the terminal while it is in the background.
    (void)setpgid(0, 0);
    (void)tcsetpgrp(request->foreground_terminal, getpid());
  }
  int first_free = place_descriptors(request);
  if (first_free < 0) return;
  if (close_range((unsigned)first_free, ~0U, 0) < 0) return;
  if (request->directory && chdir(request->directory) < 0) return;
  struct rlimit none_at_all = {0};
  (void)setrlimit(RLIMIT_CORE, &none_at_all);
  limit(RLIMIT_AS, request->memory_limit);
  limit(RLIMIT_FSIZE, request->file_size_limit);
  if (request->descriptor_limit) limit(RLIMIT_NOFILE, request->descriptor_limit);
  else restore_descriptor_limit();
  if (request->is_contained) {
    mark_self(run);
    if (!has_guardian && prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return;
    // The parent may have exited before the call above.
    if (getppid() != parent) _exit(127);
  }
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  (void)execve(request->path, request->arguments, request->environment);
}

/// Where a child with a control group leaves the error of its exec; NULL until there was one.
///
/// Such a child has a copy of the memory, as clone3 with CLONE_VM would need a stack and code of its own.
static volatile int *failure_of_clone;

/// Forks a process that starts in a control group and runs `become`; returns its number, or −1.
///
/// Moving a process into a group afterwards waits for all processors, for up to 20 ms.
static pid_t clone_into_group(const platform_spawn_request *request, uint64_t run, pid_t parent,
                              int has_guardian, int *failure) {
  if (!failure_of_clone) {
    void *page = mmap(NULL, sizeof *failure_of_clone, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return -1;
    failure_of_clone = page;
  }
  *failure_of_clone = 0;
  struct clone_args arguments = {
    .flags = CLONE_INTO_CGROUP | CLONE_VFORK,
    .exit_signal = SIGCHLD,
    .cgroup = (uint64_t)request->control_group,
  };
  pid_t pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
  if (pid == 0) {
    become(request, run, parent, has_guardian);
    *failure_of_clone = errno ? errno : EINVAL;
    _exit(127);
  }
  if (pid > 0) *failure = *failure_of_clone;
  return pid;
}

static void spawn(struct job *job) {
  // No signal handler of the parent may run in the child, which shares its memory until exec.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  volatile int failure = 0;
  uint64_t run = job->request->is_contained ? mark_new_run() : 0;
  // Before the child, so that nothing is left if the host is killed right after the fork.
  int has_guardian = 0;
  if (run) keeper_prepare();
  if (run || job->request->ends_with_parent) has_guardian = guardian_start();
  pid_t pid = -1;
  int group_error = 0;
  if (job->request->control_group >= 0) {
    int exec_failure = 0;
    pid = clone_into_group(job->request, run, parent, has_guardian, &exec_failure);
    if (pid < 0) group_error = errno;
    failure = exec_failure;
  }
  if (pid < 0) {
    pid = vfork();
    if (pid == 0) {
      become(job->request, run, parent, has_guardian);
      failure = errno ? errno : EINVAL;
      _exit(127);
    }
  }
  if (pid < 0) failure = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (pid > 0 && failure) (void)waitpid(pid, NULL, 0);
  if (!failure) {
    job->child = (platform_child){
      .pid = pid, .pidfd = pidfd_open(pid, 0), .run = run, .group_error = group_error};
    if (job->child.pidfd < 0) {
      failure = errno;
      kill(pid, SIGKILL);
      (void)waitpid(pid, NULL, 0);
    }
  }
  job->child.ends_with_parent = !failure && (run || job->request->ends_with_parent);
  if (job->child.ends_with_parent) guardian_add(pid);
  if (!failure && job->request->foreground_terminal >= 0) terminal_lend(pid);
  job->error = failure;
}

static void *serve(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!waiting) pthread_cond_wait(&changed, &lock);
    struct job *job = waiting;
    waiting = NULL;
    spawn(job);
    job->done = 1;
    pthread_cond_broadcast(&changed);
  }
  return NULL;
}

static void start_thread(void) {
  if (platform_thread_start(serve, NULL, 128 * 1024) != 0) abort();
}

int platform_spawn(const platform_spawn_request *request, platform_child *child) {
  struct job job = {.request = request, .child = {.pidfd = -1}};
  pthread_mutex_lock(&lock);
  if (gettid() == getpid()) {
    // The main thread lives as long as the spawning thread: two changes of threads are saved.
    spawn(&job);
    pthread_mutex_unlock(&lock);
    *child = job.child;
    return job.error;
  }
  pthread_once(&once, start_thread);
  while (waiting) pthread_cond_wait(&changed, &lock);
  waiting = &job;
  pthread_cond_broadcast(&changed);
  while (!job.done) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  *child = job.child;
  return job.error;
}
