#include "CPlatformTerminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "guardian.h"
#include "terminal.h"

enum { RESTORE_LIMIT = 512, HANDLER_STACK = 16 * 1024 };

/// What is remembered of the terminal; where it can be, in memory that the guardian shares.
struct terminal {
  volatile sig_atomic_t is_armed;
  int descriptor;
  struct termios saved_settings;
  /// The settings with which the screen works, once they are known.
  struct termios screen_settings;
  volatile sig_atomic_t knows_screen;
  size_t restore_count;
  uint8_t restore_bytes[RESTORE_LIMIT];
};

static struct terminal unshared = {.descriptor = -1};
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
}

void platform_terminal_note_screen(void) {
  terminal->knows_screen = terminal->descriptor >= 0
                           && tcgetattr(terminal->descriptor, &terminal->screen_settings) == 0;
}

static void send_restore_bytes(int output) {
  size_t sent = 0;
  while (sent < terminal->restore_count) {
    ssize_t part = write(output, terminal->restore_bytes + sent, terminal->restore_count - sent);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) break;
    sent += (size_t)part;
  }
}

// Called by handlers: nothing but async-signal-safe functions (signal-safety(7)).
void platform_terminal_restore(void) {
  if (!terminal->is_armed) return;
  terminal->is_armed = 0;
  send_restore_bytes(STDOUT_FILENO);
  if (terminal->descriptor >= 0) {
    tcsetattr(terminal->descriptor, TCSANOW, &terminal->saved_settings);
  }
}

int terminal_descriptor(void) { return terminal == &unshared ? -1 : terminal->descriptor; }

static int is_screen(const struct termios *settings) {
  const struct termios *screen = &terminal->screen_settings;
  return settings->c_iflag == screen->c_iflag && settings->c_oflag == screen->c_oflag
         && settings->c_lflag == screen->c_lflag;
}

int terminal_give_back(int settings, int output, int milliseconds) {
  if (!terminal->is_armed) return 1;
  struct termios now;
  if (tcgetattr(settings, &now) == 0 && (!terminal->knows_screen || is_screen(&now))) {
    (void)tcsetattr(settings, TCSANOW, &terminal->saved_settings);
  }
  // A terminal that was stopped with Control-S would keep a write waiting for ever.
  struct pollfd state = {.fd = output, .events = POLLOUT, .revents = 0};
  if (poll(&state, 1, milliseconds) <= 0 || !(state.revents & POLLOUT)) return 0;
  terminal->is_armed = 0;
  send_restore_bytes(output);
  return 1;
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

void platform_terminal_arm(int armed) {
  terminal->is_armed = armed != 0;
  if (armed && terminal->descriptor >= 0) guardian_hold_terminal();
}

void platform_terminal_guard_thread(void) {
  static _Thread_local uint8_t bytes[HANDLER_STACK];
  static _Thread_local int has_stack = 0;
  if (has_stack) return;
  stack_t stack = {.ss_sp = bytes, .ss_size = sizeof bytes, .ss_flags = 0};
  has_stack = sigaltstack(&stack, NULL) == 0;
}
