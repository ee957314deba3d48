#include "CPlatformTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "terminal.h"

enum { RESTORE_LIMIT = 512, HANDLER_STACK = 16 * 1024 };

/// The state of the terminal, in memory shared with the guardian if possible.
struct terminal {
  volatile sig_atomic_t is_armed;
  int descriptor;
  /// The descriptor for the restore sequence; non-blocking while the screen is open.
  int output;
  int is_output_shared;
  struct termios saved_settings;
  /// The settings of the screen, when they are known.
  struct termios screen_settings;
  volatile sig_atomic_t knows_screen;
  /// The process group that has the terminal instead of the screen; 0 for none.
  volatile pid_t borrower;
  /// The group of the host, which has it before and after.
  volatile pid_t lender;
  /// Whether the restore sequence leaves an alternate screen, and whether it takes a title back from a stack.
  int leaves_other_screen, pops_title;
  size_t restore_count;
  uint8_t restore_bytes[RESTORE_LIMIT];
};

static struct terminal unshared = {.descriptor = -1, .output = -1};
static struct terminal *terminal = &unshared;

int platform_terminal_size(int descriptor, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

int platform_terminal_is_closed(int descriptor) {
  struct pollfd state = {.fd = descriptor, .events = POLLIN, .revents = 0};
  int count;
  do {
    count = poll(&state, 1, 0);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return 0;
  if (state.revents & (POLLHUP | POLLERR | POLLNVAL)) return 1;
  int available = 0;
  return (state.revents & POLLIN) && (ioctl(descriptor, FIONREAD, &available) != 0 || available == 0);
}

int platform_terminal_waiting(int descriptor) {
  int available = 0;
  return ioctl(descriptor, FIONREAD, &available) == 0 ? available : 0;
}

static int is_same_terminal(int first, int second) {
  struct stat states[2];
  unsigned int devices[2];
  if (fstat(first, &states[0]) != 0 || fstat(second, &states[1]) != 0) return 0;
  if (states[0].st_rdev == states[1].st_rdev) return 1;
  return ioctl(first, TIOCGDEV, &devices[0]) == 0 && ioctl(second, TIOCGDEV, &devices[1]) == 0
         && devices[0] == devices[1];
}

int platform_terminal_reopen(int descriptor) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  // After su the terminal belongs to another user; /dev/tty can be opened nevertheless.
  const char *names[] = {path, "/dev/tty"};
  for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
    int result = open(names[index], O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (result < 0) continue;
    if (is_same_terminal(result, descriptor)) return result;
    close(result);
  }
  return -1;
}

int platform_terminal_remember(int descriptor) {
  struct termios settings;
  if (tcgetattr(descriptor, &settings) != 0) return -1;
  if (terminal == &unshared) {
    void *shared = mmap(NULL, sizeof unshared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                        -1, 0);
    if (shared != MAP_FAILED) {
      memcpy(shared, &unshared, sizeof unshared);
      terminal = shared;
    }
  }
  terminal->saved_settings = settings;
  terminal->descriptor = descriptor;
  return 0;
}

void platform_terminal_set_restore_bytes(const uint8_t *bytes, size_t count) {
  terminal->restore_count = count < RESTORE_LIMIT ? count : RESTORE_LIMIT;
  memcpy(terminal->restore_bytes, bytes, terminal->restore_count);
  terminal->leaves_other_screen = memmem(bytes, count, "\033[?1049l", 8) != NULL;
  terminal->pops_title = memmem(bytes, count, "\033[23;0;0t", 9) != NULL;
}

void platform_terminal_set_output(int descriptor, int is_shared) {
  terminal->output = descriptor;
  terminal->is_output_shared = is_shared;
}

static void arm(int is_armed) {
  terminal->is_armed = is_armed;
  if (!terminal->is_output_shared) return;
  int flags = fcntl(terminal->output, F_GETFL);
  if (flags < 0) return;
  flags = is_armed ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
  (void)fcntl(terminal->output, F_SETFL, flags);
}

void platform_terminal_enter_screen(void) {
  terminal->borrower = 0;
  arm(1);
  if (terminal->descriptor < 0) return;
  struct termios settings = terminal->saved_settings;
  settings.c_iflag &= ~(tcflag_t)(IXON | BRKINT | PARMRK | ICRNL | INLCR | IGNCR);
  settings.c_oflag &= ~(tcflag_t)(ONLCR | TABDLY);
  settings.c_lflag &= ~(tcflag_t)(ICANON | ISIG | IEXTEN | ECHO | ECHONL);
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  terminal->screen_settings = settings;
  terminal->knows_screen = 1;
  // Not TCSADRAIN, which would wait for a blocked terminal.
  (void)tcsetattr(terminal->descriptor, TCSANOW, &settings);
}

void platform_terminal_leave_screen(void) {
  arm(0);
  if (terminal->descriptor >= 0) {
    (void)tcsetattr(terminal->descriptor, TCSANOW, &terminal->saved_settings);
  }
}

// If the terminal accepts only a part, its pending output is discarded and the sequence is written
// again, as the part may have been discarded too. Another program may have stopped its output.
static void send_restore_bytes(int output) {
  int is_flushed = 0;
  size_t sent = 0;
  while (sent < terminal->restore_count) {
    ssize_t part = write(output, terminal->restore_bytes + sent, terminal->restore_count - sent);
    if (part > 0) {
      sent += (size_t)part;
    } else if (part < 0 && errno == EAGAIN && !is_flushed) {
      is_flushed = 1;
      sent = 0;
      (void)tcflush(output, TCOFLUSH);
      (void)tcflow(output, TCOON);
    } else if (part == 0 || errno != EINTR) {
      break;
    }
  }
}

// Called by signal handlers: only async-signal-safe functions (signal-safety(7)).
void platform_terminal_restore(void) {
  if (!terminal->is_armed) return;
  terminal->is_armed = 0;
  if (terminal->output >= 0) send_restore_bytes(terminal->output);
  platform_terminal_leave_screen();
}

int terminal_output(void) { return terminal->output; }

int terminal_descriptor(void) { return terminal == &unshared ? -1 : terminal->descriptor; }

int terminal_is_screen(void) { return terminal->is_armed != 0; }

static int is_screen(const struct termios *settings) {
  const struct termios *screen = &terminal->screen_settings;
  return settings->c_iflag == screen->c_iflag && settings->c_oflag == screen->c_oflag
         && settings->c_lflag == screen->c_lflag;
}

int terminal_give_back(int settings, int output, int milliseconds) {
  if (!terminal->is_armed) return 1;
  struct termios now;
  int is_ours = tcgetattr(settings, &now) == 0 && (!terminal->knows_screen || is_screen(&now));
  if (is_ours) (void)tcsetattr(settings, TCSANOW, &terminal->saved_settings);
  // The pending output of a blocked terminal is discarded only after the wait.
  struct pollfd state = {.fd = output, .events = POLLOUT, .revents = 0};
  int is_ready = poll(&state, 1, milliseconds) > 0 && (state.revents & POLLOUT);
  if (!is_ready && milliseconds == 0) return 0;
  send_restore_bytes(output);
  terminal->output = output;
  arm(0);
  return 1;
}

void terminal_lend(pid_t group) {
  if (terminal == &unshared || !terminal->knows_screen) return;
  terminal->lender = getpgrp();
  terminal->borrower = group;
}

pid_t terminal_borrower(void) { return terminal->borrower; }

/// The process group in the foreground of the terminal of a process; −1 if it has none, 0 if that is not known.
///
/// tcgetpgrp would need a terminal of the same session (proc_pid_stat(5)).
static pid_t front_of(pid_t process) {
  char path[32] = "/proc/", text[512];
  char digits[16];
  size_t length = 6, count = 0;
  for (pid_t rest = process; rest > 0; rest /= 10) digits[count++] = (char)('0' + rest % 10);
  while (count > 0) path[length++] = digits[--count];
  memcpy(path + length, "/stat", sizeof "/stat");
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  (void)close(file);
  if (size <= 0) return 0;
  text[size] = 0;
  // The name of the program may have blanks and parentheses: behind it are state, parent, group, session, terminal.
  const char *place = strrchr(text, ')');
  for (int blanks = 0; place && blanks < 6; blanks++) place = strchr(place + 1, ' ');
  if (!place) return 0;
  if (place[1] == '-') return -1;
  pid_t front = 0;
  for (place++; *place >= '0' && *place <= '9'; place++) front = front * 10 + (*place - '0');
  return front;
}

int terminal_is_borrowed(void) {
  pid_t group = terminal->borrower;
  if (group <= 0 || terminal->is_armed) return 0;
  pid_t front = front_of(group);
  return front == group || front == terminal->lender || front == -1;
}

int terminal_take_back(int settings, int output, int milliseconds) {
  if (settings >= 0) (void)tcsetattr(settings, TCSANOW, &terminal->saved_settings);
  struct pollfd state = {.fd = output, .events = POLLOUT, .revents = 0};
  if (poll(&state, 1, milliseconds) <= 0 || !(state.revents & POLLOUT)) return 0;
  // Where the app was on the screen of the shell, what is erased next must not be that.
  if (terminal->leaves_other_screen) (void)!write(output, "\030\033[?1049h", 9);
  // The screen has taken its own back when the app was started.
  if (terminal->pops_title) (void)!write(output, "\033[22;0;0t", 9);
  send_restore_bytes(output);
  terminal->borrower = 0;
  return 1;
}

static void handle_crash(int number) {
  platform_terminal_restore();
  // SA_RESETHAND has restored the default action, and SA_NODEFER delivers the signal at once.
  raise(number);
}

static void ignore_size(int number) { (void)number; }

void platform_terminal_guard(void) {
  static const int signals[] = {SIGSEGV, SIGILL,  SIGABRT, SIGBUS, SIGFPE,
                                SIGTRAP, SIGTERM, SIGHUP,  SIGINT, SIGQUIT};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle_crash;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  platform_terminal_guard_thread();
  for (size_t index = 0; index < sizeof signals / sizeof signals[0]; index++) {
    sigaction(signals[index], &action, NULL);
  }
  // After an app, its group is still in the foreground; setting ours must not stop us.
  signal(SIGTTOU, SIG_IGN);
  signal(SIGWINCH, ignore_size);
}

void platform_terminal_guard_thread(void) {
  static _Thread_local uint8_t bytes[HANDLER_STACK];
  static _Thread_local int has_stack = 0;
  if (has_stack) return;
  stack_t stack = {.ss_sp = bytes, .ss_size = sizeof bytes, .ss_flags = 0};
  has_stack = sigaltstack(&stack, NULL) == 0;
}
