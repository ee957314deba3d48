#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "decoder.h"

#if defined(__x86_64__)
#define DECODER_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define DECODER_ARCH AUDIT_ARCH_AARCH64
#endif

/// Bytes of address space: a picture of the most pixels, twice, and the libraries.
static const rlim_t memory_limit = 1u << 30;

static void limit(int resource, rlim_t value) {
  struct rlimit bound = {.rlim_cur = value, .rlim_max = value};
  (void)setrlimit((__rlimit_resource_t)resource, &bound);
}

#ifdef DECODER_ARCH
#define ALLOW(name)                                                                \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1),                            \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/// Allows memory, time and the two streams; every other call fails with EPERM.
static int filter_calls(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, DECODER_ARCH, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      ALLOW(read),
      ALLOW(write),
      ALLOW(mmap),
      ALLOW(munmap),
      ALLOW(mremap),
      ALLOW(mprotect),
      ALLOW(brk),
      ALLOW(madvise),
      ALLOW(futex),
      ALLOW(exit),
      ALLOW(exit_group),
      ALLOW(clock_gettime),
      ALLOW(getrusage),
      ALLOW(setrlimit),
      ALLOW(prlimit64),
      ALLOW(getrandom),
      ALLOW(gettid),
      ALLOW(getpid),
      ALLOW(tgkill),
      ALLOW(rt_sigaction),
      ALLOW(rt_sigprocmask),
      ALLOW(rt_sigreturn),
      ALLOW(restart_syscall),
      ALLOW(sched_yield),
      ALLOW(sched_getaffinity),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
  };
  struct sock_fprog program = {.len = sizeof rules / sizeof rules[0], .filter = rules};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}
#else
static int filter_calls(void) { return 0; }
#endif

int decoder_confine(void) {
  limit(RLIMIT_AS, memory_limit);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NPROC, 0);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return errno;
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  int fault = filter_calls();
  // A kernel without filters; the limits apply.
  return fault == EINVAL ? 0 : fault;
}
