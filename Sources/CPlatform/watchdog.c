#include "watchdog.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "CPlatform.h"

enum {
  /// The milliseconds between two looks at a main thread that is at work, and how many of them it has.
  LOOK = 100,
  LOOKS = 50,
  /// A look counts if the main thread has worked for that part of it, in microseconds, or waits for something other
  /// than a processor: what does not get one is not to blame.
  WORK = 20 * 1000,
};

/// The turns of the loop, and whether it waits for an event.
static atomic_ulong turns;
static atomic_int is_waiting;
/// What the thread listens to: the terminal, and signals.
static int events = -1;

void watchdog_begin_wait(void) { atomic_store(&is_waiting, 1); }

void watchdog_end_wait(void) {
  atomic_store(&is_waiting, 0);
  atomic_fetch_add(&turns, 1);
}

/// Reads a small file of /proc; returns 0 if that is not possible.
static int read_file(const char *path, char *text, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, size - 1);
  close(file);
  if (count <= 0) return 0;
  text[count] = 0;
  return 1;
}

/// Whether a debugger has the program, which stops it and continues it as it likes.
static int is_traced(void) {
  char text[2048];
  if (!read_file("/proc/self/status", text, sizeof text)) return 0;
  const char *line = strstr(text, "\nTracerPid:");
  return line && line[strspn(line + 11, " \t") + 11] != '0';
}

/// Whether the main thread waits for something other than a processor.
static int is_blocked(void) {
  char path[64], text[1024];
  (void)snprintf(path, sizeof path, "/proc/self/task/%d/stat", getpid());
  if (!read_file(path, text, sizeof text)) return 0;
  // The name, which is the second field, may have blanks and brackets.
  const char *end = strrchr(text, ')');
  return end && (end[2] == 'S' || end[2] == 'D');
}

static int64_t microseconds(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) < 0) return 0;
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/// The clock of the processor time of the main thread, whose number is that of the process (clock_getres(2)).
static clockid_t main_clock(void) { return (clockid_t)((~(unsigned)getpid() << 3) | 6); }

/// Ends the program, whose main thread does not look at the terminal.
static void end(void) {
  static const char words[] = "today: ended, as it did not react for 5 s\n";
  platform_terminal_restore();
  (void)!write(STDERR_FILENO, words, sizeof words - 1);
  // The guardian ends the widgets.
  (void)kill(getpid(), SIGKILL);
}

/// Waits until the loop has come round, or ends the program. Its own pauses are counted, and no clock, as a program
/// that is stopped, or whose machine sleeps, does not hang.
static void look_after(void) {
  struct timespec pause = {.tv_nsec = LOOK * 1000000};
  // The loop may not have heard of the event yet.
  (void)nanosleep(&pause, NULL);
  unsigned long turn = atomic_load(&turns);
  int count = 0;
  int64_t before = microseconds(main_clock());
  while (!atomic_load(&is_waiting) && atomic_load(&turns) == turn) {
    (void)nanosleep(&pause, NULL);
    int64_t now = microseconds(main_clock());
    if (now - before >= WORK || is_blocked()) count++;
    before = now;
    if (count < LOOKS) continue;
    if (!is_traced()) end();
    count = 0;
  }
}

static void *watch(void *unused) {
  (void)unused;
  for (;;) {
    struct epoll_event event;
    if (epoll_wait(events, &event, 1, -1) > 0) look_after();
  }
  return NULL;
}

void platform_watch_loop(int descriptor) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  int is_new = events < 0;
  if (is_new) events = epoll_create1(EPOLL_CLOEXEC);
  // Once for each event, also if nobody takes it.
  struct epoll_event event = {.events = EPOLLIN | EPOLLET};
  if (events >= 0) (void)epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event);
  if (is_new && events >= 0) (void)platform_thread_start(watch, NULL, 64 * 1024);
  pthread_mutex_unlock(&lock);
}
