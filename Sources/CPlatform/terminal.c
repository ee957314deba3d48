#include "CPlatformTerminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { RESTORE_LIMIT = 512, HANDLER_STACK = 16 * 1024 };

static struct termios saved_settings;
static int saved_descriptor = -1;
static uint8_t restore_bytes[RESTORE_LIMIT];
static size_t restore_count = 0;
static volatile sig_atomic_t is_armed = 0;

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

int platform_terminal_remember(int descriptor) {
  if (tcgetattr(descriptor, &saved_settings) != 0) return -1;
  saved_descriptor = descriptor;
  return 0;
}

void platform_terminal_set_restore_bytes(const uint8_t *bytes, size_t count) {
  restore_count = count < RESTORE_LIMIT ? count : RESTORE_LIMIT;
  memcpy(restore_bytes, bytes, restore_count);
}

// Called by handlers: nothing but async-signal-safe functions (signal-safety(7)).
void platform_terminal_restore(void) {
  if (!is_armed) return;
  is_armed = 0;
  size_t sent = 0;
  while (sent < restore_count) {
    ssize_t part = write(STDOUT_FILENO, restore_bytes + sent, restore_count - sent);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) break;
    sent += (size_t)part;
  }
  if (saved_descriptor >= 0) tcsetattr(saved_descriptor, TCSANOW, &saved_settings);
}

static void handle_crash(int number) {
  platform_terminal_restore();
  // SA_RESETHAND has put the signal's own action back, and SA_NODEFER lets it through at once.
  raise(number);
}

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
  // A program that had the terminal left its group in front; taking it back must not stop us.
  signal(SIGTTOU, SIG_IGN);
}

void platform_terminal_arm(int armed) { is_armed = armed != 0; }

void platform_terminal_guard_thread(void) {
  static _Thread_local uint8_t bytes[HANDLER_STACK];
  static _Thread_local int has_stack = 0;
  if (has_stack) return;
  stack_t stack = {.ss_sp = bytes, .ss_size = sizeof bytes, .ss_flags = 0};
  has_stack = sigaltstack(&stack, NULL) == 0;
}
