#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CPlatform.h"
#include "descriptors.h"

enum { STACK_SIZE = 16 * 1024, DESCRIPTOR_LIMIT = 64 };

/// What the process needs that keeps descriptors; it has the memory of the program.
static struct {
  pid_t program;
  int descriptors[DESCRIPTOR_LIMIT];
  size_t count;
} kept;

/// Runs in the process that keeps the descriptors, until the program has ended.
///
/// The memory of its thread is that of the program's: no call of it fails, which would set `errno`, and none can be
/// cancelled, for which the C library would note where it is.
static int keep(void *unused) {
  (void)unused;
  // Sent when the program has closed its own descriptors (exit_notify in the kernel).
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != kept.program) return 0;
  close_others(kept.descriptors, kept.count);
  for (;;) (void)syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
}

pid_t platform_outlive(const int *descriptors, size_t count) {
  _Alignas(16) static char stack[STACK_SIZE];
  if (count == 0 || count > DESCRIPTOR_LIMIT || kept.count > 0) return -1;
  memcpy(kept.descriptors, descriptors, count * sizeof *descriptors);
  sort_descriptors(kept.descriptors, count);
  kept.program = getpid();
  kept.count = count;
  sigset_t all, before;
  (void)sigfillset(&all);
  // A handler of the program would act for it in the other process.
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  // With a copy of the memory, the program would copy each page again that it changes before it ends.
  pid_t pid = clone(keep, stack + STACK_SIZE, CLONE_VM | SIGCHLD, NULL);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  return pid;
}
