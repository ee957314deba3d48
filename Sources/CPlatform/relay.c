#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "CPlatform.h"
#include "attend.h"

// A terminal between the command and the one of this process, as of script(1). The outer terminal passes keys as they
// are, so that the inner one makes signals of them; its size is that of the outer one.
//
// The kernel stops no process group whose parents are all of another session. So a process of its own leads the
// session of the inner terminal, as a shell does, and tells this one when the command has stopped.

/// What the outer terminal is set to.
static struct termios outer;
/// Whether it passes keys as they are.
static int is_raw;
/// Whether keys can still come.
static int has_keys;
/// Bytes that were typed and that the inner terminal has not taken.
static uint8_t typed[4096];
static size_t typed_count;
/// The bytes that are passed on at most after the command has ended, from programs that it has left behind.
static size_t left_over;

/// How often is looked whether a job in the background has come to the foreground.
static const int background_pause = 250;

static int is_in_foreground(void) { return tcgetpgrp(STDIN_FILENO) == getpgrp(); }

static void copy_size(void) {
  struct winsize size;
  if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0) (void)ioctl(attended.master, TIOCSWINSZ, &size);
}

int attended_open_terminal(void) {
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !is_in_foreground()) return -1;
  if (tcgetattr(STDIN_FILENO, &outer) < 0) return -1;
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0) return -1;
  char name[64];
  int slave = -1;
  if (grantpt(master) == 0 && unlockpt(master) == 0 && ptsname_r(master, name, sizeof name) == 0) {
    slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  if (slave < 0) {
    (void)close(master);
    return -1;
  }
  (void)tcsetattr(slave, TCSANOW, &outer);
  (void)fcntl(master, F_SETFL, O_NONBLOCK);
  attended.master = master;
  has_keys = 1;
  left_over = 1 << 20;
  copy_size();
  return slave;
}

void attended_lead_terminal(int slave, int states, int report) {
  (void)setsid();
  (void)ioctl(slave, TIOCSCTTY, 0);
  pid_t command = fork();
  if (command == 0) {
    (void)setpgid(0, 0);
    // All signals are still blocked, so this does not stop it.
    (void)tcsetpgrp(slave, getpid());
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
      if (isatty(file)) (void)dup2(slave, file);
    }
    return;
  }
  int failure = command < 0 ? errno : 0;
  if (failure != 0) (void)!write(report, &failure, sizeof failure);
  int number = command;
  (void)!write(states, &number, sizeof number);
  if (failure != 0) _exit(127);
  (void)setpgid(command, command);
  (void)close(report);
  (void)close(attended.master);
  (void)close(attended.wake[0]);
  (void)close(attended.wake[1]);
  if (attended.errors >= 0) (void)close(attended.errors);
  // What it has of the outer streams is only the command's.
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) (void)dup2(slave, file);
  platform_reset_signals();
  for (;;) {
    int status = 0;
    pid_t found = waitpid(command, &status, WUNTRACED);
    if (found < 0 && errno == EINTR) continue;
    if (found < 0) _exit(127);
    (void)!write(states, &status, sizeof status);
    if (!WIFSTOPPED(status)) _exit(0);
  }
}

/// Reads a number from the leader; −1 if there is none now, 0 if it has gone.
static int take_state(int *number) {
  ssize_t count;
  do count = read(attended.states, number, sizeof *number);
  while (count < 0 && errno == EINTR);
  return count == sizeof *number ? 1 : count < 0 ? -1 : 0;
}

void attended_take_command(void) {
  int number = 0;
  if (take_state(&number) == 1 && number > 0) attended.command = number;
  (void)fcntl(attended.states, F_SETFL, O_NONBLOCK);
}

