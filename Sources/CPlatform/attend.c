#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CPlatform.h"
#include "attend.h"

struct attended attended = {.wake = {-1, -1}, .errors = -1, .master = -1, .states = -1};

static void wake_up(void) {
  int saved = errno;
  if (attended.wake[1] >= 0) (void)!write(attended.wake[1], "", 1);
  errno = saved;
}

/// Passes a signal on that was sent to this process alone; of the terminal's the command has its own.
static void pass_on(int number) {
  int saved = errno;
  if (attended.command > 0) (void)kill(attended.command, number);
  errno = saved;
}

static void note(int number) {
  if (number == SIGWINCH) attended.is_resized = 1;
  if (number == SIGCONT) attended.is_continued = 1;
  wake_up();
}

/// What keys of the terminal send to the whole group: the command decides what they do.
static const int of_terminal[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU};
static const int of_others[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM};
static const int of_waiting[] = {SIGCHLD, SIGWINCH, SIGCONT};

enum {
  TERMINAL_COUNT = sizeof of_terminal / sizeof of_terminal[0],
  OTHER_COUNT = sizeof of_others / sizeof of_others[0],
  WAITING_COUNT = sizeof of_waiting / sizeof of_waiting[0],
};

static struct sigaction previous[TERMINAL_COUNT + OTHER_COUNT + WAITING_COUNT];

static void take_signals(void) {
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  struct sigaction pass = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
  struct sigaction wake = {.sa_handler = note, .sa_flags = SA_RESTART};
  for (int index = 0; index < TERMINAL_COUNT; index++) {
    int number = of_terminal[index];
    // A command in a terminal of its own is not in the group that keys act on.
    int is_passed = attended.master >= 0 && number != SIGTTIN && number != SIGTTOU;
    (void)sigaction(number, is_passed ? &pass : &ignore, &previous[index]);
  }
  for (int index = 0; index < OTHER_COUNT; index++) {
    struct sigaction *old = &previous[TERMINAL_COUNT + index];
    (void)sigaction(of_others[index], NULL, old);
    // What nohup ignores stays ignored.
    if (old->sa_handler != SIG_IGN) (void)sigaction(of_others[index], &pass, NULL);
  }
  for (int index = 0; index < WAITING_COUNT; index++) {
    (void)sigaction(of_waiting[index], &wake, &previous[TERMINAL_COUNT + OTHER_COUNT + index]);
  }
}

static void give_signals_back(void) {
  for (int index = 0; index < TERMINAL_COUNT; index++) {
    (void)sigaction(of_terminal[index], &previous[index], NULL);
  }
  for (int index = 0; index < OTHER_COUNT; index++) {
    (void)sigaction(of_others[index], &previous[TERMINAL_COUNT + index], NULL);
  }
  for (int index = 0; index < WAITING_COUNT; index++) {
    (void)sigaction(of_waiting[index], &previous[TERMINAL_COUNT + OTHER_COUNT + index], NULL);
  }
}

/// Whether two descriptors are the same pipe, in which the order of what comes through both must stay.
static int are_same(const struct stat *one, int other) {
  struct stat status;
  return fstat(other, &status) == 0 && status.st_dev == one->st_dev && status.st_ino == one->st_ino;
}

/// Puts a pipe between the command and the one that is its standard error; returns errno or 0.
static int open_errors(int ends[2]) {
  struct stat status;
  if (fstat(STDERR_FILENO, &status) < 0 || !S_ISFIFO(status.st_mode)) return 0;
  if (pipe2(ends, O_CLOEXEC) < 0) return errno;
  (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
  attended.errors = ends[0];
  attended.has_output = are_same(&status, STDOUT_FILENO);
  return 0;
}

int platform_attend_start(const char *const *arguments, int streams) {
  int report[2], errors[2] = {-1, -1};
  if (pipe2(attended.wake, O_CLOEXEC | O_NONBLOCK) < 0) return errno;
  if (pipe2(report, O_CLOEXEC) < 0) return errno;
  int failure = 0;
  if (streams & PLATFORM_ATTEND_ERRORS) failure = open_errors(errors);
  int slave = -1;
  if (failure == 0 && streams & PLATFORM_ATTEND_TERMINAL) slave = attended_open_terminal();
  if (failure != 0) return failure;
  sigset_t all, before;
  sigfillset(&all);
  (void)sigprocmask(SIG_SETMASK, &all, &before);
  int states[2] = {-1, -1};
  if (slave >= 0 && pipe2(states, O_CLOEXEC) < 0) failure = errno;
  pid_t child = failure == 0 ? fork() : -1;
  if (child == 0) {
    if (errors[1] >= 0) {
      (void)dup2(errors[1], STDERR_FILENO);
      if (attended.has_output) (void)dup2(errors[1], STDOUT_FILENO);
    }
    if (slave >= 0) {
      // Only the command goes on from here; the process that leads its terminal stays and ends there.
      attended_lead_terminal(slave, states[1], report[1]);
    }
    int reason = platform_become(arguments, -1);
    (void)!write(report[1], &reason, sizeof reason);
    _exit(127);
  }
  if (child < 0 && failure == 0) failure = errno;
  attended.child = attended.command = child;
  attended.states = states[0];
  take_signals();
  (void)sigprocmask(SIG_SETMASK, &before, NULL);
  (void)close(report[1]);
  if (errors[1] >= 0) (void)close(errors[1]);
  if (slave >= 0) (void)close(slave);
  if (states[1] >= 0) (void)close(states[1]);
  if (child > 0) {
    ssize_t count;
    if (slave >= 0) attended_take_command();
    do count = read(report[0], &failure, sizeof failure);
    while (count < 0 && errno == EINTR);
  }
  (void)close(report[0]);
  if (failure != 0) {
    if (child > 0) (void)waitpid(child, NULL, 0);
    platform_attend_finish(NULL);
  } else if (attended.master >= 0) {
    attended_enter_raw();
  }
  return failure;
}

/// Looks whether the command has stopped or ended; stops with it, and continues it afterwards.
static void look_at_child(void) {
  for (;;) {
    int status = 0;
    pid_t found = waitpid(attended.child, &status, WUNTRACED | WNOHANG);
    if (found < 0 && errno == EINTR) continue;
    if (found == 0) return;
    if (found < 0 || !WIFSTOPPED(status)) {
      attended.status = found < 0 ? 0 : status;
      attended.has_ended = 1;
      return;
    }
    // Somebody has stopped the command alone, who continues it alone.
    if (WSTOPSIG(status) == SIGSTOP) continue;
    // A shell sees that the job has stopped when all of its processes have.
    (void)kill(getpid(), SIGSTOP);
    (void)kill(attended.child, SIGCONT);
  }
}

int attended_write(int file, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written >= 0) {
      bytes += written;
      count -= (size_t)written;
    } else if (errno == EAGAIN) {
      // Somebody who shares it has made it so.
      (void)poll(&(struct pollfd){.fd = file, .events = POLLOUT}, 1, -1);
    } else if (errno != EINTR) {
      return -1;
    }
  }
  return 0;
}

