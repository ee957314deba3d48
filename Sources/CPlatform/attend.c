#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CPlatform.h"

/// The command that is attended; the handler of signals reads it.
static volatile pid_t attended;

/// Passes a signal on that was sent to this process alone; of the terminal's the command has its own.
static void pass_on(int number) {
  int saved = errno;
  if (attended > 0) (void)kill(attended, number);
  errno = saved;
}

/// What keys of the terminal send to the whole group: the command decides what they do.
static const int of_terminal[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU};
static const int of_others[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM};

enum {
  TERMINAL_COUNT = sizeof of_terminal / sizeof of_terminal[0],
  OTHER_COUNT = sizeof of_others / sizeof of_others[0],
};

/// Waits for the end of the command; stops with it, and continues it afterwards.
static int wait_for(pid_t child) {
  for (;;) {
    int status = 0;
    pid_t found = waitpid(child, &status, WUNTRACED);
    if (found < 0 && errno == EINTR) continue;
    if (found < 0) return -1;
    if (!WIFSTOPPED(status)) return status;
    // Somebody has stopped the command alone, who continues it alone.
    if (WSTOPSIG(status) == SIGSTOP) continue;
    // A shell sees that the job has stopped when all of its processes have.
    (void)kill(getpid(), SIGSTOP);
    (void)kill(child, SIGCONT);
  }
}

int platform_attend(const char *const *arguments, platform_exit *result) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) < 0) return errno;
  sigset_t all, before;
  sigfillset(&all);
  (void)sigprocmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  if (child == 0) {
    int failure = platform_become(arguments, -1);
    (void)!write(report[1], &failure, sizeof failure);
    _exit(127);
  }
  int failure = child < 0 ? errno : 0;
  attended = child;
  struct sigaction previous[TERMINAL_COUNT + OTHER_COUNT];
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  struct sigaction pass = {.sa_handler = pass_on};
  for (int index = 0; index < TERMINAL_COUNT; index++) {
    (void)sigaction(of_terminal[index], &ignore, &previous[index]);
  }
  for (int index = 0; index < OTHER_COUNT; index++) {
    struct sigaction *old = &previous[TERMINAL_COUNT + index];
    (void)sigaction(of_others[index], NULL, old);
    // What nohup ignores stays ignored.
    if (old->sa_handler != SIG_IGN) (void)sigaction(of_others[index], &pass, NULL);
  }
  (void)sigprocmask(SIG_SETMASK, &before, NULL);
  (void)close(report[1]);
  if (child > 0) {
    ssize_t count;
    do count = read(report[0], &failure, sizeof failure);
    while (count < 0 && errno == EINTR);
    int status = wait_for(child);
    if (status < 0 && failure == 0) failure = errno;
    result->signaled = WIFSIGNALED(status);
    result->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }
  (void)close(report[0]);
  attended = 0;
  for (int index = 0; index < TERMINAL_COUNT; index++) {
    (void)sigaction(of_terminal[index], &previous[index], NULL);
  }
  for (int index = 0; index < OTHER_COUNT; index++) {
    (void)sigaction(of_others[index], &previous[TERMINAL_COUNT + index], NULL);
  }
  return failure;
}

void platform_end_by_signal(int number) {
  // The command has left its core already.
  struct rlimit none = {0, 0};
  (void)setrlimit(RLIMIT_CORE, &none);
  (void)prctl(PR_SET_DUMPABLE, 0);
  struct sigaction standard = {.sa_handler = SIG_DFL};
  (void)sigaction(number, &standard, NULL);
  sigset_t none_blocked;
  sigemptyset(&none_blocked);
  (void)sigprocmask(SIG_SETMASK, &none_blocked, NULL);
  (void)kill(getpid(), number);
  _exit(128 + number);
}