void attended_enter_raw(void) {
  if (is_raw || !is_in_foreground()) return;
  struct termios raw = outer;
  cfmakeraw(&raw);
  is_raw = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

static void leave_raw(void) {
  if (is_raw && is_in_foreground()) (void)tcsetattr(STDIN_FILENO, TCSANOW, &outer);
  is_raw = 0;
}

/// Stops the job of this process, as the command has stopped, and continues the command afterwards.
static void stop_with_command(void) {
  uint8_t bytes[4096];
  while (attended_take_terminal(bytes, sizeof bytes) > 0) continue;
  leave_raw();
  struct sigaction ignore = {.sa_handler = SIG_IGN}, standard = {.sa_handler = SIG_DFL}, before;
  // The others of the job first: a shell sees that it has stopped when all of its processes have.
  (void)sigaction(SIGTSTP, &ignore, &before);
  (void)kill(0, SIGTSTP);
  // The kernel does not stop this process if nobody could continue it; then the command goes on at once.
  (void)sigaction(SIGTSTP, &standard, NULL);
  (void)raise(SIGTSTP);
  (void)sigaction(SIGTSTP, &before, NULL);
  struct termios now;
  if (is_in_foreground() && tcgetattr(STDIN_FILENO, &now) == 0) outer = now;
  attended_enter_raw();
  copy_size();
  (void)kill(-attended.command, SIGCONT);
}

static void note_size(void) {
  if (!attended.is_resized) return;
  attended.is_resized = 0;
  copy_size();
}

void attended_look_at_terminal(void) {
  note_size();
  if (attended.is_continued) {
    // Somebody else may have set the terminal meanwhile.
    attended.is_continued = 0;
    is_raw = 0;
  }
  attended_enter_raw();
  int status, answer;
  while ((answer = take_state(&status)) == 1) {
    if (!WIFSTOPPED(status)) {
      attended.status = status;
      attended.has_ended = 1;
      return;
    }
    // Somebody has stopped the command alone, who continues it alone.
    if (WSTOPSIG(status) != SIGSTOP) stop_with_command();
  }
  if (answer == 0) {
    // The leader has gone without a word: it was killed.
    attended.status = SIGHUP;
    attended.has_ended = 1;
  }
}

size_t attended_take_terminal(uint8_t *bytes, size_t capacity) {
  if (attended.master < 0) return 0;
  if (attended.has_ended && left_over == 0) return 0;
  ssize_t count = read(attended.master, bytes, capacity);
  if (count <= 0) return 0;
  if (attended.has_ended) left_over -= (size_t)count < left_over ? (size_t)count : left_over;
  (void)attended_write(STDOUT_FILENO, bytes, (size_t)count);
  return (size_t)count;
}

int attended_poll_terminal(struct pollfd *keys, struct pollfd *inner) {
  if (attended.master < 0) return -1;
  inner->fd = attended.master;
  inner->events = POLLIN | (typed_count > 0 ? POLLOUT : 0);
  if (!is_raw) return background_pause;
  if (has_keys && typed_count == 0) {
    keys->fd = STDIN_FILENO;
    keys->events = POLLIN;
  }
  return -1;
}

void attended_type(const struct pollfd *keys, const struct pollfd *inner) {
  // What is typed into a window comes after its size.
  if (attended.master >= 0) note_size();
  if (keys->fd >= 0 && keys->revents != 0) {
    ssize_t count = read(STDIN_FILENO, typed, sizeof typed);
    if (count > 0) typed_count = (size_t)count;
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) {
      // The terminal has been closed.
      has_keys = 0;
      (void)kill(-attended.command, SIGHUP);
    }
  }
  if (typed_count == 0 || inner->fd < 0) return;
  ssize_t count = write(attended.master, typed, typed_count);
  if (count <= 0) return;
  typed_count -= (size_t)count;
  memmove(typed, typed + count, typed_count);
}

void attended_close_terminal(void) {
  if (attended.master < 0) return;
  leave_raw();
  (void)close(attended.master);
  attended.master = -1;
  (void)close(attended.states);
  attended.states = -1;
  (void)waitpid(attended.child, NULL, 0);
}
