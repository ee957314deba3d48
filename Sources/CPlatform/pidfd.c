#include "CPlatform.h"

#include <sys/mman.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guardian.h"
#include "keeper.h"

int platform_signal_group(pid_t pid, int signal) {
  if (kill(-pid, signal) == 0) return 0;
  return kill(pid, signal) == 0 ? 0 : errno;
}

int platform_reap(const platform_child *child, platform_exit *result) {
  siginfo_t info = {0};
  int failure = 0;
  if (waitid(P_PIDFD, (id_t)child->pidfd, &info, WEXITED | WNOWAIT | WNOHANG) < 0) failure = errno;
  if (!failure && info.si_pid == 0) return EAGAIN;
  // After a failure the number may have been reused; the mark is still valid.
  if (!failure && child->run) (void)kill(-child->pid, SIGKILL);
  struct rusage usage = {0};
  int status = 0;
  if (!failure) {
    pid_t waited;
    do {
      waited = wait4(child->pid, &status, 0, &usage);
    } while (waited < 0 && errno == EINTR);
    if (waited < 0) failure = errno;
  }
  if (child->ends_with_parent) guardian_remove(child->pid);
  if (child->run) keeper_sweep(child->run);
  if (failure) return failure;
  result->signaled = WIFSIGNALED(status);
  result->code = result->signaled ? WTERMSIG(status) : WEXITSTATUS(status);
  result->cpu_microseconds = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000
                             + (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  return 0;
}

int platform_memory_file(void) { return memfd_create("input", MFD_CLOEXEC); }

int platform_pipe(int *ends) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }

int platform_pipe_bytes(int descriptor) {
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

void platform_pipe_shrink(int descriptor) { (void)fcntl(descriptor, F_SETPIPE_SZ, 1); }

char **platform_environment(void) { return environ; }
