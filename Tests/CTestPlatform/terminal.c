#include "CTestPlatform.h"
#include "strings.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

int test_terminal_open(unsigned short columns, unsigned short rows) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (master < 0) return -errno;
  if (grantpt(master) < 0 || unlockpt(master) < 0) {
    int error = errno;
    close(master);
    return -error;
  }
  int result = test_terminal_resize(master, columns, rows);
  if (result < 0) {
    close(master);
    return result;
  }
  return master;
}

int test_terminal_resize(int master, unsigned short columns, unsigned short rows) {
  struct winsize size = {.ws_row = rows, .ws_col = columns};
  return ioctl(master, TIOCSWINSZ, &size) < 0 ? -errno : 0;
}

int test_terminal_stop(int master) {
  int terminal = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) return -errno;
  int result = tcflow(terminal, TCOOFF) < 0 ? -errno : 0;
  close(terminal);
  return result;
}

// MARK: - The session leader
// Everything below runs between fork and exec, or in a leader that never execs: only calls that
// are safe after a fork of a process with many threads.

static void tell(int control, int kind, int value) {
  struct test_event event = {.kind = kind, .value = value};
  // A test that has gone away is noticed by the read at the other end of the loop.
  (void)!send(control, &event, sizeof event, MSG_NOSIGNAL);
}

static void reset_signals(void) {
  struct sigaction standard = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/// Starts the program in a process group of its own, in the foreground. The pipe tells apart a
/// program that ran and one that could not be executed.
static pid_t start_program(int slave, char *const *arguments, char *const *environment,
                           const char *directory, int *failure) {
  int outcome[2];
  if (pipe2(outcome, O_CLOEXEC) < 0) {
    *failure = errno;
    return -1;
  }
  pid_t program = fork();
  if (program == 0) {
    setpgid(0, 0);
    tcsetpgrp(slave, getpid());
    if (chdir(directory) == 0 && dup2(slave, 0) == 0 && dup2(slave, 1) == 1 &&
        dup2(slave, 2) == 2) {
      close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
      reset_signals();
      execve(arguments[0], arguments, environment);
    }
    int error = errno;
    (void)!write(outcome[1], &error, sizeof error);
    _exit(127);
  }
  *failure = program < 0 ? errno : 0;
  close(outcome[1]);
  if (program > 0) {
    int error;
    if (read(outcome[0], &error, sizeof error) == sizeof error) {
      waitpid(program, NULL, 0);
      *failure = error;
    }
  }
  close(outcome[0]);
  return *failure ? -1 : program;
}

static void report_changes(int slave, int control, pid_t *program) {
  int status;
  pid_t changed;
  while (*program > 0 &&
         (changed = waitpid(*program, &status, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
    if (WIFSTOPPED(status)) {
      // A shell takes the terminal back when its job stops.
      tcsetpgrp(slave, getpgrp());
      tell(control, TEST_EVENT_STOPPED, WSTOPSIG(status));
    } else if (WIFCONTINUED(status)) {
      tell(control, TEST_EVENT_CONTINUED, 0);
    } else {
      *program = 0;
      tcsetpgrp(slave, getpgrp());
      if (WIFEXITED(status)) {
        tell(control, TEST_EVENT_EXITED, WEXITSTATUS(status));
      } else {
        tell(control, TEST_EVENT_KILLED, WTERMSIG(status));
      }
    }
  }
}

/// Returns false when the test has closed its end.
static bool serve_request(int slave, int control, pid_t program) {
  struct test_event request;
  ssize_t count = recv(control, &request, sizeof request, 0);
  if (count <= 0) return false;
  if (program <= 0) return true;
  if (request.kind == TEST_REQUEST_FOREGROUND) {
    tcsetpgrp(slave, program);
    kill(-program, SIGCONT);
  } else {
    kill(program, request.value);
  }
  return true;
}

_Noreturn static void lead(int slave, int control, char *const *arguments,
                           char *const *environment, const char *directory) {
  sigset_t waited;
  sigemptyset(&waited);
  sigaddset(&waited, SIGCHLD);
  sigaddset(&waited, SIGHUP);
  int signals = signalfd(-1, &waited, SFD_CLOEXEC | SFD_NONBLOCK);

  int failure = 0;
  pid_t program = start_program(slave, arguments, environment, directory, &failure);
  const pid_t group = program;
  if (program < 0) {
    tell(control, TEST_EVENT_FAILED, failure);
  } else {
    tell(control, TEST_EVENT_STARTED, program);
  }

  struct pollfd watched[2] = {{.fd = control, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
  while (true) {
    if (poll(watched, 2, -1) < 0 && errno != EINTR) break;
    struct signalfd_siginfo info;
    while (read(signals, &info, sizeof info) == sizeof info) {
      // The kernel tells the leader alone that the terminal is gone; shells pass it on.
      if (info.ssi_signo == SIGHUP && program > 0) {
        kill(-program, SIGHUP);
        kill(-program, SIGCONT);
      }
    }
    report_changes(slave, control, &program);
    if (watched[0].revents && !serve_request(slave, control, program)) break;
  }
  if (program > 0) {
    kill(-group, SIGKILL);
    waitpid(program, NULL, 0);
  }
  _exit(0);
}

pid_t test_session_start(int master, const struct test_program *program, int *control) {
  char **arguments = split_strings(program->arguments, program->argument_count);
  char **environment = split_strings(program->environment, program->environment_count);
  int ends[2] = {-1, -1};
  pid_t leader = -ENOMEM;
  if (arguments && environment &&
      socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0) {
    // The leader must not run a handler of this process, nor die by the terminal's signals.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    leader = fork();
    if (leader == 0) {
      setsid();
      int slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY);
      ioctl(slave, TIOCSCTTY, 0);
      // Masters of other tests that stay open here would keep their terminals from hanging up.
      dup2(slave, 0);
      dup2(ends[1], 1);
      dup2(0, 2);
      close_range(3, ~0U, 0);
      fcntl(1, F_SETFD, FD_CLOEXEC);
      lead(0, 1, arguments, environment, program->directory);
    }
    if (leader < 0) leader = -errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (leader < 0) {
      close(ends[0]);
    } else {
      fcntl(ends[0], F_SETFL, O_NONBLOCK);
      *control = ends[0];
    }
  }
  free(arguments);
  free(environment);
  return leader;
}
