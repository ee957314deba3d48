#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CPlatform.h"

/// The field “starttime” of a process (proc_pid_stat(5)); 0 if it cannot be read.
static uint64_t start_time(pid_t pid) {
  char path[32], text[1024];
  (void)snprintf(path, sizeof path, "/proc/%d/stat", pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  (void)close(file);
  if (count <= 0) return 0;
  text[count] = 0;
  // The name, which is the second field, may have blanks and brackets.
  const char *rest = strrchr(text, ')');
  for (int field = 2; rest != NULL && field < 22; field++) rest = strchr(rest + 1, ' ');
  return rest != NULL ? strtoull(rest + 1, NULL, 10) : 0;
}

int platform_signal_process(pid_t pid, uint64_t started, int signal) {
  if (pid <= 0 || started == 0) return ESRCH;
  int process = (int)syscall(SYS_pidfd_open, pid, 0);
  if (process < 0) return errno == EINVAL ? ESRCH : errno;
  // The descriptor is of one process, so the number cannot be used again for another meanwhile.
  int failure = start_time(pid) == started ? 0 : ESRCH;
  if (!failure && syscall(SYS_pidfd_send_signal, process, signal, NULL, 0) < 0) failure = errno;
  (void)close(process);
  return failure;
}

void platform_ignore_write_signals(void) {
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  (void)sigaction(SIGPIPE, &ignore, NULL);
  (void)sigaction(SIGXFSZ, &ignore, NULL);
}

void platform_ignore_user_signals(void) {
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  for (int number = SIGRTMIN + 1; number <= SIGRTMAX; number++) (void)sigaction(number, &ignore, NULL);
}

int platform_first_user_signal(void) { return SIGRTMIN; }

const char *platform_signal_name(int number) { return sigabbrev_np(number); }

int platform_become(const char *const *arguments, int file) {
  if (file >= 0 && fcntl(file, F_SETFD, 0) < 0) return errno;
  struct sigaction standard = {.sa_handler = SIG_DFL};
  (void)sigaction(SIGPIPE, &standard, NULL);
  (void)sigaction(SIGXFSZ, &standard, NULL);
  for (int number = SIGRTMIN + 1; number <= SIGRTMAX; number++) (void)sigaction(number, &standard, NULL);
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  execvp(arguments[0], (char *const *)arguments);
  int failure = errno;
  platform_ignore_write_signals();
  platform_ignore_user_signals();
  return failure;
}
