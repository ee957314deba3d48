#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "CPlatform.h"
#include "CPlatformLoop.h"
#include "CPlatformTerminal.h"
#include "terminal.h"

// The job of a process is its process group: a shell stops and continues all of it, and gives the terminal
// to all of it. Only the group in the foreground may use the terminal (setpgid(2), tcsetpgrp(3)).

void platform_reset_signals(void) {
  struct sigaction standard = {.sa_handler = SIG_DFL};
  // A parent that ignores it would let the kernel collect children before their status was read.
  (void)sigaction(SIGCHLD, &standard, NULL);
  sigset_t none;
  sigemptyset(&none);
  (void)pthread_sigmask(SIG_SETMASK, &none, NULL);
}

/// Whether a signal that ends the program is pending, which a stop would delay.
static int is_ending(void) {
  static const int ends[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};
  sigset_t pending;
  if (sigpending(&pending) != 0) return 0;
  for (size_t index = 0; index < sizeof ends / sizeof ends[0]; index++) {
    if (sigismember(&pending, ends[index]) == 1) return 1;
  }
  return 0;
}

/// Sends the job a signal that stops it, with its default action; returns when it continues.
///
/// Returns 0 if the kernel did not stop it, as nobody could continue an orphaned process group.
static int stop_job(int number) {
  sigset_t continuing, stopping, before;
  sigemptyset(&continuing);
  sigaddset(&continuing, SIGCONT);
  sigemptyset(&stopping);
  sigaddset(&stopping, number);
  struct sigaction standard = {.sa_handler = SIG_DFL}, action;
  // Blocked, SIGCONT stays pending and tells that there was a stop.
  (void)pthread_sigmask(SIG_BLOCK, &continuing, &before);
  (void)sigaction(number, &standard, &action);
  platform_signal_take(SIGCONT);
  // One that is pending would stop the job twice.
  platform_signal_take(number);
  (void)pthread_sigmask(SIG_UNBLOCK, &stopping, NULL);
  (void)kill(0, number);
  int has_stopped = sigtimedwait(&continuing, NULL, &(struct timespec){0}) == SIGCONT;
  (void)sigaction(number, &action, NULL);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  return has_stopped;
}

void platform_job_stop(void) {
  struct sigaction action;
  // A parent that ignores the signal does not want its programs to stop.
  if (sigaction(SIGTSTP, NULL, &action) == 0 && action.sa_handler == SIG_IGN) return;
  // Meanwhile a shell has the terminal.
  pid_t borrower = terminal_borrower();
  terminal_lend(0);
  (void)stop_job(SIGTSTP);
  terminal_lend(borrower);
}

int platform_job_is_in_foreground(int terminal) {
  // 0 if the group is of another namespace; −1 if this is not the terminal of the session. Then there is no
  // job control.
  pid_t front = tcgetpgrp(terminal);
  return front <= 0 || front == getpgrp();
}

platform_foreground platform_job_await_foreground(int terminal) {
  while (!platform_job_is_in_foreground(terminal)) {
    if (is_ending()) return PLATFORM_ENDING;
    if (!stop_job(SIGTTOU)) return PLATFORM_BACKGROUND;
  }
  return PLATFORM_FOREGROUND;
}