/// Takes what the command has written to its standard error, and passes it on; returns the number of bytes.
static size_t take_errors(uint8_t *bytes, size_t capacity) {
  if (attended.errors < 0) return 0;
  ssize_t count = read(attended.errors, bytes, capacity);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  // A command that writes to a reader that has gone gets its signal, as without this process.
  if (count <= 0 || attended_write(STDERR_FILENO, bytes, (size_t)count) < 0) {
    (void)close(attended.errors);
    attended.errors = -1;
  }
  return count > 0 ? (size_t)count : 0;
}

static int64_t milliseconds(void) {
  struct timespec time;
  (void)clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

enum platform_attend_event
platform_attend_turn(int limit, uint8_t *bytes, size_t capacity, size_t *count) {
  int64_t end = milliseconds() + limit;
  for (;;) {
    if (!attended.has_ended) {
      if (attended.master >= 0) attended_look_at_terminal();
      else look_at_child();
    }
    *count = take_errors(bytes, capacity);
    if (*count > 0) return PLATFORM_ATTEND_SAW_ERRORS;
    *count = attended_take_terminal(bytes, capacity);
    if (*count > 0) return PLATFORM_ATTEND_SAW_TERMINAL;
    if (attended.has_ended) return PLATFORM_ATTEND_ENDED;
    struct pollfd files[] = {
      {.fd = attended.wake[0], .events = POLLIN},
      {.fd = attended.errors, .events = POLLIN},
      {.fd = attended.states, .events = POLLIN},
      {.fd = -1},
      {.fd = -1},
    };
    int wait = attended_poll_terminal(&files[3], &files[4]);
    int64_t left = end - milliseconds();
    if (left <= 0) return PLATFORM_ATTEND_NOTHING;
    if (wait >= 0 && wait < left) left = wait;
    (void)poll(files, sizeof files / sizeof files[0], (int)left);
    uint8_t signals[64];
    while (read(attended.wake[0], signals, sizeof signals) > 0) continue;
    attended_type(&files[3], &files[4]);
  }
}

/// Leaves the pipe to a process of its own, if programs that the command has left behind still write to it.
static void leave_errors(void) {
  if (attended.errors < 0) return;
  struct pollfd file = {.fd = attended.errors, .events = POLLIN};
  if (poll(&file, 1, 0) == 1 && (file.revents & (POLLIN | POLLHUP)) == POLLHUP) return;
  pid_t child = fork();
  if (child != 0) return;
  (void)dup2(attended.errors, STDIN_FILENO);
  (void)fcntl(STDIN_FILENO, F_SETFL, 0);
  (void)close(STDOUT_FILENO);
  (void)close_range(STDERR_FILENO + 1, ~0U, 0);
  uint8_t bytes[4096];
  for (;;) {
    ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || attended_write(STDERR_FILENO, bytes, (size_t)count) < 0) _exit(0);
  }
}

void platform_attend_finish(platform_exit *result) {
  attended_close_terminal();
  if (result != NULL) leave_errors();
  if (attended.errors >= 0) (void)close(attended.errors);
  attended.errors = -1;
  attended.command = 0;
  give_signals_back();
  (void)close(attended.wake[0]);
  (void)close(attended.wake[1]);
  attended.wake[0] = attended.wake[1] = -1;
  if (result == NULL) return;
  result->signaled = WIFSIGNALED(attended.status);
  result->code =
    WIFSIGNALED(attended.status) ? WTERMSIG(attended.status) : WEXITSTATUS(attended.status);
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
