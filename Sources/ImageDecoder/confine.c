#include <errno.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "decoder.h"

/// Bytes of address space: a picture of the most pixels, twice, and the libraries.
static const rlim_t memory_limit = 1u << 30;

/// Memory, time and the two streams; every other call fails with EPERM.
static const int allowed[] = {
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap),
    SCMP_SYS(mprotect), SCMP_SYS(brk), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(exit),
    SCMP_SYS(exit_group), SCMP_SYS(clock_gettime), SCMP_SYS(getrusage), SCMP_SYS(setrlimit),
    SCMP_SYS(prlimit64), SCMP_SYS(getrandom), SCMP_SYS(gettid), SCMP_SYS(getpid),
    SCMP_SYS(tgkill), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(restart_syscall), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
};

static void limit(int resource, rlim_t value) {
  struct rlimit bound = {.rlim_cur = value, .rlim_max = value};
  (void)setrlimit((__rlimit_resource_t)resource, &bound);
}

/// Returns 0 or errno; 0 also where the kernel has no filters.
static int filter_calls(void) {
  // Ends the program at a call of another kind of processor.
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (filter == NULL) return ENOMEM;
  // The error of the kernel, not one of the library.
  int result = seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1);
  if (result == 0) result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  for (size_t index = 0; result == 0 && index < sizeof allowed / sizeof allowed[0]; index++) {
    result = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, allowed[index], 0, NULL);
  }
  if (result == 0) {
    result = seccomp_load(filter);
    // A kernel without filters; the limits apply. The library's own EINVAL, above, is a failure.
    if (result == -EINVAL) result = 0;
  }
  seccomp_release(filter);
  return -result;
}

int decoder_confine(void) {
  limit(RLIMIT_AS, memory_limit);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NPROC, 0);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return errno;
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  return filter_calls();
}
